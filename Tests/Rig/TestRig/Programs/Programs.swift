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

/// How long tests wait for what has to come.
public enum Patience {
    /// Seconds: many times what anything takes. A computer that has other things to do is no defect, and only a test that fails
    /// waits so long.
    public static let seconds = 90.0
}

/// What a test waited for did not happen.
public struct Impatience: Error, CustomStringConvertible {
    /// What was waited for, and what stood there instead.
    public var description: String

    /// Creates an error that says this.
    public init(description: String) { self.description = description }
}

/// Waits until another process has done something, looking often; fails after `seconds`.
///
/// For what has no event to wait for: processes of their own, files on disk, a ledger.
@discardableResult
public func eventually<Value>(
    _ what: String, within seconds: Double = Patience.seconds, every milliseconds: Int = 20,
    isolation: isolated (any Actor)? = #isolation, _ look: () async throws -> Value?
) async throws -> Value {
    let end = ContinuousClock.now + .seconds(seconds)
    while ContinuousClock.now < end {
        if let value = try await look() { return value }
        try await Task.sleep(for: .milliseconds(milliseconds))
    }
    throw Impatience(description: "waited \(seconds) s for \(what)")
}
