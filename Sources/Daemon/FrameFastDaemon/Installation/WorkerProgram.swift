import Foundation
import FrameFastConfiguration

/// The path of the camera worker.
enum WorkerProgram {
    /// The environment variable that overrides the path, for build folders with another layout.
    static let environmentKey = Configuration.workerProgramVariable

    /// Returns the path of the worker: in the libexec folder of an installation, or next to this program in a
    /// build folder.
    static func path(environment: [String: String]) -> String {
        if let path = environment[environmentKey], !path.isEmpty { return path }
        let here = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        let libexec = here.deletingLastPathComponent().appending(path: "libexec/framefast/framefast-camera")
            .path
        let sibling = here.appending(path: "framefast-camera").path
        return FileManager.default.isExecutableFile(atPath: libexec) ? libexec : sibling
    }
}
