import Foundation
import FrameFastConfiguration

/// Where the camera worker is installed.
enum WorkerProgram {
    /// Overrides the place; for running from a build folder that is laid out differently.
    static let environmentKey = Configuration.workerProgramVariable

    /// Next to this program (a build folder), or in libexec beside its bin folder (an installation).
    static func path(environment: [String: String]) -> String {
        if let path = environment[environmentKey], !path.isEmpty { return path }
        return place(of: "framefast-camera")
    }

    /// The same of the program that makes pictures.
    static func picturePath(environment: [String: String]) -> String { place(of: "framefast-picture") }

    private static func place(of name: String) -> String {
        let here = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        let libexec = here.deletingLastPathComponent().appending(path: "libexec/framefast/\(name)")
            .path
        let beside = here.appending(path: name).path
        return FileManager.default.isExecutableFile(atPath: libexec) ? libexec : beside
    }
}
