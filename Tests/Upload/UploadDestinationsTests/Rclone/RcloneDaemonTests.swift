import Foundation
import FrameFastModel
import Glibc
import TestRig
import Testing
import UploadEngine

@testable import UploadDestinations

/// Tests of the rclone process and its responses.
@Suite(
    .programs(3), .enabled(if: RcloneHome.isInstalled, "needs rclone"), .serialized, .timeLimit(.minutes(30)))
struct RcloneDaemonTests {
    /// Starts a separate daemon and a slow copy. rclone limits the copy to 200,000 bytes per second.
    private func slowCopy(
        seconds: Int, stallSeconds: Int, photos: SamplePhotos, home: RcloneHome
    ) async throws -> (daemon: RcloneDaemon, copy: Task<UploadReceipt, any Error>) {
        var settings = home.settings()
        settings.stallSeconds = stallSeconds
        settings.bytesPerSecond = 200_000
        let item = try photos.item("slow.jpg", bytes: 200_000 * seconds, job: 1)
        let photo = try PhotoFile(item)
        let daemon = try await RcloneDaemon.start(settings)
        let (moving, moved) = AsyncStream<Void>.makeStream()
        let copy = Task {
            defer { moved.finish() }
            return try await RcloneUpload(
                daemon: daemon, item: item, photo: photo, plan: TransferPlan(), memory: DestinationMemory()
            ) { bytes in
                if bytes > 0 { moved.finish() }
            }.run()
        }
        for await _ in moving {}
        return (daemon, copy)
    }

    @Test(.nightly("measures a copy of eight seconds, with a stall limit of three"))
    func `continues a copy beyond the stall limit while it makes progress`() async throws {
        let home = try RcloneHome()
        let photos = try SamplePhotos()
        defer {
            home.remove()
            photos.remove()
        }
        let (daemon, copy) = try await slowCopy(seconds: 8, stallSeconds: 3, photos: photos, home: home)
        #expect(try await copy.value.proof == .checksum)
        await daemon.stop()
    }

    @Test func `stops the copy of a cancelled upload in rclone`() async throws {
        struct Jobs: Decodable { var transferring: [Transfer]? }
        struct Transfer: Decodable { var name: String }
        let home = try RcloneHome()
        let photos = try SamplePhotos()
        defer {
            home.remove()
            photos.remove()
        }
        let (daemon, copy) = try await slowCopy(seconds: 600, stallSeconds: 30, photos: photos, home: home)
        func transfers() async throws -> [String] {
            try await daemon.call("core/stats", RcloneEmpty(), as: Jobs.self).transferring?.map(\.name)
                ?? []
        }
        #expect(try await transfers().count == 1)
        copy.cancel()
        await #expect(throws: (any Error).self) { try await copy.value }
        _ = try await eventually("rclone to stop copying") { try await transfers().isEmpty ? true : nil }
        await daemon.stop()
    }

    @Test func `reports an outage for calls to a killed rclone`()
        async throws
    {
        let home = try RcloneHome()
        let photos = try SamplePhotos()
        defer {
            home.remove()
            photos.remove()
        }
        let (daemon, copy) = try await slowCopy(seconds: 600, stallSeconds: 30, photos: photos, home: home)
        for pid in RcloneTests.daemons(home) { kill(pid, SIGKILL) }
        let failure = await #expect(throws: UploadFailure.self) { try await copy.value }
        #expect(failure?.kind == .outage(retryAfterSeconds: nil), "\(String(describing: failure))")
        #expect(
            failure?.sentence.hasPrefix("Rclone does not respond (") == true, "\(String(describing: failure))"
        )
        let next = await #expect(throws: UploadFailure.self) {
            try await daemon.call("rc/noop", RcloneEmpty(), as: RcloneEmpty.self)
        }
        #expect(next?.kind == .outage(retryAfterSeconds: nil), "\(String(describing: next))")
        await daemon.stop()
    }

    /// The checksum of a movie of 2 GB may take 520 s. A longer stall limit is unchanged.
    @Test(
        arguments: [
            (0, 2_000_000_000, 120), (1_999_999_999, 2_000_000_000, 120), (2_000_000_000, 2_000_000_000, 520),
            (2_000_000_001, 2_000_000_000, 520), (0, 0, 120),
        ] as [(Int64, UInt64, Int)])
    func `extends the stall limit for checksums after all bytes are sent`(
        sent: Int64, bytes: UInt64, seconds: Int
    ) {
        func limit(_ stallSeconds: Int) -> Duration {
            RcloneUpload.silenceMax(sent: sent, of: bytes, stallSeconds: stallSeconds)
        }
        #expect(limit(120) == .seconds(seconds))
        #expect(limit(3_600) == .seconds(3_600))
    }

    @Test func `reports an outage for a truncated rclone response`() {
        func failure(_ status: Int, _ body: String) -> UploadFailure.Kind? {
            let response = CurlResponse(status: status, body: Array(body.utf8))
            do throws(UploadFailure) {
                _ = try RcloneDaemon.value(of: response, as: RcloneEmpty.self)
                return nil
            } catch { return error.kind }
        }
        #expect(failure(200, "{}") == nil)
        #expect(failure(200, "{") == .outage(retryAfterSeconds: nil))
        #expect(failure(500, #"{"error": "AccessDenied: Access Denied"}"#) == .permanent(.forbidden))
        #expect(failure(500, "{") == .transient)
    }
}
