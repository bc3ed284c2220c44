import Foundation
import FrameFastModel
import Synchronization
import TestRig
import Testing
import UploadEngine

@testable import UploadDestinations

/// A count that closures share.
final class Counter: Sendable { let value = Mutex(0) }

@Suite(
    .programs(2), .enabled(if: SSHServer.isInstalled, "needs openssh-server"), .serialized,
    .timeLimit(.minutes(30)))
struct SFTPFaultTests {
    /// Uploads and gives the failure.
    static func failure(of destination: SFTPDestination, _ item: UploadItem) async -> UploadFailure? {
        do throws(UploadFailure) {
            _ = try await destination.upload(item) { _ in }
            return nil
        } catch { return error }
    }

    @Test func `a server that dies in mid-file is an outage, and the next attempt goes on where it was`()
        async throws
    {
        let server = try await SSHServer()
        try await server.start()
        let photos = try SamplePhotos()
        defer { photos.remove() }
        var settings = server.settings()
        settings.bytesPerSecondMax = 12_000_000
        let destination = SFTPDestination(settings)
        let item = try photos.item("big.raf", bytes: 24_000_000, job: 7)
        let (reached, sink) = AsyncStream<Void>.makeStream()
        async let first = Self.upload(item, to: destination) { if $0 > 12_000_000 { sink.yield() } }
        for await _ in reached { break }
        server.stop()
        let failure = await first
        #expect(failure?.kind == .outage(retryAfterSeconds: nil), "\(String(describing: failure))")
        let remote = server.home.appending(path: "photos")
        let parts = try SamplePhotos.names(in: remote)
        #expect(parts.allSatisfy { $0.hasPrefix(".framefast-") && $0.hasSuffix(".part") }, "[loss] \(parts)")
        // Not there at all: an outage too.
        let refused = await Self.failure(of: destination, item)
        #expect(refused?.kind == .outage(retryAfterSeconds: nil))
        #expect(refused?.sentence.contains("The server takes no SSH connections") == true)
        try await server.start()
        let least = Mutex(UInt64.max)
        let receipt = try await destination.upload(item) { bytes in least.withLock { $0 = min($0, bytes) } }
        #expect(receipt.remoteName == "big.raf")
        #expect(least.withLock { $0 } > 9_000_000, "it did not resume")
        await destination.close()
        #expect(try SamplePhotos.names(in: remote) == ["big.raf"], "[loss] files at the destination")
        #expect(
            try SamplePhotos.sum(of: remote.appending(path: "big.raf")) == item.sha256,
            "[loss] content of the photo")
    }

    @Test(.nightly("a part whose middle is lost is noticed when it is read back, in the gate"))
    func `what a server has lost of a part is noticed before the upload goes on, and sent again`()
        async throws
    {
        let server = try await SSHServer()
        try await server.start()
        let photos = try SamplePhotos()
        defer { photos.remove() }
        let destination = SFTPDestination(server.settings())
        let item = try photos.item("big.raf", bytes: 12_000_000, job: 7)
        // As after a power cut: the length is there, the bytes are not.
        let remote = server.home.appending(path: "photos")
        try FileManager.default.createDirectory(at: remote, withIntermediateDirectories: true)
        try Data(count: 10_000_000).write(to: remote.appending(path: RemoteName.part(item)))
        let receipt = try await destination.upload(item) { _ in }
        await destination.close()
        #expect(receipt.remoteName == "big.raf")
        #expect(try SamplePhotos.names(in: remote) == ["big.raf"], "[loss] files at the destination")
        #expect(
            try SamplePhotos.sum(of: remote.appending(path: "big.raf")) == item.sha256,
            "[loss] content of the photo")
    }

    /// What is read back at the end need not be read before the upload goes on.
    @Test
    func
        `what a server has lost in mid-file is noticed when it is read back, and delivered by the next attempt`()
        async throws
    {
        let server = try await SSHServer()
        try await server.start()
        let photos = try SamplePhotos()
        defer { photos.remove() }
        var settings = server.settings()
        settings.verification = .readBack
        let destination = SFTPDestination(settings)
        let point = Mutex(String?.none)
        var item = try photos.item("big.raf", bytes: 12_000_000, job: 7) { saved in
            point.withLock { $0 = saved }
        }
        // As after a power cut: most bytes are there, and a block in the middle is zeros.
        var there = try Data(contentsOf: URL(filePath: item.localPath)).prefix(10_000_000)
        there.replaceSubrange(4_000_000..<4_004_096, with: Data(count: 4_096))
        let remote = server.home.appending(path: "photos")
        try FileManager.default.createDirectory(at: remote, withIntermediateDirectories: true)
        try there.write(to: remote.appending(path: RemoteName.part(item)))
        let least = Mutex(UInt64.max)
        let failure = await Self.upload(item, to: destination) { bytes in
            least.withLock { $0 = min($0, bytes) }
        }
        #expect(failure?.kind == .transient, "\(failure?.sentence ?? "delivered")")
        #expect(failure?.sentence.contains("read back") == true)
        #expect(least.withLock(\.self) > 4_004_096, "it did not go on where it was")
        #expect(
            try SamplePhotos.names(in: remote) == [],
            "[loss] nothing under the photo's name, and no part to trust")
        item.resumePoint = point.withLock(\.self)
        let receipt = try await destination.upload(item) { _ in }
        await destination.close()
        #expect(receipt.remoteName == "big.raf" && receipt.proof == .checksum)
        #expect(try SamplePhotos.names(in: remote) == ["big.raf"], "[loss] files at the destination")
        #expect(
            try SamplePhotos.sum(of: remote.appending(path: "big.raf")) == item.sha256,
            "[loss] content of the photo")
    }

    static func upload(
        _ item: UploadItem, to destination: SFTPDestination, progress: @escaping @Sendable (UInt64) -> Void
    ) async -> UploadFailure? {
        do throws(UploadFailure) {
            _ = try await destination.upload(item, progress: progress)
            return nil
        } catch { return error }
    }

    @Test(.nightly("a server dies in mid-file in the gate"))
    func `eight uploads over a session that dies twenty times all arrive once`() async throws {
        let server = try await SSHServer()
        try await server.start(options: "MaxStartups 100")
        let photos = try SamplePhotos()
        defer { photos.remove() }
        var settings = server.settings()
        settings.bytesPerSecondMax = 40_000_000
        let destination = SFTPDestination(settings)
        let items = try (1...40).map { try photos.item("\($0).jpg", bytes: 1_000_000, job: $0) }
        let moved = Counter()
        await withTaskGroup(of: Void.self) { group in
            for (index, item) in items.enumerated() {
                if index >= 8 { await group.next() }
                group.addTask {
                    for _ in 0..<100 {
                        let failure = await Self.upload(item, to: destination) { _ in
                            // Each fiftieth piece is the last one of its session.
                            let count = moved.value.withLock { value -> Int in
                                value += 1
                                return value
                            }
                            if count % 50 == 49 && count < 1_000 { server.killSessions() }
                        }
                        guard let failure else { return }
                        #expect(failure.kind == .outage(retryAfterSeconds: nil), "\(failure)")
                    }
                }
            }
            await group.waitForAll()
        }
        await destination.close()
        let remote = server.home.appending(path: "photos")
        let names = try SamplePhotos.names(in: remote)
        let wanted = Set(items.map(\.remoteName))
        #expect(names == wanted, "[loss] \(names.symmetricDifference(wanted))")
        for item in items {
            #expect(
                try SamplePhotos.sum(of: remote.appending(path: item.remoteName)) == item.sha256,
                "[loss] content of the photo")
        }
    }

    @Test(.nightly("WebDAVDestinationTests has the same rule in the gate"))
    func `a part that may be there still is removed before a photo counts as delivered`() async throws {
        let server = try await SSHServer()
        try await server.start(subsystem: server.subsystem(faults: "remove:lose"))
        let photos = try SamplePhotos()
        defer { photos.remove() }
        let destination = SFTPDestination(server.settings())
        let item = try photos.item("a.jpg", bytes: 70_000, job: 1)
        _ = try await destination.upload(item) { _ in }
        let failure = await Self.failure(of: destination, item)
        #expect(failure?.kind == .outage(retryAfterSeconds: nil), "\(String(describing: failure))")
        let remote = server.home.appending(path: "photos")
        #expect(try SamplePhotos.names(in: remote).count == 2)
        #expect(try await destination.upload(item) { _ in }.wasThere)
        await destination.close()
        #expect(try SamplePhotos.names(in: remote) == ["a.jpg"], "[loss] files at the destination")
    }

    @Test func `after a failed fsync all bytes are sent again, whatever is there`() async throws {
        let server = try await SSHServer()
        try await server.start(subsystem: server.subsystem(faults: "fsync:refuse", "remove:lose"))
        let photos = try SamplePhotos()
        defer { photos.remove() }
        let destination = SFTPDestination(server.settings())
        let point = Mutex(String?.none)
        var item = try photos.item("big.raf", bytes: 6_000_000, job: 1) { saved in
            point.withLock { $0 = saved }
        }
        let failure = await Self.failure(of: destination, item)
        #expect(failure?.kind == .outage(retryAfterSeconds: nil), "\(String(describing: failure))")
        // What the disk did not take is zeros when it is read.
        let remote = server.home.appending(path: "photos")
        let part = try #require(try SamplePhotos.names(in: remote).first)
        let file = try FileHandle(forUpdating: remote.appending(path: part))
        try file.write(contentsOf: Data(count: 4_096))
        try file.close()
        item.resumePoint = point.withLock(\.self)
        _ = try await destination.upload(item) { _ in }
        await destination.close()
        #expect(point.withLock(\.self) == nil)
        #expect(try SamplePhotos.names(in: remote) == ["big.raf"], "[loss] files at the destination")
        #expect(
            try SamplePhotos.sum(of: remote.appending(path: "big.raf")) == item.sha256,
            "[loss] content of the photo")
    }

    @Test(.nightly("HTTPDestinationTests has a silent server in the gate"))
    func `a server that hangs is an outage after the configured silence`() async throws {
        let server = try await SSHServer()
        try await server.start()
        let photos = try SamplePhotos()
        defer { photos.remove() }
        // Twice this time counts if it is longer. ssh itself notices the silence after 45 s.
        let settings = server.settings(stallSeconds: 2, connectSeconds: 5)
        let destination = SFTPDestination(settings)
        // A trial would go on over a new connection.
        _ = try await destination.upload(try photos.item("a.jpg", bytes: 10_000, job: 1)) { _ in }
        server.freezeSessions()
        let failure = await Self.failure(of: destination, try photos.item("b.jpg", bytes: 10_000, job: 2))
        #expect(failure?.kind == .outage(retryAfterSeconds: nil))
        #expect(failure?.sentence.contains("said nothing for") == true, "\(failure?.sentence ?? "")")
        await destination.close()
    }

    @Test func `a cancelled upload leaves only its part`() async throws {
        _ = try await cancelUpload()
    }

    @Test(.nightly("measures how soon a cancelled upload ends"))
    func `ends a cancelled upload before the rest is sent`() async throws {
        // The rest would take twenty seconds.
        #expect(try await cancelUpload() < .seconds(10))
    }

    /// Cancels an upload of twenty seconds at its first progress, and expects no file but its part.
    ///
    /// - Returns: The time from the cancellation to the end of the upload.
    private func cancelUpload() async throws -> Duration {
        let server = try await SSHServer()
        try await server.start()
        let photos = try SamplePhotos()
        defer { photos.remove() }
        var settings = server.settings()
        settings.bytesPerSecondMax = 1_000_000
        let destination = SFTPDestination(settings)
        let item = try photos.item("a.jpg", bytes: 20_000_000, job: 1)
        let (reached, sink) = AsyncStream<Void>.makeStream()
        let upload = Task { await Self.upload(item, to: destination) { _ in sink.yield() } }
        for await _ in reached { break }
        let took = await ContinuousClock().measure {
            upload.cancel()
            let failure = await upload.value
            #expect(failure?.kind == .cancelled)
        }
        #expect(
            try SamplePhotos.names(in: server.home.appending(path: "photos")).allSatisfy {
                $0.hasSuffix(".part")
            }, "[loss] files at the destination")
        await destination.close()
        return took
    }
}
