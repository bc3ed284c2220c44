import Crypto
import Foundation
import FrameFastModel
import TestRig
import Testing

@testable import UploadDestinations
@testable import UploadEngine

extension LoopbackServerTests {
    /// Two computers with one configuration and one place: the same names, sizes and numbers of jobs.
    @Suite struct SidecarTests {
        let scratch: ScratchFolder

        init() throws { scratch = try ScratchFolder() }

        private static let hosts: [(station: String, host: FleetHostName)] = [
            ("k7f2q9wd", "rig-a"), ("3hc8x2mz", "rig-b"),
        ]

        @Test(arguments: Place.Kind.shared)
        func `each photo of both has its own sidecar beside it`(kind: Place.Kind) async throws {
            let place = try await Place(kind, in: scratch)
            var delivered: [(item: UploadItem, receipt: UploadReceipt)] = []
            var sidecars: [String: PhotoSidecar] = [:]
            for (station, host) in Self.hosts {
                let photos = try TestPhotos(
                    4, bytes: 20_000, names: ["IMG_N.JPG"], folders: ["day 1"], areEqualInSize: true,
                    in: scratch
                ).items.map { $0.of(station: station) }
                let destination = SidecarDestination(try place.destination(), host: host)
                let receipts = try await destination.uploadAll(photos)
                await destination.close()
                delivered += zip(photos, receipts).map { ($0, $1) }
                for (photo, receipt) in zip(photos, receipts) {
                    sidecars[receipt.remoteName + ".json"] = PhotoSidecar(photo, as: receipt, host: host)
                }
            }
            #expect(sidecars.count == 8)
            let sums = try sidecars.mapValues { Hex.text(SHA256.hash(data: try $0.json)) }
            try await place.expectExactly(delivered, besides: sums)
            let there = try await place.files()
            #expect(sums.allSatisfy { there[$0.key] == $0.value })
        }
    }
}
