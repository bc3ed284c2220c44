import Foundation
import FrameFastModel
import Glibc
import TestRig
import Testing
import UploadEngine

@testable import UploadDestinations

/// A separate rclone configuration for one test.
struct RcloneHome {
    static let program = "/usr/bin/rclone"
    static let isInstalled = access(program, X_OK) == 0

    let folder: URL
    var store: URL { folder.appending(path: "store") }

    init(_ sections: String = "") throws {
        folder = FileManager.default.temporaryDirectory.appending(
            path: "ffrclone-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(
            at: folder.appending(path: "store"), withIntermediateDirectories: true)
        try Data("[disk]\ntype = local\n\(sections)\n".utf8).write(to: folder.appending(path: "rclone.conf"))
    }

    func remove() { try? FileManager.default.removeItem(at: folder) }

    func settings(remote: String = "disk", folder: String? = nil) -> RcloneSettings {
        RcloneSettings(
            name: "cloud", remote: remote, folder: folder ?? store.path,
            configFile: self.folder.path + "/rclone.conf", stallSeconds: 30)
    }
}

@Suite(
    .programs(3), .enabled(if: RcloneHome.isInstalled, "needs rclone"), .serialized, .timeLimit(.minutes(30)))
struct RcloneTests {
    static func uploadAll(_ items: [UploadItem], to destination: RcloneDestination) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (index, item) in items.enumerated() {
                if index >= 4 { try await group.next() }
                group.addTask {
                    let receipt = try await destination.upload(item) { _ in }
                    #expect(receipt.remoteName == item.remoteName)
                }
            }
            try await group.waitForAll()
        }
    }

    @Test(.nightly("in the gate, another test of this suite uploads twenty photos"))
    func `uploads 200 photos with unusual names by rclone and verifies their checksums`() async throws {
        let home = try RcloneHome()
        let photos = try SamplePhotos()
        defer {
            home.remove()
            photos.remove()
        }
        let items = try (0..<200).map { index in
            let name = SamplePhotos.oddNames[index % SamplePhotos.oddNames.count]
            return try photos.item("set \(index / 25)/\(name)", bytes: 50_000 + index, job: Int64(index + 1))
        }
        let destination = RcloneDestination(home.settings())
        let took = try await ContinuousClock().measure { try await Self.uploadAll(items, to: destination) }
        print("200 photos of 50 KB by rclone in \(took)")
        let again = try await destination.upload(items[3]) { _ in }
        #expect(again.alreadyExisted)
        #expect(again.evidence == "sha256 \(items[3].sha256)", "[loss] wrong checksum in the receipt")
        var other = try photos.item(items[3].remoteName, bytes: 50_003, job: 900)
        #expect(try await destination.upload(other) { _ in }.remoteName.hasSuffix("-2.jpg"))
        other.remoteName = "x.jpg"
        try await destination.test()
        await destination.close()
        let names = try SamplePhotos.names(in: home.store)
        #expect(names.count == 201)
        #expect(names.isSuperset(of: items.map(\.remoteName)))
        for item in items {
            #expect(
                try SamplePhotos.sum(of: home.store.appending(path: item.remoteName)) == item.sha256,
                "[loss] wrong photo content")
        }
    }

    @Test(.enabled(if: SSHServer.isInstalled, "needs openssh-server"))
    func `uploads to an SFTP remote and reports an outage when it stops`() async throws {
        let server = try await SSHServer()
        try await server.start(subsystem: "internal-sftp")
        let home = try RcloneHome(
            """
            [nas]
            type = sftp
            host = 127.0.0.1
            port = \(server.port)
            user = \(NSUserName())
            key_file = \(server.folder.path)/user_key
            shell_type = none
            """)
        let photos = try SamplePhotos()
        defer {
            home.remove()
            photos.remove()
        }
        let destination = RcloneDestination(home.settings(remote: "nas", folder: server.home.path))
        let items = try (1...20).map { try photos.item("\($0) ü.jpg", bytes: 100_000, job: $0) }
        try await Self.uploadAll(items, to: destination)
        #expect(
            try SamplePhotos.names(in: server.home) == Set(items.map(\.remoteName)),
            "[loss] wrong files at the destination")
        server.stop()
        let item = try photos.item("late.jpg", bytes: 100_000, job: 50)
        let failure = await #expect(throws: UploadFailure.self) {
            try await destination.upload(item) { _ in }
        }
        #expect(failure?.kind == .outage(retryAfterSeconds: nil), "\(String(describing: failure))")
        await destination.close()
    }

    @Test(arguments: Tier.rows(ModificationTimeTests.times, gate: [946_684_799]))
    func `sets the capture time as modification time at an rclone remote`(seconds: Int64) async throws {
        let home = try RcloneHome()
        let photos = try SamplePhotos()
        defer {
            home.remove()
            photos.remove()
        }
        let item = try photos.item("day 1/a ü.jpg", bytes: 50_000, job: 1)
        try ModificationTimeTests.setTime(seconds, of: item)
        let destination = RcloneDestination(home.settings())
        let receipt = try await destination.upload(item) { _ in }
        let copy = home.store.appending(path: receipt.remoteName)
        #expect(try ModificationTimeTests.time(ofFile: copy.path) == seconds)
        #expect(try SamplePhotos.sum(of: copy) == item.sha256, "[loss] wrong photo content")
        await destination.close()
    }

    @Test func `closing the destination stops rclone`() async throws {
        let home = try RcloneHome()
        defer { home.remove() }
        let destination = RcloneDestination(home.settings())
        try await destination.probe()
        #expect(Self.daemons(home).count == 1)
        await destination.close()
        #expect(Self.daemons(home).isEmpty)
    }

    @Test(.nightly("measures an idle time of one second"))
    func `stops an idle rclone and restarts it for the next request`() async throws {
        let home = try RcloneHome()
        defer { home.remove() }
        var settings = home.settings()
        settings.idleSeconds = 1
        let destination = RcloneDestination(settings)
        try await destination.probe()
        #expect(Self.daemons(home).count == 1)
        for _ in 0..<200 where !Self.daemons(home).isEmpty { try await Task.sleep(for: .milliseconds(50)) }
        #expect(Self.daemons(home).isEmpty)
        try await destination.probe()
        #expect(Self.daemons(home).count == 1)
        await destination.close()
        #expect(Self.daemons(home).isEmpty)
    }

    /// Returns the ids of the processes that use this configuration.
    static func daemons(_ home: RcloneHome) -> [pid_t] {
        let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return processes.compactMap { pid_t($0) }.filter { pid in
            guard let data = FileManager.default.contents(atPath: "/proc/\(pid)/cmdline") else {
                return false
            }
            return String(decoding: data, as: UTF8.self).contains(home.folder.path + "/rclone.conf")
        }
    }

    @Test(.nightly("measures throughput")) func `limits rclone to the bandwidth of the destination`()
        async throws
    {
        let home = try RcloneHome()
        let photos = try SamplePhotos()
        defer {
            home.remove()
            photos.remove()
        }
        var settings = home.settings()
        settings.bytesPerSecond = 1_000_000
        let destination = RcloneDestination(settings)
        let items = try (1...2).map { try photos.item("\($0).jpg", bytes: 1_500_000, job: Int64($0)) }
        let took = try await ContinuousClock().measure { try await Self.uploadAll(items, to: destination) }
        #expect(took > .seconds(1.5))
        await destination.close()
    }

    @Test(
        arguments: Tier.rows(["nowhere", ":local", "disk,copy_links=true", "-disk", ""], gate: [":local"]))
    func `refuses remotes that are missing from the rclone configuration`(remote: String) async throws {
        let home = try RcloneHome()
        defer { home.remove() }
        let destination = RcloneDestination(home.settings(remote: remote))
        let failure = await #expect(throws: UploadFailure.self) { try await destination.probe() }
        #expect(failure?.kind == .permanent(.misconfigured))
        await destination.close()
    }

    @Test(.nightly("in the gate, RefusalTests covers a full disk"))
    func `reports a full remote and leaves no file under the final name`() async throws {
        try #require(getuid() == 0, "needs root to mount")
        let home = try RcloneHome()
        let photos = try SamplePhotos()
        let mounted = mount("ff", home.store.path, "tmpfs", 0, "size=2m")
        try #require(mounted == 0)
        defer {
            umount2(home.store.path, Int32(MNT_DETACH))
            home.remove()
            photos.remove()
        }
        let destination = RcloneDestination(home.settings())
        let item = try photos.item("big.raf", bytes: 4_000_000, job: 1)
        let failure = await #expect(throws: UploadFailure.self) {
            try await destination.upload(item) { _ in }
        }
        #expect(failure?.kind == .permanent(.full), "\(String(describing: failure))")
        #expect(failure?.sentence.contains("full") == true)
        #expect(
            try !SamplePhotos.names(in: home.store).contains("big.raf"),
            "[loss] wrong files at the destination")
        await destination.close()
    }

    /// Google Drive keeps the type that rclone derives from the first name of a file.
    @Test(
        arguments: [
            (["Move": true, "WriteMimeType": true], .hidden, .photo),
            (["Move": true, "WriteMimeType": true], .bare, .photo),
            (["Move": true, "WriteMimeType": true], .final, .final),
            (["Move": true, "WriteMimeType": false], .hidden, .hidden), (["Move": true], .plain, .plain),
        ] as [([String: Bool], TemporaryName, TemporaryName)])
    func `temporary names have the photo's extension at remotes that store file types`(
        features: [String: Bool], tested: TemporaryName, expected: TemporaryName
    ) {
        let plan = RcloneDestination.plan(TransferPlan(temporaryName: tested), features: features)
        #expect(plan.temporaryName == expected)
    }

    @Test(
        arguments: [
            ("dial tcp: lookup x.invalid: no such host", UploadFailure.Kind.outage(retryAfterSeconds: nil)),
            ("ssh: handshake failed: knownhosts: key mismatch", .permanent(.untrusted)),
            ("couldn't fetch token: invalid_grant", .permanent(.unauthorised)),
            ("AccessDenied: Access Denied", .permanent(.forbidden)), ("something else", .transient),
            ("cannot read IMG_403.JPG", .transient),
            ("HTTP error 403 (403 Forbidden) returned body", .permanent(.forbidden)),
            (
                "write tcp 127.0.0.1:40324->127.0.0.1:40100: broken pipe", .outage(retryAfterSeconds: nil)
            ),
            (
                "InternalError: Internal Error status code: 500, request id: D5",
                .outage(retryAfterSeconds: nil)
            ),
            ("HTTP error 401 returned body", .permanent(.unauthorised)),
            ("update: 507 of the server", .permanent(.full)), ("STOR: 530 No.", .permanent(.unauthorised)),
            ("got 413 from the gateway", .permanent(.tooLarge)),
            ("HTTP error 503", .outage(retryAfterSeconds: nil)),
            ("TooManyRequests: status code: 429, request id: D5", .outage(retryAfterSeconds: 30)),
        ])
    func `maps rclone error messages to failure kinds`(text: String, kind: UploadFailure.Kind) {
        #expect(RcloneFailureMapping.failure(text, at: .send, name: nil).kind == kind)
    }
}
