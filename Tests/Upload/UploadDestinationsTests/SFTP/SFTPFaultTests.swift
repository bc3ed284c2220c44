import Foundation
import FrameFastModel
import Synchronization
import TestRig
import Testing
import UploadEngine

@testable import UploadDestinations

/// A counter that closures share.
final class Counter: Sendable { let value = Mutex(0) }

@Suite(
    .programs(2), .enabled(if: SSHServer.isInstalled, "needs openssh-server"), .serialized,
    .timeLimit(.minutes(30)))
struct SFTPFaultTests {
    @Test func `reports an outage when the server dies, and resumes the part later`()
        async throws
    {
        let server = try await SSHServer()
        try await server.start()
        let photos = try SamplePhotos()
        defer { photos.remove() }
        let destination = SFTPDestination(server.settings())
        let item = try photos.item("big.raf", bytes: 24_000_000, job: 7)
        let (reached, sink) = AsyncStream<Void>.makeStream()
        let isDown = DispatchSemaphore(value: 0)
        let upload = Task {
            // If the upload fails earlier, the wait for `reached` ends, and the test reports the failure.
            defer { sink.finish() }
            return await Self.upload(item, to: destination) { bytes in
                guard bytes > 12_000_000 else { return }
                // The upload must not complete, so the upload waits here until the server is down.
                sink.finish()
                isDown.wait()
                isDown.signal()
            }
        }
        for await _ in reached {}
        server.stop()
        isDown.signal()
        let failure = await upload.value
        #expect(failure?.kind == .outage(retryAfterSeconds: nil), "\(String(describing: failure))")
        let remote = server.home.appending(path: "photos")
        let parts = try SamplePhotos.names(in: remote)
        #expect(
            parts.allSatisfy { $0.hasPrefix(".framefast-") && $0.hasSuffix(".part") },
            "[loss] wrong part files: \(parts)")
        // A new upload to the stopped server also reports an outage.
        let refused = await destination.failure(item)
        #expect(refused?.kind == .outage(retryAfterSeconds: nil))
        #expect(refused?.sentence.contains("The server does not accept SSH connections") == true)
        try await server.start()
        let least = Mutex(UInt64.max)
        let receipt = try await destination.upload(item) { bytes in least.withLock { $0 = min($0, bytes) } }
        #expect(receipt.remoteName == "big.raf")
        #expect(least.withLock { $0 } > 9_000_000, "the transfer did not resume")
        await destination.close()
        #expect(try SamplePhotos.names(in: remote) == ["big.raf"], "[loss] wrong files at the destination")
        #expect(
            try SamplePhotos.sum(of: remote.appending(path: "big.raf")) == item.sha256,
            "[loss] wrong photo content")
    }

    @Test(.nightly("in the gate, another test of this suite detects lost bytes by reading back"))
    func `sends lost bytes of a part again before the upload resumes`()
        async throws
    {
        let server = try await SSHServer()
        try await server.start()
        let photos = try SamplePhotos()
        defer { photos.remove() }
        let destination = SFTPDestination(server.settings())
        let item = try photos.item("big.raf", bytes: 12_000_000, job: 7)
        // After a power cut, a file can have the right length but zeros in place of its bytes.
        let remote = server.home.appending(path: "photos")
        try FileManager.default.createDirectory(at: remote, withIntermediateDirectories: true)
        try Data(count: 10_000_000).write(to: remote.appending(path: RemoteName.part(item)))
        let receipt = try await destination.upload(item) { _ in }
        await destination.close()
        #expect(receipt.remoteName == "big.raf")
        #expect(try SamplePhotos.names(in: remote) == ["big.raf"], "[loss] wrong files at the destination")
        #expect(
            try SamplePhotos.sum(of: remote.appending(path: "big.raf")) == item.sha256,
            "[loss] wrong photo content")
    }

    /// With `readBack`, an upload resumes without reading its part first. It reads the file back at the end.
    @Test
    func
        `detects lost bytes of a part by reading back, and a retry delivers the photo`()
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
        // After a power cut, a file can have most of its bytes but zeros in the middle.
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
        #expect(least.withLock(\.self) > 4_004_096, "the transfer did not resume")
        #expect(
            try SamplePhotos.names(in: remote) == [],
            "[loss] the photo's name or the corrupted part remains")
        item.resumePoint = point.withLock(\.self)
        let receipt = try await destination.upload(item) { _ in }
        await destination.close()
        #expect(receipt.remoteName == "big.raf" && receipt.proof == .checksum)
        #expect(try SamplePhotos.names(in: remote) == ["big.raf"], "[loss] wrong files at the destination")
        #expect(
            try SamplePhotos.sum(of: remote.appending(path: "big.raf")) == item.sha256,
            "[loss] wrong photo content")
    }

    static func upload(
        _ item: UploadItem, to destination: SFTPDestination, progress: @escaping @Sendable (UInt64) -> Void
    ) async -> UploadFailure? {
        do throws(UploadFailure) {
            _ = try await destination.upload(item, progress: progress)
            return nil
        } catch { return error }
    }

    @Test(.nightly("in the gate, another test of this suite has a server that dies during a transfer"))
    func `delivers parallel uploads once over sessions that die repeatedly`() async throws {
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
                            // Kills all sessions once in every 50 chunks, during the first 1,000 chunks.
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
        #expect(names == wanted, "[loss] wrong names: \(names.symmetricDifference(wanted))")
        for item in items {
            #expect(
                try SamplePhotos.sum(of: remote.appending(path: item.remoteName)) == item.sha256,
                "[loss] wrong photo content")
        }
    }

    @Test(.nightly("in the gate, WebDAVDestinationTests covers the same rule"))
    func `removes a leftover part before counting a photo as delivered`() async throws {
        let server = try await SSHServer()
        try await server.start(subsystem: server.subsystem(faults: "remove:lose"))
        let photos = try SamplePhotos()
        defer { photos.remove() }
        let destination = SFTPDestination(server.settings())
        let item = try photos.item("a.jpg", bytes: 70_000, job: 1)
        _ = try await destination.upload(item) { _ in }
        let failure = await destination.failure(item)
        #expect(failure?.kind == .outage(retryAfterSeconds: nil), "\(String(describing: failure))")
        let remote = server.home.appending(path: "photos")
        #expect(try SamplePhotos.names(in: remote).count == 2)
        #expect(try await destination.upload(item) { _ in }.alreadyExisted)
        await destination.close()
        #expect(try SamplePhotos.names(in: remote) == ["a.jpg"], "[loss] wrong files at the destination")
    }

    @Test func `sends all bytes again after a failed fsync`() async throws {
        let server = try await SSHServer()
        try await server.start(subsystem: server.subsystem(faults: "fsync:refuse", "remove:lose"))
        let photos = try SamplePhotos()
        defer { photos.remove() }
        let destination = SFTPDestination(server.settings())
        let point = Mutex(String?.none)
        var item = try photos.item("big.raf", bytes: 6_000_000, job: 1) { saved in
            point.withLock { $0 = saved }
        }
        let failure = await destination.failure(item)
        #expect(failure?.kind == .outage(retryAfterSeconds: nil), "\(String(describing: failure))")
        // The lost bytes read as zeros.
        let remote = server.home.appending(path: "photos")
        let part = try #require(try SamplePhotos.names(in: remote).first)
        let file = try FileHandle(forUpdating: remote.appending(path: part))
        try file.write(contentsOf: Data(count: 4_096))
        try file.close()
        item.resumePoint = point.withLock(\.self)
        _ = try await destination.upload(item) { _ in }
        await destination.close()
        #expect(point.withLock(\.self) == nil)
        #expect(try SamplePhotos.names(in: remote) == ["big.raf"], "[loss] wrong files at the destination")
        #expect(
            try SamplePhotos.sum(of: remote.appending(path: "big.raf")) == item.sha256,
            "[loss] wrong photo content")
    }

    @Test(.nightly("in the gate, HTTPDestinationTests covers a silent server"))
    func `reports an outage when the server is silent beyond the stall limit`() async throws {
        let server = try await SSHServer()
        try await server.start()
        let photos = try SamplePhotos()
        defer { photos.remove() }
        // The session raises the stall limit to twice the connect timeout, here 10 s. ssh itself would detect
        // the missing responses after 45 s.
        let settings = server.settings(stallSeconds: 2, connectSeconds: 5)
        let destination = SFTPDestination(settings)
        // The first upload also runs the feature trial. If the server hung during the trial, the trial would
        // continue over a new connection.
        _ = try await destination.upload(try photos.item("a.jpg", bytes: 10_000, job: 1)) { _ in }
        server.freezeSessions()
        let failure = await destination.failure(try photos.item("b.jpg", bytes: 10_000, job: 2))
        #expect(failure?.kind == .outage(retryAfterSeconds: nil))
        #expect(failure?.sentence.contains("did not respond for") == true, "\(failure?.sentence ?? "")")
        await destination.close()
    }

    @Test func `a cancelled upload leaves only its part file`() async throws {
        _ = try await cancelUpload()
    }

    @Test(.nightly("measures how soon a cancelled upload ends"))
    func `ends a cancelled upload before it sends the remaining bytes`() async throws {
        // Sending the remaining bytes would take twenty seconds.
        #expect(try await cancelUpload() < .seconds(10))
    }

    /// Cancels a 20-second upload at its first progress report. Expects no file except the part.
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
        let upload = Task {
            defer { sink.finish() }
            return await Self.upload(item, to: destination) { _ in sink.yield() }
        }
        for await _ in reached { break }
        let took = await ContinuousClock().measure {
            upload.cancel()
            let failure = await upload.value
            #expect(failure?.kind == .cancelled, "\(String(describing: failure))")
        }
        #expect(
            try SamplePhotos.names(in: server.home.appending(path: "photos")).allSatisfy {
                $0.hasSuffix(".part")
            }, "[loss] wrong files at the destination")
        await destination.close()
        return took
    }
}
