import Foundation
import TestRig
import Testing
import UploadEngine

@testable import UploadDestinations

extension LoopbackServerTests {
    /// Two stations (computers with FrameFast) with the same configuration and destination. Their photos have
    /// equal names, sizes and job numbers, but different bytes.
    @Suite(.programs(4)) struct TwoStationsTests {
        /// The number of photos for each station and kind. For a long run, set
        /// `FRAMEFAST_STATION_PHOTOS=200`.
        private static let photos =
            ProcessInfo.processInfo.environment["FRAMEFAST_STATION_PHOTOS"].flatMap(Int.init) ?? 20

        /// All combinations of kinds and lines. A folder has no connection, and is tested only with
        /// `loopback`.
        private static let cases = DestinationServer.Kind.shared.flatMap { kind in
            Line.allCases.filter { kind != .directory || $0 == .loopback }.map { (kind, $0) }
        }

        let scratch: ScratchFolder

        init() throws { scratch = try ScratchFolder() }

        /// The connection between the stations and the server.
        enum Line: String, CaseIterable, CustomTestStringConvertible {
            /// No fault.
            case loopback
            /// No fault. The round-trip time is 30 ms.
            case far
            /// The server is down during the first attempt of both stations.
            case outage
            /// Connections break during transfers.
            case broken

            var testDescription: String { rawValue }
        }

        @Test(
            .timeLimit(.minutes(30)),
            arguments: Tier.rows(Self.cases, gate: [(.directory, .loopback), (.put, .broken)]))
        func `uploads each photo of two stations completely and once`(
            kind: DestinationServer.Kind, line: Line
        ) async throws {
            let place = try await DestinationServer(kind, in: scratch)
            let stations = try ["k7f2q9wd", "3hc8x2mz"].map { station in
                try TestPhotos(
                    Self.photos, bytes: 20_000, names: ["IMG_N.JPG"], folders: ["day 1"],
                    areEqualInSize: true,
                    in: scratch
                ).items.map { $0.of(station: station) }
            }
            var options = DestinationServer.Options()
            var proxy: TestServer?
            switch line {
            case .loopback, .outage: break
            case .far: proxy = try await place.faulty(.delay, after: 30)
            case .broken: proxy = try await place.faulty(.reset, after: 100_000, times: 12)
            }
            options.port = proxy?.port
            let destinations = try stations.map { _ in try place.destination(options) }
            if line == .outage {
                try await place.kill()
                for (destination, photos) in zip(destinations, stations) {
                    #expect(await destination.failure(photos[0]).isTriedAgain)
                }
                try await place.restart()
            }
            async let first = destinations[0].uploadAll(stations[0], atOnce: 16, attempts: 60)
            async let second = destinations[1].uploadAll(stations[1], atOnce: 16, attempts: 60)
            let receipts = try await (first, second)
            for destination in destinations { await destination.close() }
            try await place.expectExactly(
                Array(zip(stations[0], receipts.0)) + Array(zip(stations[1], receipts.1)))
            _ = proxy
        }

        /// A photo has the requested name if the server refuses to overwrite files, or if a template chose
        /// the name. Here, a template chose only the second photo's name, because `of(station:)` marks the
        /// first photo's name as not chosen.
        @Test(arguments: Tier.rows(DestinationServer.Kind.shared, gate: [.nginx, .ftp]))
        func `uses unique names on overwriting servers unless a template chose the name`(
            kind: DestinationServer.Kind
        ) async throws {
            let place = try await DestinationServer(kind, in: scratch)
            let photos = try TestPhotos(2, bytes: 5_000, names: ["IMG_N.JPG"], folders: [""], in: scratch)
                .items
            let own = photos[0].of(station: "k7f2q9wd")
            let destination = try place.destination()
            let receipts = try await (destination.upload(own), destination.upload(photos[1]))
            let replaces: Set<DestinationServer.Kind> = [
                .s3OnDisk, .put, .ftp, .ftps, .vsftpd, .rclone, .rcloneS3,
            ]
            #expect(receipts.0.remoteName == (replaces.contains(kind) ? RemoteName.unique(own) : "IMG_0.JPG"))
            #expect(receipts.1.remoteName == "IMG_1.JPG")
            let known = await destination.replacesTakenNames()
            #expect(known == (kind == .directory ? nil : replaces.contains(kind)))
            await destination.close()
            try await place.expectExactly(Array(zip([own, photos[1]], [receipts.0, receipts.1])))
        }
    }
}
