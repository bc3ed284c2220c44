import Foundation
import FrameFastModel
import Synchronization
import TestRig
import Testing
import UploadEngine

@testable import UploadDestinations

extension LoopbackServerTests {
    @Suite(
        .programs(4),
        .nightly("sends hundreds of photos; S3DestinationTests and FTPDestinationTests send fewer"))
    struct ManyPhotosTests {
        let scratch: ScratchFolder

        init() throws { scratch = try ScratchFolder() }

        @Test(arguments: DestinationServer.Kind.all)
        func `uploads 500 photos with unusual names completely and only once`(kind: DestinationServer.Kind)
            async throws
        {
            let place = try await DestinationServer(kind, in: scratch)
            let photos = try TestPhotos(500, bytes: 10_000, in: scratch)
            let destination = try place.destination()
            let receipts = try await destination.uploadAll(photos.items)
            await destination.close()
            let proofs: Set<UploadReceipt.Proof> =
                switch kind {
                case .form, .command: [.word]
                case .ftps, .vsftpd, .sftp, .rclone: [.size]
                default: [.checksum]
                }
            #expect(Set(receipts.map(\.proof)) == proofs)
            try await place.expectExactly(Array(zip(photos.items, receipts)))
        }

        /// The kinds that detect changed bytes. Their servers send checksums, or FrameFast reads the copy
        /// back because the connection is not encrypted.
        @Test(arguments: [DestinationServer.Kind.seaweed, .nginx, .put, .ftp])
        func `detects changed bytes in 1000 photos over a noisy connection`(kind: DestinationServer.Kind)
            async throws
        {
            let place = try await DestinationServer(kind, in: scratch)
            try await place.destination().test()
            let proxy = try await place.faulty(.noise, after: 3_000, times: 4)
            let photos = try TestPhotos(1_000, bytes: 5_000, in: scratch)
            let noticed = Mutex(0)
            let destination = try place.destination(.init(port: proxy.port))
            let receipts = try await destination.uploadAll(photos.items, attempts: 30) { failure in
                #expect(failure.kind == .transient, "\(failure.sentence)")
                noticed.withLock { $0 += 1 }
            }
            #expect(noticed.withLock { $0 } > 200)
            try await place.expectExactly(Array(zip(photos.items, receipts)))
        }
    }
}
