import Foundation
import FrameFastModel
import GRDB
import TestRig
import Testing

@testable import Store

/// Which histories of manifests go where, and when.
@Suite struct ManifestUploadTests {
    private static let now = Date(timeIntervalSince1970: 1_795_271_130)
    private let scratch: ScratchFolder
    private let ledger: LedgerStore

    init() throws {
        scratch = try ScratchFolder()
        ledger = try LedgerStore(path: scratch.path("ledger.sqlite"))
    }

    /// Saves a photo, which lies in `/photos`.
    private func save(_ name: String) async throws -> Photo {
        let id = try await ledger.savePhoto(name, seenAt: Self.now, savedAt: Self.now).id
        return try #require(
            try await ledger.unplannedUploads(limit: 1_000).first { $0.photo.id == id }?.photo)
    }

    private func plan(_ photo: Photo, to destination: DestinationName, as name: String? = nil) async throws {
        let below = try #require(photo.record.path(below: "/photos"))
        _ = try await ledger.planUploads(
            [
                (
                    photo,
                    [
                        UploadPlan(
                            destination: destination, verdict: .queued(priority: 0),
                            remoteName: name ?? "Wedding é/" + below)
                    ]
                )
            ], at: Self.now)
    }

    private func seal(_ photos: [Photo], _ generation: Int, in folder: String = "/photos") async throws {
        try await ledger.beginSealing(of: folder)
        try await ledger.enter(
            .init(number: generation, name: "\(generation).mhl", c4: "c4\(generation)"), of: folder,
            paths: photos.compactMap(\.record.path))
    }

    private func deliver(_ destination: DestinationName) async throws {
        while true {
            let claimed = try await ledger.settle(
                [], claiming: .init(destination: destination, limit: 9, order: .capture), at: Self.now
            ).claimed
            guard !claimed.isEmpty else { return }
            _ = try await ledger.settle(
                claimed.map {
                    .init(
                        jobID: $0.job.id,
                        event: .delivered(
                            .init(remoteName: "a", proof: "size", evidence: "", wasThere: false), at: Self.now
                        ))
                }, claiming: nil, at: Self.now)
        }
    }

    private func due(_ destination: DestinationName = "nas", at date: Date = now) async throws
        -> ManifestUpload?
    {
        try await ledger.manifestUploadDue(destination: destination, at: date).due
    }

    @Test func `a history goes where its photos go, after them, and again with each generation`() async throws
    {
        let (one, two) = (try await save("A.JPG"), try await save("B.JPG"))
        try await plan(one, to: "nas")
        try await seal([one, two], 1)
        // The one is on its way, the other is not planned.
        #expect(try await due() == nil)
        try await deliver("nas")
        #expect(try await due() == nil)
        try await plan(two, to: "nas")
        #expect(try await due() == nil)
        try await deliver("nas")
        let first = try #require(try await due())
        #expect(first.remoteFolder == "Wedding é/" && first.generation == 0 && first.newest == 1)
        #expect(!first.hasChain)
        #expect(try await due("cloud") == nil)
        try await ledger.beginChain(of: first)
        try await ledger.manifestsDelivered(first, upTo: 1)
        #expect(try await due() == nil)
        let three = try await save("C.JPG")
        try await plan(three, to: "nas")
        // What is not sealed keeps no history back.
        #expect(try await due() == nil)
        try await deliver("nas")
        try await seal([three], 2)
        let second = try #require(try await due())
        #expect(second.generation == 1 && second.newest == 2 && second.hasChain)
    }

    @Test func `photos that are planned after they were sealed bring their history along`() async throws {
        let photo = try await save("A.JPG")
        try await seal([photo], 1)
        try await seal([], 2)
        try await plan(photo, to: "nas")
        try await deliver("nas")
        #expect(try await due()?.newest == 2)
        #expect(try await ledger.manifestUploads(destination: "nas").map(\.folder) == ["/photos"])
    }

    @Test func `where photos have names of their own no history goes`() async throws {
        let photo = try await save("A.JPG")
        let name = try #require(photo.record.path(below: "/photos"))
        try await plan(photo, to: "flat", as: "2026-\(name)")
        try await plan(photo, to: "other", as: "else.jpg")
        try await plan(photo, to: "top", as: name)
        try await seal([photo], 1)
        for place: DestinationName in ["flat", "other", "top"] { try await deliver(place) }
        #expect(try await due("flat") == nil)
        #expect(try await due("other") == nil)
        #expect(try await due("top")?.remoteFolder == "")
    }

    @Test func `what failed waits, by hand it goes at once, and another's chain is never ours`() async throws
    {
        let photo = try await save("A.JPG")
        try await plan(photo, to: "nas")
        try await seal([photo], 1)
        try await deliver("nas")
        let first = try #require(try await due())
        try await ledger.beginChain(of: first)
        try await ledger.manifestsFailed(
            first, sentence: "It is taken.", nextStep: "Move it.", next: Self.now + 60, isChainForeign: true)
        #expect(try await due() == nil)
        #expect(try await ledger.manifestUploadDue(destination: "nas", at: Self.now).later == Self.now + 60)
        let waiting = try #require(try await ledger.manifestUploads(destination: "nas").first)
        #expect(waiting.failures == 1 && !waiting.hasChain && waiting.state == .retrying)
        try await ledger.retryManifestUploads(destination: "cloud")
        #expect(try await due() == nil)
        #expect(try await due(at: Self.now + 60) != nil)
        // The clock was set back by a year.
        #expect(try await due(at: Self.now - 31_536_000) != nil)
        try await ledger.retryManifestUploads(destination: nil)
        #expect(try await due() != nil)
    }

    @Test func `a history that began anew is sent from its first generation, over the chain of ours`()
        async throws
    {
        let photo = try await save("A.JPG")
        try await plan(photo, to: "nas")
        try await seal([photo], 1)
        try await deliver("nas")
        try await ledger.manifestsDelivered(try #require(try await due()), upTo: 1)
        try await ledger.forgetGenerations(of: "/photos")
        #expect(try await due() == nil)
        try await seal([photo], 1)
        let again = try #require(try await due())
        #expect(again.generation == 0 && again.newest == 1 && again.hasChain)
    }

    @Test func `a start looks at what was being sealed, and not at photos`() async throws {
        let photo = try await save("A.JPG")
        try await ledger.beginSealing(of: "/photos")
        #expect(try await ledger.sealingsBegun() == ["/photos"])
        try await seal([photo], 1)
        #expect(try await ledger.sealingsBegun() == [])
        let plan = try await ledger.read { db in
            try Row.fetchAll(db, sql: "EXPLAIN QUERY PLAN " + LedgerStore.sealingsBegunSQL).map {
                $0["detail"] as String
            }
        }
        #expect(plan == ["SCAN sealing"], "\(plan)")
    }

    @Test func `a look for histories asks photos only of folders that are not there yet`() async throws {
        let plan = try await ledger.read { db in
            try Row.fetchAll(
                db, sql: "EXPLAIN QUERY PLAN " + LedgerStore.manifestDueSQL,
                arguments: ["destination": "nas", "now": 0, "latest": 0]
            ).map { $0["detail"] as String }
        }
        #expect(plan.first?.contains("manifest_upload_open") == true, "\(plan)")
        #expect(plan.contains { $0.contains("path>") } && !plan.contains { $0.contains("SCAN") }, "\(plan)")
    }
}
