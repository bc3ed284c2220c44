import Foundation
import Repository

/// The script that removes the service's files when the Debian package is purged.
public enum PackagePurge {
    /// Purges the test's folders instead of the folders of the system service.
    ///
    /// - Parameters:
    ///   - state: The state directory to purge.
    ///   - folder: A folder for the script, and for the other folders that the script removes.
    /// - Returns: The exit status and the output.
    public static func run(
        _ state: String, in folder: ScratchFolder
    ) async throws -> (status: Int32, output: String) {
        let file = Repository.file("packaging/debian/framefast.postrm")
        let script = try String(contentsOf: file, encoding: .utf8)
            .replacing("/var/lib/framefast", with: state)
            .replacing("/etc/framefast", with: folder.path("etc"))
            .replacing("/var/log/framefast", with: folder.path("log"))
        try script.write(toFile: folder.path("postrm"), atomically: true, encoding: .utf8)
        return try await RunningProgram.run(
            URL(filePath: "/bin/sh"), [folder.path("postrm"), "purge"], in: folder)
    }
}
