import Foundation
import TestRig
import Testing

@testable import UploadDestinations
@testable import UploadEngine

extension LoopbackServerTests {
    /// Tests of photos whose local file was changed after saving, without a change of size.
    @Suite(
        .programs(3), .enabled(if: TestServers.hasPython, TestServers.pythonReason), .timeLimit(.minutes(10)))
    struct ChangedPhotoTests {
        let scratch: ScratchFolder

        init() throws { scratch = try ScratchFolder() }

        /// Returns a photo whose file differs from the recorded content in one byte.
        private func changedPhoto() throws -> UploadItem {
            let photo = try TestPhotos.one(bytes: 200_000, in: scratch)
            let file = URL(filePath: photo.localPath)
            var bytes = try Data(contentsOf: file)
            bytes[100_000] ^= 1
            try bytes.write(to: file)
            return photo
        }

        private func expectChanged(_ destination: any UploadDestination) async throws {
            let failure = await destination.failure(try changedPhoto())
            #expect(failure?.kind == .permanent(.fileChanged), "\(failure?.sentence ?? "delivered")")
            await destination.close()
        }

        @Test(
            .nightly("in the gate, DirectoryTests covers a changed photo"),
            arguments: [NastyServer.Kind.webDAV, .http, .s3, .ftp])
        func `reports a locally changed photo after a mismatch at the server`(
            kind: NastyServer.Kind
        ) async throws {
            let server = try await NastyServer(kind, [], in: scratch)
            try await expectChanged(server.destination())
        }

        @Test func `keeps a wrong copy on a WebDAV server that refuses deletions`() async throws {
            let server = try await NastyServer(
                .webDAV, [ServerFaultRule("DELETE", answer: 403)], in: scratch)
            try await expectChanged(server.destination())
            let deletions = server.requests.filter { $0.verb == "DELETE" }
            #expect(!deletions.isEmpty && deletions.allSatisfy { $0.name.contains("framefast-trial") })
        }

        @Test(
            .nightly("in the gate, DirectoryTests covers a changed photo"),
            .enabled(if: SSHServer.isInstalled, "needs openssh-server"))
        func `reports a locally changed photo after an SFTP checksum mismatch`() async throws {
            let server = try await SSHServer()
            try await server.start()
            var settings = server.settings()
            settings.verification = .command("sha256sum")
            try await expectChanged(SFTPDestination(settings))
        }

        @Test(
            .nightly("in the gate, DirectoryTests covers a changed photo"),
            .enabled(if: RcloneHome.isInstalled, "needs rclone"))
        func `reports a locally changed photo after an rclone checksum mismatch`() async throws {
            let home = try RcloneHome()
            defer { home.remove() }
            try await expectChanged(RcloneDestination(home.settings()))
        }
    }
}
