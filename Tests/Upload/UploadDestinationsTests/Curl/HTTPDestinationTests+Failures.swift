import Foundation
import TestRig
import Testing
import UploadEngine

@testable import UploadDestinations

extension LoopbackServerTests.HTTPDestinationTests {
    private static let certificates = [
        ("good", UploadFailure.Kind?.none), ("expired", .permanent(.untrusted)),
        ("stranger", .permanent(.untrusted)),
    ]

    @Test(arguments: Tier.rows(certificates, gate: [certificates[1]]))
    func `rejects expired and unknown certificates`(certificate: String, kind: UploadFailure.Kind?)
        async throws
    {
        let certificates = try await TestCertificates(scratch)
        let server = try await TestServer.python(
            "http_server.py", in: scratch, [certificates.path(certificate)])
        let photo = try TestPhotos.one(bytes: 5000, in: scratch)
        var settings = HTTPSettings(
            url: "https://localhost:\(server.port)/files/{name}",
            connection: ConnectionSettings(
                caFile: certificates.ca, connectSeconds: TestLimits.connectSeconds,
                stallSeconds: TestLimits.stallSeconds))
        let failure = await HTTPDestination(settings).failure(photo)
        #expect(failure?.kind == kind, "\(failure?.sentence ?? "")")
        if kind != nil { #expect(failure?.nextStep?.contains("certificate") == true) }
        settings.connection.insecure = true
        #expect(await HTTPDestination(settings).failure(photo) == nil, "a server with `insecure = true`")
    }

    @Test(.nightly("in the gate, another test of this suite covers an expired certificate"))
    func `rejects a server certificate if no authority file is configured`() async throws {
        let certificates = try await TestCertificates(scratch)
        let server = try await TestServer.python(
            "http_server.py", in: scratch, [certificates.path("good")])
        let photo = try TestPhotos.one(bytes: 5000, in: scratch)
        let failure = await HTTPDestination(
            HTTPSettings(url: "https://localhost:\(server.port)/files/{name}")
        ).failure(photo)
        #expect(failure?.kind == .permanent(.untrusted))
    }

    @Test func `reports an outage for an unknown host and a closed port`() async throws {
        let photo = try TestPhotos.one(bytes: 5000, in: scratch)
        let closed = try ReservedPorts()
        for url in ["http://nowhere.invalid/{name}", "http://127.0.0.1:\(closed.first)/{name}"] {
            let failure = await HTTPDestination(HTTPSettings(url: url)).failure(photo)
            #expect(failure?.kind == .outage(retryAfterSeconds: nil))
            #expect(failure?.nextStep != nil)
        }
    }

    @Test(.nightly("in the gate, UploadServiceTests covers a missing and a changed photo"))
    func `reports a missing or changed local photo as a permanent failure`() async throws {
        let server = try await TestServer.python("http_server.py", in: scratch)
        var photo = try TestPhotos.one(bytes: 5000, in: scratch)
        photo.bytes += 1
        #expect(
            await destination(server.port, "files/{name}").failure(photo)?.kind == .permanent(.fileGone))
        photo.localPath += "-gone"
        #expect(
            await destination(server.port, "files/{name}").failure(photo)?.kind == .permanent(.fileGone))
    }

    @Test func `cancels an upload while the server is silent`() async throws {
        #expect(try await cancelWhileSilent().kind == .cancelled)
    }

    @Test(.nightly("measures how soon a cancelled upload ends"))
    func `ends a cancelled upload before the stall limit`() async throws {
        let (kind, seconds) = try await cancelWhileSilent()
        #expect(kind == .cancelled)
        // Without the cancellation, the missing response would count as an outage after a minute.
        #expect(seconds < .seconds(30))
    }

    /// Cancels an upload to a server that has received the photo but sends no response.
    ///
    /// - Returns: The failure, and the time from the cancellation to the end of the upload.
    private func cancelWhileSilent() async throws -> (kind: UploadFailure.Kind?, took: Duration) {
        let server = try await TestServer.python("http_server.py", in: scratch)
        let photo = try TestPhotos.one(bytes: 5000, in: scratch)
        let destination = destination(server.port, "silent/x") {
            $0.checksNameFirst = false
            $0.connection.stallSeconds = 60
        }
        let (sent, report) = AsyncStream.makeStream(of: UInt64.self)
        let upload = Task {
            do throws(UploadFailure) {
                _ = try await destination.upload(photo) { report.yield($0) }
                return UploadFailure.Kind?.none
            } catch {
                return error.kind
            }
        }
        for await bytes in sent where bytes == photo.bytes { break }
        let start = ContinuousClock.now
        upload.cancel()
        let kind = await upload.value
        return (kind, ContinuousClock.now - start)
    }

    @Test(.nightly("measures throughput")) func `shares the speed limit among parallel transfers`()
        async throws
    {
        let server = try await TestServer.python("http_server.py", in: scratch)
        let photos = try TestPhotos(2, bytes: 1_000_000, in: scratch)
        let destination = destination(server.port, "md5/{name}") {
            $0.connection.bytesPerSecond = 1_000_000
        }
        let start = ContinuousClock.now
        _ = try await destination.uploadAll(photos.items)
        let taken = ContinuousClock.now - start
        #expect(taken > .seconds(1.2) && taken < .seconds(60), "\(taken)")
    }

    @Test(.nightly("in the gate, S3DestinationTests and FTPDestinationTests call probe and test"))
    func `tests an HTTP destination without leaving files, and reports a failing server`() async throws {
        let server = try await TestServer.python("http_server.py", in: scratch)
        let good = destination(server.port, "files/{name}")
        try await good.probe()
        try await good.test()
        #expect(server.folder.filesBelow == [], "[loss] wrong files at the destination")
        await #expect(throws: UploadFailure.self) {
            try await destination(server.port, "status/503/x") { $0.checksNameFirst = false }.test()
        }
        await good.close()
    }
}
