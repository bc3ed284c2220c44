import Foundation
import TestRig
import Testing
import UploadEngine

@testable import UploadDestinations

extension LoopbackServerTests {
    /// Tests that the failure of a refused upload has the right kind, a sentence and a next step.
    @Suite(.programs(3)) struct RefusalTests {
        private static let outage = UploadFailure.Kind.outage(retryAfterSeconds: nil)

        let scratch: ScratchFolder

        init() throws { scratch = try ScratchFolder() }

        @Test(arguments: Tier.rows(DestinationServer.Kind.onNetwork, gate: [.put, .sftp]))
        func `reports kind and next step for each refusal and leaves no file`(kind: DestinationServer.Kind)
            async throws
        {
            let place = try await DestinationServer(kind, in: scratch)
            let photo = try TestPhotos.one(bytes: 50_000, in: scratch)
            func expect(_ wanted: UploadFailure.Kind, _ what: String, _ options: DestinationServer.Options)
                async throws
            {
                let destination = try place.destination(options)
                expectFailure(await destination.failure(photo), wanted, what)
                await destination.close()
            }
            try await expect(Self.outage, "unknown name", .init(host: "nas.invalid"))
            let closed = try ReservedPorts()
            try await expect(Self.outage, "closed port", .init(port: closed.first))
            if let ssh = place.sshServer {
                try await ssh.makeKey("other_key")
                let key = ssh.folder.path + "/other_key"
                try await expect(.permanent(.unauthorised), "wrong key", .init(secret: key))
                try ssh.writeKnownHosts(key: "other_key")
                try await expect(.permanent(.untrusted), "changed host key", .init())
                try ssh.writeKnownHosts(key: "host_key")
            } else if kind != .form {
                try await expect(.permanent(.unauthorised), "wrong password", .init(secret: "wrong"))
            }
            if DestinationServer.Kind.overHTTP.contains(kind) {
                let proxy = try await place.faulty(.slow, after: 10_000_000, certificate: "expired")
                try await expect(
                    .permanent(.untrusted), "expired certificate", .init(port: proxy.port, tls: true))
                // rclone itself waits several times if the server requests a delay. RcloneTests has the table
                // of its messages.
                for status in kind == .rcloneS3 ? [503] : [429, 500, 503] {
                    let proxy = try await place.faulty(.status, after: status, times: 1_000)
                    let wait: Double? = kind == .rcloneS3 ? nil : 7
                    try await expect(
                        .outage(retryAfterSeconds: wait), "status \(status)", .init(port: proxy.port))
                }
            }
            #expect(try await place.files() == [:], "[loss] wrong files at the destination")
            let destination = try place.destination()
            let receipt = try await destination.upload(photo)
            await destination.close()
            try await place.expectExactly([(photo, receipt)])
        }

        @Test(
            arguments: Tier.rows(
                DestinationServer.Kind.all.filter { $0 == .ftps || $0 == .vsftpd }, gate: [.ftps]))
        func `rejects the expired certificate of an FTP server`(kind: DestinationServer.Kind) async throws {
            let place = try await DestinationServer(kind, in: scratch, certificate: "expired")
            let photo = try TestPhotos.one(bytes: 5_000, in: scratch)
            let failure = try await place.destination().failure(photo)
            expectFailure(failure, .permanent(.untrusted), "expired certificate")
            #expect(try await place.files() == [:], "[loss] wrong files at the destination")
        }

        @Test(
            .enabled(if: SmallDisk.isPossible, "mounting needs root"),
            arguments: Tier.rows(
                DestinationServer.Kind.onNetwork.filter { ![.seaweed, .moto, .form].contains($0) },
                gate: [.nginx]))
        func `retries after a full server has free space again`(kind: DestinationServer.Kind) async throws {
            let place = try await DestinationServer(kind, in: scratch, diskOptions: "size=4m,mode=777")
            let photos = try TestPhotos(2, bytes: 400_000, in: scratch).items
            let destination = try place.destination()
            let first = try await destination.upload(photos[0])
            let disk = try #require(place.disk)
            try disk.fill()
            // Some servers report a full disk, some report only a failure, and pyftpdlib reports an aborted
            // transfer. In each case, the photo waits.
            let full = await destination.failure(photos[1])
            let wanted: UploadFailure.Kind =
                kind == .ftp ? .transient : full?.kind == Self.outage ? Self.outage : .permanent(.full)
            expectFailure(full, wanted, "full")
            let names = try await place.files()
            #expect(names[photos[1].remoteName] == nil, "no file under its name")
            disk.remove()
            let second = try await destination.uploadUntilDone(photos[1], Memory())
            await destination.close()
            try await place.expectExactly([(photos[0], first), (photos[1], second)])
        }
    }
}
