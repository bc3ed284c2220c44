import Foundation
import TestRig
import Testing

@testable import UploadDestinations
@testable import UploadEngine

/// Tests of rclone with a server that accepts a connection and then hangs.
@Suite(
    .programs(3),
    .enabled(if: RcloneHome.isInstalled && TestServers.hasPython, "needs rclone and Python's servers"),
    .timeLimit(.minutes(30)))
struct RcloneHangTests {
    /// The largest number of attempts that one hang of the server may cause.
    private static let attemptsMax = 5

    /// The server hangs at the first request, or in the middle of a photo.
    @Test(arguments: Tier.rows([100_000, 0], gate: 1))
    func `delivers a photo after a server hang, and leaves no parts`(bytes: Int) async throws {
        let scratch = try ScratchFolder()
        let photos = try SamplePhotos()
        defer { photos.remove() }
        let server = try await TestServer.python("nasty_http.py", in: scratch, name: "nasty", ["dav", "[]"])
        let line = try await TestServer.faulty(.stall, after: bytes, before: server.port, in: scratch)
        let file = scratch.path("rclone.conf")
        try "[cloud]\ntype = webdav\nurl = http://127.0.0.1:\(line.port)\nvendor = other\n"
            .write(toFile: file, atomically: true, encoding: .utf8)
        let destination = RcloneDestination(
            RcloneSettings(name: "cloud", remote: "cloud", configFile: file, stallSeconds: 10))
        let item = try photos.item("a.jpg", bytes: 200_000, job: 1)
        var failures: [UploadFailure] = []
        var receipt: UploadReceipt?
        while receipt == nil, failures.count < Self.attemptsMax {
            do throws(UploadFailure) { receipt = try await destination.upload(item) { _ in } } catch {
                failures.append(error)
            }
        }
        #expect(line.output.contains("struck"), "the server did not hang")
        #expect(receipt?.remoteName == "a.jpg", "[loss] not delivered: \(failures)")
        #expect(failures.allSatisfy { $0.isOutage }, "\(failures)")
        let folder = server.folder.appending(path: "files")
        #expect(folder.filesBelow == ["a.jpg"], "[loss] leftovers")
        #expect(folder.appending(path: "a.jpg").sha256 == item.sha256, "[loss] wrong photo content")
        await destination.close()
    }
}
