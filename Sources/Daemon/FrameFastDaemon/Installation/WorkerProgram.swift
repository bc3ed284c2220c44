import Foundation
import FrameFastConfiguration

/// The paths of the camera worker and of the picture worker.
enum WorkerProgram {
    /// The environment variable that overrides the path of the camera worker, for build folders with another
    /// layout.
    static let environmentKey = Configuration.workerProgramVariable

    /// The environment variable that overrides the path of the picture worker. Not a configuration key.
    static let pictureVariable = "FRAMEFAST_PICTURE_PROGRAM"

    /// Returns the path of the camera worker.
    static func path(environment: [String: String]) -> String {
        path(of: "framefast-camera", override: environment[environmentKey])
    }

    /// Returns the path of the picture worker.
    static func picturePath(environment: [String: String]) -> String {
        path(of: "framefast-picture", override: environment[pictureVariable])
    }

    /// Returns the path of a worker: in the libexec folder of an installation, or next to this program in a
    /// build folder.
    private static func path(of name: String, override: String?) -> String {
        if let override, !override.isEmpty { return override }
        let here = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        let libexec = here.deletingLastPathComponent().appending(path: "libexec/framefast/\(name)").path
        let sibling = here.appending(path: name).path
        return FileManager.default.isExecutableFile(atPath: libexec) ? libexec : sibling
    }
}
