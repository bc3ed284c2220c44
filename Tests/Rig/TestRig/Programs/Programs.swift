public import Foundation
import Glibc

/// The programs that this build made, next to the test bundle.
public enum Programs {
    /// Folder of the built programs: where the test program itself was loaded from.
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

    /// Path of a program.
    public static func path(_ name: String) -> URL { folder.appending(path: name) }
}

/// A folder that is gone after the test.
public final class ScratchFolder: Sendable {
    /// Where it is.
    public let url: URL

    /// Makes a folder, in `parent` when the test needs a certain file system.
    public init(in parent: URL = FileManager.default.temporaryDirectory) throws {
        url = parent.appending(path: "framefast-test-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    /// Lets another user of this computer write in it.
    public func giveTo(_ user: String) throws {
        guard let entry = getpwnam(user), chown(url.path, entry.pointee.pw_uid, entry.pointee.pw_gid) == 0
        else {
            throw Impatience(description: "cannot give \(url.path) to \(user)")
        }
    }

    /// A path in it.
    public func path(_ name: String) -> String { url.appending(path: name).path }
}
