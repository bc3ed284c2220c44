import Foundation
import FrameFastModel
import TestRig
import Testing
import UploadEngine

@testable import UploadDestinations

@Suite(
    .programs(2), .enabled(if: SSHServer.isInstalled, "needs openssh-server"), .serialized,
    .timeLimit(.minutes(30)))
struct SFTPDestinationTests {
    @Test(.nightly("in the gate, another test uploads a photo, recognizes it and adds a suffix"))
    func `uploads 200 photos with unusual names by SFTP`() async throws {
        let server = try await SSHServer()
        try await server.start()
        let photos = try SamplePhotos()
        defer { photos.remove() }
        let items = try (0..<200).map { index in
            let name = SamplePhotos.oddNames[index % SamplePhotos.oddNames.count]
            return try photos.item("set \(index / 25)/\(name)", bytes: 200_000 + index, job: Int64(index + 1))
        }
        let destination = SFTPDestination(server.settings())
        let clock = ContinuousClock()
        let took = try await clock.measure {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (index, item) in items.enumerated() {
                    if index >= 8 { try await group.next() }
                    group.addTask {
                        let receipt = try await destination.upload(item) { _ in }
                        #expect(
                            receipt
                                == .init(
                                    remoteName: item.remoteName, proof: .size, evidence: "size \(item.bytes)")
                        )
                    }
                }
                try await group.waitForAll()
            }
        }
        print("200 photos of 200 KB by SFTP in \(took)")
        await destination.close()
        let remote = server.home.appending(path: "photos")
        #expect(
            try SamplePhotos.names(in: remote) == Set(items.map(\.remoteName)),
            "[loss] wrong files at the destination")
        for item in items {
            #expect(
                try SamplePhotos.sum(of: remote.appending(path: item.remoteName)) == item.sha256,
                "[loss] wrong photo content")
        }
    }

    @Test func `skips the same photo and adds a suffix to a different photo's name`() async throws {
        let server = try await SSHServer()
        try await server.start()
        let photos = try SamplePhotos()
        defer { photos.remove() }
        let destination = SFTPDestination(server.settings())
        let first = try photos.item("a.jpg", bytes: 70_000, job: 1)
        #expect(try await destination.upload(first) { _ in }.alreadyExisted == false)
        let again = try await destination.upload(first) { _ in }
        #expect(again.alreadyExisted)
        #expect(again.remoteName == "a.jpg")
        // The photo has the same size as the first photo, like RAW files of one camera.
        let other = try photos.item("a.jpg", bytes: 70_000, job: 2)
        #expect(try await destination.upload(other) { _ in }.remoteName == "a-2.jpg")
        let third = try photos.item("a.jpg", bytes: 1_000, job: 3)
        #expect(try await destination.upload(third) { _ in }.remoteName == "a-3.jpg")
        await destination.close()
        let remote = server.home.appending(path: "photos")
        #expect(
            try SamplePhotos.names(in: remote) == ["a.jpg", "a-2.jpg", "a-3.jpg"],
            "[loss] wrong files at the destination")
        #expect(
            try SamplePhotos.sum(of: remote.appending(path: "a.jpg")) == first.sha256,
            "[loss] wrong photo content")
    }

    @Test(.nightly("in the gate, other tests upload larger files")) func `uploads an empty file by SFTP`()
        async throws
    {
        let server = try await SSHServer()
        try await server.start()
        let photos = try SamplePhotos()
        defer { photos.remove() }
        let destination = SFTPDestination(server.settings())
        let empty = try photos.item("empty.jpg", bytes: 0, job: 1)
        #expect(try await destination.upload(empty) { _ in }.evidence == "size 0")
        await destination.close()
    }

    @Test(
        arguments: Tier.rows(
            [SFTPSettings.Verification.readBack, .command("sha256sum")], gate: [.command("sha256sum")]))
    func `verifies the remote bytes by reading back or by command`(verification: SFTPSettings.Verification)
        async throws
    {
        let server = try await SSHServer()
        try await server.start()
        let photos = try SamplePhotos()
        defer { photos.remove() }
        var settings = server.settings()
        settings.verification = verification
        let destination = SFTPDestination(settings)
        let item = try photos.item("it's $(id) back\\slash.jpg", bytes: 3_000_000, job: 1)
        #expect(try await destination.upload(item) { _ in }.proof == .checksum)
        await destination.close()
    }

    @Test(.nightly("in the gate, FTPDestinationTests calls probe and test"))
    func `leaves no files after a test of an SFTP destination`()
        async throws
    {
        let server = try await SSHServer()
        try await server.start()
        let destination = SFTPDestination(server.settings())
        try await destination.test()
        try await destination.probe()
        await destination.close()
        #expect(try SamplePhotos.names(in: server.home) == [], "[loss] wrong files at the destination")
    }

    @Test(.nightly("measures throughput")) func `shares the bandwidth limit among SFTP uploads`() async throws
    {
        let server = try await SSHServer()
        try await server.start()
        let photos = try SamplePhotos()
        defer { photos.remove() }
        var settings = server.settings()
        settings.bytesPerSecondMax = 1_000_000
        let destination = SFTPDestination(settings)
        let items = try (1...4).map { try photos.item("\($0).jpg", bytes: 400_000, job: $0) }
        let took = try await ContinuousClock().measure {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for item in items { group.addTask { _ = try await destination.upload(item) { _ in } } }
                try await group.waitForAll()
            }
        }
        // The limit lets the first 0.25 MB of the 1.6 MB pass at once (`TokenBucket.burstSeconds`).
        #expect(took > .milliseconds(1_100))
        await destination.close()
    }
}
