import Foundation
import FrameFastModel
import GRDB
import TestRig
import Testing

@testable import Store

/// What the ledger remembers of each photo.
@Suite struct HistoryTests {
    private static let now = Date(timeIntervalSince1970: 1_795_271_130)
    private let scratch: ScratchFolder
    private let ledger: LedgerStore

    init() throws {
        scratch = try ScratchFolder()
        ledger = try LedgerStore(path: scratch.path("ledger.sqlite"))
    }

    private func seen(_ name: String, camera: BodyID = "a") async throws -> CaptureRecord {
        try await ledger.seePhoto(name, camera: camera, bytes: 2_000_000, at: Self.now)
    }

    private func saved(_ name: String, rereads: Bool = false) async throws -> CaptureID {
        try await ledger.savePhoto(
            name, bytes: 2_000_000, transferMs: 400, rereads: rereads, seenAt: Self.now, savedAt: Self.now + 1
        ).id
    }

    private func planned(_ verdict: UploadVerdict = .queued(priority: 0)) async throws -> JobID {
        let photos = try await ledger.unplannedUploads(limit: 10).map(\.photo)
        _ = try await ledger.planUploads(
            photos.map { ($0, [UploadPlan(destination: "nas", verdict: verdict, remoteName: "x")]) },
            at: Self.now)
        return try #require(try await ledger.uploads(UploadFilter(), limit: 1).first).id
    }

    private func claim(at date: Date = Date()) async throws {
        let request = LedgerStore.ClaimRequest(destination: "nas", limit: 1, order: .capture)
        _ = try await ledger.settle([], claiming: request, at: date)
    }

    private func settle(_ job: JobID, _ event: UploadJob.Event) async throws {
        _ = try await ledger.settle([.init(jobID: job, event: event)], claiming: nil, at: Self.now)
    }

    private func told(_ id: CaptureID) async throws -> [String] {
        try await ledger.history(of: id).map { step in
            [step.kind.rawValue, step.outcome, step.by?.rawValue].compactMap(\.self).joined(separator: " ")
        }
    }

    private static let delivery = UploadJob.Delivery(
        remoteName: "x", proof: "size", evidence: "size 2000000", wasThere: false)

    @Test func `a photo is seen and saved, with how long it took and how it was checked`() async throws {
        let id = try await saved("IMG_0001.JPG")
        let steps = try await ledger.history(of: id)
        #expect(steps.map(\.kind) == [.seen, .saved])
        #expect(steps[0].at == Self.now && steps[0].bytes == 2_000_000 && steps[0].bytesPerSecond == nil)
        #expect(steps[1].at == Self.now + 1 && steps[1].seconds == 0.4 && steps[1].outcome == "structure")
        #expect(steps[1].bytesPerSecond == 5_000_000)
        #expect(steps.allSatisfy { $0.by == nil && $0.captureID == id })
        // A photo that is left on the card on request is none.
        let left = CameraObject(folder: "/store/DCIM", name: "OLD.JPG", size: 1, cameraTime: 1)
        let skipped = try await ledger.recordSeen(
            [left], camera: "a", session: nil, at: Self.now, as: .skipped)
        #expect(try await told(try #require(skipped.first).id) == [])
    }

    @Test func `readings that fail, and who wants another one, are on record`() async throws {
        let id = try await seen("IMG_0001.JPG").id
        #expect(try await ledger.countFailure(id: id, failure: "The camera gave no data.") == 1)
        #expect(try await ledger.countFailure(id: id, failure: "The camera gave no data.") == 2)
        try await ledger.setAside(id: id, failure: "It is cut short.")
        try await Asker.$current.withValue(Asker(user: 1000)) {
            _ = try await ledger.tryAgain(id: id)
        }
        // What the service does next is nobody's.
        _ = try await ledger.countFailure(id: id, failure: "The camera gave no data.")
        #expect(
            try await told(id) == [
                "seen", "read_failed", "read_failed", "set_aside", "read_again uid 1000", "read_failed",
            ])
        #expect(try await ledger.history(of: id)[3].detail == "It is cut short.")
    }

    @Test func `a second reading, a deletion on the camera and a clearing are on record`() async throws {
        let id = try await saved("IMG_0001.JPG", rereads: true)
        #expect(try await ledger.endAwaitingReread() == 1)
        try await ledger.markDeletedOnCamera(id: id, at: Self.now + 7)
        let job = try await planned()
        try await claim()
        try await settle(job, .delivered(Self.delivery, at: Self.now))
        #expect(try await ledger.beginClearing([id], at: Self.now + 9) == [id])
        try await ledger.endClearing(gone: [id], kept: [])
        #expect(
            try await told(id) == [
                "seen", "saved awaiting_reread", "verified structure", "deleted_on_camera",
                "upload delivered", "cleared",
            ])
        // One that could not be removed was not cleared.
        let kept = try await saved("IMG_0002.JPG")
        let second = try await planned()
        try await claim()
        try await settle(second, .delivered(Self.delivery, at: Self.now))
        #expect(try await ledger.beginClearing([kept], at: Self.now + 9) == [kept])
        try await ledger.endClearing(gone: [], kept: [kept])
        #expect(try await told(kept).last == "upload delivered")
    }

    @Test func `each try of an upload is told with what became of it, also one that a crash cut off`()
        async throws
    {
        let id = try await saved("IMG_0001.JPG")
        let job = try await planned()
        try await claim(at: Date().addingTimeInterval(-3))
        let outage = FailedAttempt(.outage(retryAfterSeconds: nil), "The server is away.")
        try await settle(job, .failed(outage, at: Self.now, jitter: 0))
        // Due again: not a person's doing, so nothing is told.
        try await settle(job, .due)
        try await claim()
        // The service was killed and starts anew.
        let again = try LedgerStore(path: scratch.path("ledger.sqlite"))
        #expect(try await again.recoverUploads() == 1)
        try await claim()
        // The destination takes nothing from anybody; a later try is cut off by a person.
        try await settle(job, .failed(FailedAttempt(.refused, "There is no room."), at: Self.now, jitter: 0))
        try await claim()
        _ = try await ledger.applyToUploads(.held(.person), filter: UploadFilter(ids: [job]))
        _ = try await ledger.applyToUploads(.released(byPerson: true), filter: UploadFilter(ids: [job]))
        try await claim()
        let refused = FailedAttempt(.permanent(reason: "refused"), "The server wants no JPEG.")
        try await settle(job, .failed(refused, at: Self.now, jitter: 0))
        try await Asker.$current.withValue(Asker(device: "Anna's iPad")) {
            _ = try await ledger.applyToUploads(.retried, filter: UploadFilter(ids: [job]))
        }
        try await claim()
        try await settle(job, .delivered(Self.delivery, at: Self.now))
        #expect(
            try await told(id) == [
                "seen", "saved structure", "upload retrying", "upload queued", "upload refused",
                "upload held",
                "held person", "released", "upload failed",
                "retried device Anna's iPad", "upload delivered",
            ])
        let tries = try await ledger.history(of: id).filter { $0.kind == .upload }
        #expect(tries.allSatisfy { $0.destination == "nas" })
        #expect(
            tries.map(\.detail) == [
                "The server is away.", nil, "There is no room.", nil, "The server wants no JPEG.",
                "size: size 2000000",
            ])
        #expect((3...600).contains(try #require(tries[0].seconds)))
        #expect(tries[5].bytes == 2_000_000)
    }

    @Test func `what people do to uploads and say of shots has their names`() async throws {
        let id = try await saved("IMG_0001.JPG")
        let job = try await planned(.held(.offline))
        let filter = UploadFilter(ids: [job])
        try await Asker.$current.withValue(Asker(user: 0)) {
            _ = try await ledger.applyToUploads(.held(.person), filter: filter)
            _ = try await ledger.applyToUploads(.released(byPerson: true), filter: filter)
            _ = try await ledger.applyToUploads(.putFirst, filter: filter)
            _ = try await ledger.applyToUploads(.dropped, filter: filter)
        }
        let client = ShotRating.Rater(id: "d1", name: "uid 0", isOwner: false)
        _ = try await ledger.rate(ShotID(first: id), by: client, at: Self.now) { $0.stars = 5 }
        _ = try await ledger.rate(ShotID(first: id), by: client, at: Self.now) { $0.pick = false }
        #expect(
            try await told(id) == [
                "seen", "saved structure", "held offline", "held person uid 0", "released uid 0",
                "put_first uid 0", "dropped uid 0",
                // A device cannot pass for a user by its name.
                "rated 5 device uid 0", "rated 5 rejected device uid 0",
            ])
    }

    @Test func `everything is listed in order, page by page, from a time on`() async throws {
        for name in ["A.JPG", "B.JPG", "C.JPG"] { _ = try await saved(name) }
        let all = try await ledger.history(since: nil, after: nil, limit: 100)
        #expect(all.map(\.kind) == [.seen, .saved, .seen, .saved, .seen, .saved])
        #expect(all.map(\.id) == all.map(\.id).sorted())
        let page = try await ledger.history(since: nil, after: all[1].id, limit: 2)
        #expect(page == Array(all[2...3]))
        // From a moment on: what was entered before it, by number, is left out.
        #expect(
            try await ledger.history(since: Self.now + 1, after: nil, limit: 100) == Array(all.dropFirst()))
        #expect(try await ledger.history(since: Self.now + 2, after: nil, limit: 100) == [])
    }

    @Test func `the oldest steps go when there are too many, and a forgotten photo takes its own along`()
        async throws
    {
        let id = try await saved("IMG_0001.JPG")
        let other = try await seen("IMG_0002.JPG").id
        try await ledger.forget([other])
        #expect(try await ledger.history(of: other) == [])
        // As if so many had been entered meanwhile.
        try await ledger.write { db in
            try db.execute(
                sql: "UPDATE sqlite_sequence SET seq = ? WHERE name = 'history'",
                arguments: [Schema.historyStepsMax])
        }
        _ = try await ledger.countFailure(id: id, failure: "-")
        #expect(try await told(id) == ["saved structure", "read_failed"])
    }

    @Test func `a photo is found by its name here, at the camera, and by its path`() async throws {
        let id = try await saved("IMG_0001.JPG")
        let twin = try await seen("IMG_0001.JPG", camera: "b").id
        for camera in ["a", "b"] {
            try await ledger.write { db in
                try db.execute(
                    sql: """
                        INSERT INTO camera (id, name, maker, model, serial, port, first_seen_at, last_seen_at)
                        VALUES (?, '', '', '', '', '', 0, 0)
                        """, arguments: [camera])
            }
        }
        #expect(try await ledger.captures(named: "IMG_0001.JPG", limit: 10) == [twin, id])
        #expect(try await ledger.captures(named: "IMG_0001.JPG", limit: 1) == [twin])
        #expect(try await ledger.captures(named: "\(id)-shot.jpg", limit: 10) == [id])
        #expect(try await ledger.captures(named: "/photos/\(id)-shot.jpg", limit: 10) == [id])
        // A part of a name is none, and what means something to SQL means nothing here.
        for name in ["shot.jpg", "%-shot.jpg", "", "IMG_0001", "/photos"] {
            #expect(try await ledger.captures(named: name, limit: 10) == [], "\(name)")
        }
    }
}
