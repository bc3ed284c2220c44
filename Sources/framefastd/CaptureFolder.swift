import FrameFastSystem
import Glibc
import SystemPackage

/// The folder for photos: made when it is missing, and looked at before anything else needs it.
enum CaptureFolder {
    /// Makes sure that photos can be written to a folder.
    ///
    /// - Parameter environment: Tells whether systemd runs this process for the whole computer: then the steps are those
    ///   for its unit.
    static func prepare(_ path: String, environment: [String: String]) throws {
        do {
            try makeWritable(path)
        } catch {
            guard [.readOnlyFileSystem, .permissionDenied, .notPermitted].contains(error.errno) else {
                throw error
            }
            throw CaptureFolderError(
                path: path, reason: error.errno,
                isSystemService: environment["NOTIFY_SOCKET"] != nil && environment["XDG_RUNTIME_DIR"] == nil)
        }
    }

    private static func makeWritable(_ path: String) throws(SystemCallError) {
        try DurableFile.createFolder(path)
        guard access(path, W_OK | X_OK) == 0 else {
            throw SystemCallError(call: "write to", subject: path, errno: Errno(rawValue: errno))
        }
    }
}

/// Why no photo can be written.
struct CaptureFolderError: Error, Hashable, CustomStringConvertible {
    var path: String
    var reason: Errno
    /// Whether systemd runs this process for the whole computer.
    var isSystemService: Bool

    /// What is wrong, and the commands that mend it, one a line.
    var description: String {
        let sandbox = ServiceSandbox()
        let problem = "cannot write photos to \(path): \(reason)"
        guard isSystemService else { return problem }
        if reason == .readOnlyFileSystem, sandbox.lines(for: path).isEmpty {
            return problem + ". The disk there is mounted for reading only: mount it for writing"
        }
        return ([problem + ". Run:"] + sandbox.commands(for: path)).joined(separator: "\n  ")
    }
}
