import Foundation
import FrameFastModel
import TestRig
import Testing

@testable import UploadDestinations
@testable import UploadEngine

extension LoopbackServerTests {
    @Suite(.programs(4)) struct BrokenLineTests {
        private static let bytes = 400_000

        let scratch: ScratchFolder

        init() throws { scratch = try ScratchFolder() }

        /// The faults, with the offset in bytes at which each fault occurs.
        private static let breaks: [(fault: TestServer.Fault, bytes: Int)] =
            (1...9).map { (.reset, bytes / 10 * $0) }
            // The server receives the bytes, but its response to the photo or a later response is lost.
            + [99, 100, 101, 102].map { (.mute, bytes + ($0 - 100) * 400) }

        @Test(arguments: Tier.rows(DestinationServer.Kind.onNetwork, gate: [.put, .ftps, .sftp]))
        func `delivers a photo once after a connection breaks at any offset`(kind: DestinationServer.Kind)
            async throws
        {
            let place = try await DestinationServer(kind, in: scratch)
            try await place.destination().test()
            var delivered: [(UploadItem, UploadReceipt)] = []
            let before = try await place.files()
            var failures = 0
            for (number, (fault, bytes)) in Self.breaks.enumerated() {
                var photo = try TestPhotos.one(
                    bytes: Self.bytes, name: "\(fault) \(number) #1.JPG", in: scratch)
                photo.jobID = JobID(rawValue: Int64(number))
                // libcurl itself repeats a request if a reused connection is dead.
                let times = DestinationServer.Kind.overHTTP.contains(kind) ? 2 : 1
                let proxy = try await place.faulty(fault, after: bytes, times: times)
                let destination = try place.destination(.init(port: proxy.port))
                let memory = Memory()
                let failure = await destination.failure(memory.attempt(photo))
                #expect(failure.isTriedAgain, "\(fault) \(bytes): \(failure?.sentence ?? "")")
                if failure != nil {
                    failures += 1
                    let sum = try await place.files()[photo.remoteName]
                    #expect(
                        sum == nil || sum == photo.sha256, "[loss] \(fault) \(bytes): a part under its name")
                }
                let receipt = try await destination.uploadUntilDone(photo, memory)
                #expect(receipt.remoteName == photo.remoteName, "[loss] \(fault) \(bytes): doubled")
                delivered.append((photo, receipt))
                await destination.close()
            }
            #expect(failures >= 9, "the line broke \(failures) times")
            try await place.expectExactly(delivered, besides: before)
        }

        @Test(
            arguments: Tier.rows(
                DestinationServer.Kind.onNetwork.filter { $0 != .moto }, gate: [.nginx, .ftp]))
        func `delivers a photo once after the server is killed mid-transfer`(kind: DestinationServer.Kind)
            async throws
        {
            let place = try await DestinationServer(kind, in: scratch)
            try await place.destination().test()
            let before = try await place.files()
            let photo = try TestPhotos.one(bytes: Self.bytes, in: scratch)
            let proxy = try await place.faulty(.stall, after: Self.bytes / 2)
            let destination = try place.destination(.init(port: proxy.port, stallSeconds: 60))
            let memory = Memory()
            async let first = destination.failure(memory.attempt(photo))
            try await eventually("the proxy to report its fault") {
                proxy.output.contains("struck") ? () : nil
            }
            try await place.kill()
            let failure = await first
            #expect(failure != nil && failure.isTriedAgain, "\(failure?.sentence ?? "none")")
            let away = await destination.failure(memory.attempt(photo))
            #expect(
                away != nil && away.isTriedAgain && away?.failedAttempt.nextStep != nil,
                "\(away?.sentence ?? "")")
            try await place.restart()
            #expect(try await place.files()[photo.remoteName] == nil, "[loss] a part under the photo's name")
            let receipt = try await destination.uploadUntilDone(photo, memory)
            #expect(receipt.remoteName == photo.remoteName)
            await destination.close()
            try await place.expectExactly([(photo, receipt)], besides: before)
        }

        @Test(arguments: Tier.rows(DestinationServer.Kind.onNetwork, gate: [.put]))
        func `delivers photos over a slow connection without a timeout`(kind: DestinationServer.Kind)
            async throws
        {
            let place = try await DestinationServer(kind, in: scratch)
            let proxy = try await place.faulty(.slow, after: 200_000)
            let photos = try TestPhotos(2, bytes: 150_000, in: scratch)
            let destination = try place.destination(
                .init(port: proxy.port, stallSeconds: TestLimits.stallSeconds))
            // rclone's S3 server sometimes fails when two files create the same folder.
            let receipts = try await destination.uploadAll(photos.items, atOnce: 1) {
                Issue.record("\(kind): \($0.sentence)")
            }
            await destination.close()
            try await place.expectExactly(Array(zip(photos.items, receipts)))
        }
    }
}
