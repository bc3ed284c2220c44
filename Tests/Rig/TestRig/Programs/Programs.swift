public import Foundation
import Glibc

/// The programs of this build, next to the test bundle.
public enum Programs {
    /// The folder of the built programs, from which the test program was loaded.
    public static let folder: URL = {
        var url = URL(filePath: CommandLine.arguments.first ?? ".").resolvingSymlinksInPath()
        while url.path != "/" {
            url.deleteLastPathComponent()
            if FileManager.default.isExecutableFile(atPath: url.appending(path: "framefastd").path) {
                return url
            }
        }
        return URL(filePath: FileManager.default.currentDirectoryPath).appending(path: ".build/debug")
    }()

    /// Returns the path of a program.
    public static func path(_ name: String) -> URL { folder.appending(path: name) }
}

/// A temporary folder. It is deleted when the object is released.
public final class ScratchFolder: Sendable {
    /// The URL of the folder.
    public let url: URL

    /// Creates a folder. Pass `parent` if the test needs a specific file system.
    public init(in parent: URL = FileManager.default.temporaryDirectory) throws {
        url = parent.appending(path: "framefast-test-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    /// Changes the folder's owner to another user of this computer.
    public func giveTo(_ user: String) throws {
        guard let entry = getpwnam(user), chown(url.path, entry.pointee.pw_uid, entry.pointee.pw_gid) == 0
        else {
            throw WaitTimeout(description: "cannot give \(url.path) to \(user)")
        }
    }

    /// Returns the path of a file in the folder.
    public func path(_ name: String) -> String { url.appending(path: name).path }
}
