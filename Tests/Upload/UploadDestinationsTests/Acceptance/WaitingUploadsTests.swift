import Foundation
import FrameFastModel
import Glibc
import Synchronization
import TestRig
import Testing

@testable import UploadDestinations
@testable import UploadEngine

extension LoopbackServerTests {
    /// Photos that wait while a destination refuses uploads, or while their folder is missing. The tests
    /// expect that no photo fails, and that the next step from docs/uploads.md leads to delivery.
    @Suite(.programs(4), .timeLimit(.minutes(30))) struct WaitingUploadsTests {
        let scratch: ScratchFolder

        init() throws { scratch = try ScratchFolder() }

        @Test(
            arguments: Tier.rows(
                [
                    DestinationServer.Kind.seaweed, .moto, .s3OnDisk, .nginx, .wsgidav, .put, .ftp, .ftps,
                    .sftp, .rclone,
                    .rcloneS3,
                ], gate: [.moto]))
        func `delivers waiting photos after correcting a wrong password or key`(kind: DestinationServer.Kind)
            async throws
        {
            let place = try await DestinationServer(kind, in: scratch)
            let uploads = try await WaitingUploads(in: scratch)
            var wrong = "wrong"
            if let ssh = place.sshServer {
                try await ssh.makeKey("other_key")
                wrong = ssh.folder.path + "/other_key"
            }
            let secret = Mutex<String?>(wrong)
            let (bad, good) = (try place.settings(.init(secret: wrong)), try place.settings(.init()))
            let destination = try RenewedDestination { try secret.withLock { $0 } == nil ? good() : bad() }
            try await uploads.running(destination) { service in
                try await eventually("the refusal") { uploads.isRefused() ? () : nil }
                secret.withLock { $0 = nil }
                try await service.resume("place")
                try await uploads.expectAllDelivered(at: place)
            }
        }

        @Test(.nightly("in the gate, another test of this suite corrects a wrong password"))
        func `delivers waiting photos after the missing bucket is created`() async throws {
            let place = try await DestinationServer(.moto, in: scratch)
            let uploads = try await WaitingUploads(in: scratch)
            var settings = try #require(place.s3Settings)
            settings.bucket = "not-there-yet"
            let destination = S3Destination(settings)
            try await uploads.running(destination) { service in
                try await eventually("the refusal") { uploads.isRefused() ? () : nil }
                let condition = try #require(uploads.condition("destination-away"))
                #expect(
                    condition.sentence.contains("refuses")
                        && condition.sentence.contains("no bucket not-there-yet"))
                #expect(condition.nextStep.contains("Create the bucket"))
                _ = try await destination.client.send("PUT", key: nil)
                try await service.resume("place")
                try await uploads.expectAllDelivered()
            }
        }

        /// rclone's WebDAV server reports a full disk with status 405.
        @Test(
            .nightly("in the gate, RefusalTests covers a full disk"),
            .enabled(if: SmallDisk.isPossible, "mounting needs root"),
            arguments: [TestServer.DAVKind.rclone, .nginx, .wsgidav])
        func `delivers waiting photos after a full server has free space`(kind: TestServer.DAVKind)
            async throws
        {
            var made: SmallDisk?
            let server = try await TestServer.webDAV(kind, in: scratch) { folder in
                let small = try SmallDisk(folder.path, options: "size=4m,mode=777")
                try small.fill()
                made = small
            }
            let disk = try #require(made)
            let uploads = try await WaitingUploads(in: scratch)
            let destination = WebDAVDestination(
                WebDAVSettings(
                    url: "http://127.0.0.1:\(server.port)/",
                    credentials: .password(user: "ff", password: Secret("ff")),
                    connection: ConnectionSettings(connectSeconds: TestLimits.connectSeconds, stallSeconds: 8)
                ))
            try await uploads.running(destination) { service in
                try await eventually("the condition") {
                    uploads.condition("destination-away") == nil ? nil : ()
                }
                disk.remove()
                try await service.resume("place")
                try await uploads.expectAllDelivered()
            }
        }

        @Test(
            arguments: Tier.rows(
                [DestinationServer.Kind.directory, .command, .seaweed, .nginx, .ftp, .sftp, .rclone],
                gate: [.sftp]))
        func `delivers waiting photos after their missing folder returns`(kind: DestinationServer.Kind)
            async throws
        {
            let place = try await DestinationServer(kind, in: scratch)
            let uploads = try await WaitingUploads(in: scratch)
            let away = uploads.captures + ".away"
            try FileManager.default.moveItem(atPath: uploads.captures, toPath: away)
            try await uploads.running(try place.destination()) { _ in
                try await eventually("the condition") {
                    uploads.condition("photos-unreadable") == nil ? nil : ()
                }
                let condition = try #require(uploads.condition("photos-unreadable"))
                #expect(condition.sentence.contains("does not exist") && !condition.sentence.contains("full"))
                try FileManager.default.moveItem(atPath: away, toPath: uploads.captures)
                try await uploads.expectAllDelivered(at: place)
            }
        }
    }
}

extension DestinationServer {
    /// Returns a function that creates destinations with these options. Any thread may call it.
    fileprivate func settings(_ options: Options) throws -> @Sendable () throws -> any UploadDestination {
        // Creates the destinations here, because a `DestinationServer` belongs to its test. Each destination
        // is used once.
        let ready = Mutex(try (0..<3).map { _ in try destination(options) })
        return { try #require(ready.withLock { $0.popLast() }) }
    }
}
