import Foundation
import FrameFastModel
import Store
import TestRig
import Testing

/// Tests of duplicates: photos that the camera announced again, for example with another folder, name or
/// time. The ledger detects duplicates by their bytes.
@Suite struct DuplicateTests {
    private static let now = LedgerStoreTests.now
    private static let folders = [
        "/store_1/DCIM/100CANON", "/store_1/<none>/100CANON", "/store_2/DCIM/100CANON", "/",
    ]

    private let scratch: ScratchFolder
    private let ledger: LedgerStore

    init() throws {
        scratch = try ScratchFolder()
        ledger = try LedgerStore(path: scratch.path("ledger.sqlite"))
    }

    private func recordPhoto(in folder: String, time: Int64? = 100, as state: CaptureRecord.State = .seen)
        async throws
        -> [CaptureRecord]
    {
        try await ledger.recordSeen(
            [CameraObject(folder: folder, name: "IMG_0001.JPG", size: 10, cameraTime: time)], camera: "a",
            session: nil, at: Self.now, as: state)
    }

    private func publish(_ arrivals: [(CaptureRecord, String)]) async throws -> [CaptureRecord] {
        try await ledger.beginPublishing(
            arrivals.map { .init(id: $0.0.id, bytes: 10, sha256: $0.1, transferMs: 1) },
            naming: LedgerStoreTests.naming)
    }

    @Test(arguments: folders.dropFirst())
    func `detects a duplicate with the same bytes in another folder`(folder: String) async throws {
        let first = try #require(try await recordPhoto(in: Self.folders[0]).first)
        _ = try await publish([(first, "aa")])
        try await ledger.finishPublishing([first.id], at: Self.now)
        let again = try #require(try await recordPhoto(in: folder).first)
        #expect(again.duplicateOf == first.id)
        let known = try await publish([(again, "aa")])
        #expect(known.map(\.state) == [.duplicate] && known.map(\.duplicateOf) == [first.id])
        #expect(try await ledger.captures(CaptureQuery(limit: 10)).map(\.record).map(\.id) == [first.id])
        #expect(try await ledger.pending(camera: "a").isEmpty)
        #expect(try await recordPhoto(in: folder).isEmpty)
        let totals = try await ledger.totals(startOfDay: Self.now, now: Self.now)
        #expect(totals.saved == 1 && totals.waiting == 0)
    }

    @Test func `compares objects with saved photos and duplicates, not with past photos`() async throws {
        let first = try #require(try await recordPhoto(in: Self.folders[0]).first)
        let again = try #require(try await recordPhoto(in: Self.folders[2]).first)
        func comparable() async throws -> [Set<String>?] {
            try await ledger.comparableObjects([first.object], among: ["a"], limit: 2).map { $0.sha256["a"] }
        }
        #expect(try await comparable() == [])
        _ = try await publish([(first, "aa")])
        try await ledger.finishPublishing([first.id], at: Self.now)
        #expect(try await comparable() == [["aa"]])
        try await ledger.markAllPast(camera: "a")
        #expect(try await comparable() == [])
        // The duplicate has the bytes of the past photo.
        _ = try await publish([(again, "aa")])
        #expect(try await comparable() == [["aa"]])
    }

    @Test(arguments: [["e1"], ["e1", "e2"], ["e1", "aa"]])
    func `recognizes an edited photo whose original is announced again`(edits: [String]) async throws {
        let first = try #require(try await recordPhoto(in: Self.folders[0]).first)
        _ = try await publish([(first, "aa")])
        try await ledger.finishPublishing([first.id], at: Self.now)
        for edit in edits {
            try await ledger.recordEdited(
                id: first.id, bytes: edit == "aa" ? 10 : 40, sha256: edit, for: ["nas"])
        }
        #expect(try await ledger.capture(id: first.id)?.sha256 == edits.last)
        let comparable = try await ledger.comparableObjects([first.object], among: ["a"], limit: 1)
        #expect(comparable.map { $0.sha256["a"] } == [["aa"]])
        // Objects are not matched with past photos, which may be from another camera with the same serial
        // number. The repeated announcement therefore creates a new record.
        try await ledger.markAllPast(camera: "a")
        let again = try #require(try await recordPhoto(in: Self.folders[0]).first)
        let known = try await publish([(again, "aa")])
        #expect(known.map(\.state) == [.duplicate] && known.map(\.duplicateOf) == [first.id])
        // Another photo with the same name, size and time is saved.
        try await ledger.markAllPast(camera: "a")
        let other = try #require(try await recordPhoto(in: Self.folders[0]).first)
        #expect(try await publish([(other, "bb")]).map(\.state) == [.publishing])
    }

    @Test func `prefers an exact copy over an earlier photo whose file was edited`() async throws {
        func recordSeen(_ name: String, in folder: String) async throws -> CaptureRecord {
            let object = CameraObject(folder: folder, name: name, size: 10, cameraTime: 100)
            return try #require(
                try await ledger.recordSeen([object], camera: "a", session: nil, at: Self.now).first)
        }
        let edited = try await recordSeen("IMG_0001.JPG", in: Self.folders[0])
        // Another name makes the copy a separate photo.
        let copy = try await recordSeen("IMG_0002.JPG", in: Self.folders[0])
        for photo in [edited, copy] {
            #expect(try await publish([(photo, "aa")]).map(\.state) == [.publishing])
            try await ledger.finishPublishing([photo.id], at: Self.now)
        }
        try await ledger.recordEdited(id: edited.id, bytes: 40, sha256: "e1", for: ["nas"])
        // The names of photos from a camera's memory are not compared, so both photos match.
        let again = try await recordSeen("capt0001.jpg", in: "/")
        let known = try await publish([(again, "aa")])
        #expect(known.map(\.state) == [.duplicate] && known.map(\.duplicateOf) == [copy.id])
    }

    @Test(arguments: [("/", "capt0001.jpg"), (folders[0], "<none>"), (folders[0], "")])
    func `detects a duplicate of a photo without a name by its bytes`(
        folder: String, name: String
    ) async throws {
        func recordSeen(_ object: CameraObject) async throws -> CaptureRecord {
            try #require(
                try await ledger.recordSeen([object], camera: "a", session: nil, at: Self.now).first)
        }
        let nameless = try await recordSeen(CameraObject(folder: folder, name: name, size: 10, cameraTime: 9))
        let named = try #require(try await recordPhoto(in: Self.folders[0]).first)
        _ = try await publish([(nameless, "aa")])
        try await ledger.finishPublishing([nameless.id], at: Self.now)
        #expect(try await publish([(named, "aa")]).map(\.duplicateOf) == [nameless.id])
        let other = try await recordSeen(
            CameraObject(folder: Self.folders[0], name: "IMG_0002.JPG", size: 10, cameraTime: 100))
        _ = try await publish([(other, "bb")])
        try await ledger.finishPublishing([other.id], at: Self.now)
        let again = try await recordSeen(CameraObject(folder: folder, name: name, size: 10, cameraTime: 10))
        #expect(try await publish([(again, "bb")]).map(\.duplicateOf) == [other.id])
        // Photos with different names are different photos, even with the same bytes.
        let third = try await recordSeen(
            CameraObject(folder: Self.folders[0], name: "IMG_0003.JPG", size: 10, cameraTime: 100))
        #expect(try await publish([(third, "bb")]).map(\.state) == [.publishing])
    }

    @Test func `uses a duplicate as the second read of its original`() async throws {
        let first = try #require(try await recordPhoto(in: Self.folders[0]).first)
        var naming = LedgerStoreTests.naming
        naming.rereads = true
        let arrival = Arrival(id: first.id, bytes: 10, sha256: "aa", transferMs: 1)
        _ = try await ledger.beginPublishing([arrival], naming: naming)
        try await ledger.finishPublishing([first.id], at: Self.now)
        #expect(try await ledger.capture(id: first.id)?.verified == .awaitingReread)
        let again = try #require(try await recordPhoto(in: Self.folders[2]).first)
        #expect(try await publish([(again, "aa")]).map(\.verified) == [.reread])
        #expect(try await ledger.capture(id: first.id)?.verified == .reread)
        let third = try #require(try await recordPhoto(in: Self.folders[1]).first)
        #expect(try await publish([(third, "aa")]).map(\.verified) == [nil])
    }

    @Test func `a photo is a duplicate if its second read has the bytes of a saved photo`() async throws {
        let first = try #require(try await recordPhoto(in: Self.folders[0]).first)
        _ = try await publish([(first, "aa")])
        try await ledger.finishPublishing([first.id], at: Self.now)
        try await ledger.markAllPast(camera: "a")
        let copy = try #require(try await recordPhoto(in: Self.folders[0]).first)
        var naming = LedgerStoreTests.naming
        naming.rereads = true
        let wrong = Arrival(id: copy.id, bytes: 10, sha256: "bb", transferMs: 1)
        let path = try await ledger.beginPublishing([wrong], naming: naming).first?.path
        try await ledger.finishPublishing([copy.id], at: Self.now)
        let raw = try #require(
            try await ledger.recordSeen(
                [CameraObject(folder: Self.folders[0], name: "IMG_0001.CR2", size: 10, cameraTime: 100)],
                camera: "a", session: nil, at: Self.now
            ).first)
        #expect(try await publish([(raw, "cc")]).map(\.pairID) == [copy.id])
        let tomorrow = Self.now.addingTimeInterval(86_400)
        try await ledger.finishPublishing([raw.id], at: tomorrow)
        let before = try await ledger.totals(startOfDay: Self.now, now: Self.now)
        #expect(before.saved == 3 && before.shots == 2)

        func recordReading(_ sha256: String) async throws -> CaptureRecord? {
            try await ledger.recordDuplicate(
                Arrival(id: copy.id, bytes: 10, sha256: sha256, transferMs: 1), at: Self.now)
        }
        #expect(try await recordReading("dd") == nil)
        let duplicate = try #require(try await recordReading("aa"))
        #expect(duplicate.state == .duplicate && duplicate.duplicateOf == first.id)
        #expect(duplicate.counter == nil && duplicate.pairID == nil && duplicate.verified == nil)
        // The record describes the wrong file until the file is removed.
        #expect(duplicate.path == path && duplicate.sha256 == "bb")
        #expect(try await ledger.interruptedClearings().map(\.id) == [copy.id])
        #expect(try await recordReading("aa") == nil)

        let captures = try await ledger.captures(CaptureQuery(limit: 9)).map(\.record)
        #expect(captures.map(\.id) == [first.id, raw.id])
        #expect(captures.allSatisfy { $0.pairID == first.id })
        let after = try await ledger.totals(startOfDay: Self.now, now: Self.now)
        #expect(after.saved == 2 && after.shots == 1)
        #expect(after.today == 2 && after.shotsToday == 1)
        let last = try await ledger.totals(startOfDay: tomorrow, now: tomorrow)
        #expect(last.today == 1 && last.shotsToday == 0)
        #expect(try await ledger.unplannedUploads(limit: 9).map(\.photo.id) == [first.id, raw.id])
        let comparable = try await ledger.comparableObjects([first.object], among: ["a"], limit: 1)
        #expect(comparable.map { $0.sha256["a"] } == [["aa"]])
        try await ledger.endClearing(gone: [copy.id], kept: [])
        #expect(try await ledger.interruptedClearings().isEmpty)
    }

    @Test(arguments: [100, nil] as [Int64?])
    func `detects a duplicate with the same bytes and another time`(time: Int64?) async throws {
        let first = try #require(try await recordPhoto(in: Self.folders[0], time: time).first)
        _ = try await publish([(first, "aa")])
        try await ledger.finishPublishing([first.id], at: Self.now)
        let again = try #require(try await recordPhoto(in: Self.folders[0], time: 200).first)
        #expect(try await publish([(again, "aa")]).map(\.duplicateOf) == [first.id])
        let third = try #require(try await recordPhoto(in: Self.folders[0], time: 300).first)
        #expect(try await publish([(third, "bb")]).map(\.state) == [.publishing])
    }

    @Test func `saves different bytes as a separate photo despite equal name, size and time`() async throws {
        let first = try #require(try await recordPhoto(in: Self.folders[0]).first)
        let other = try #require(try await recordPhoto(in: Self.folders[2]).first)
        let named = try await publish([(first, "aa"), (other, "bb")])
        #expect(named.map(\.state) == [.publishing, .publishing])
        #expect(Set(named.map(\.path)).count == 2 && named.allSatisfy { $0.duplicateOf == nil })
    }

    @Test func `publishes a duplicate if its original fails`()
        async throws
    {
        let first = try #require(try await recordPhoto(in: Self.folders[0]).first)
        let second = try #require(try await recordPhoto(in: Self.folders[2]).first)
        let records = try await publish([(first, "aa"), (second, "aa")])
        #expect(records.map(\.state) == [.publishing, .seen] && records[1].duplicateOf == first.id)
        try await ledger.returnToSeen(id: first.id)
        #expect(try await publish([(second, "aa")]).map(\.state) == [.publishing])
        try await ledger.finishPublishing([second.id], at: Self.now)
        #expect(try await publish([(first, "aa")]).map(\.state) == [.duplicate])
    }

    @Test(arguments: [("12345678", true), ("000000", true), ("", true), ("87654321", false)])
    func `detects duplicates between bodies with the same serial number`(
        serial: String, isSame: Bool
    ) async throws {
        for (id, given) in [("one", serial), ("two", isSame ? serial : "12345678")] {
            let body = CameraStatus(
                id: CameraID(rawValue: id), name: id, port: "p", state: .ready,
                facts: CameraFacts(maker: "Canon", model: "R5", serial: given))
            try await ledger.recordCamera(
                body, as: BodyID(rawValue: id), zone: nil, place: id, isListed: true, at: Self.now)
        }
        func recordPhoto(of camera: BodyID) async throws -> CaptureRecord {
            let object = CameraObject(
                folder: Self.folders[0], name: "IMG_0001.JPG", size: 10, cameraTime: 100)
            return try #require(
                try await ledger.recordSeen([object], camera: camera, session: nil, at: Self.now).first)
        }
        let first = try await recordPhoto(of: "one")
        _ = try await publish([(first, "aa")])
        try await ledger.finishPublishing([first.id], at: Self.now)
        let again = try await recordPhoto(of: "two")
        let state = try await publish([(again, "aa")]).first?.state
        #expect(state == (isSame ? .duplicate : .publishing))
        // Photos that two cameras took at the same moment differ only in their bytes.
        let other = try await ledger.recordSeen(
            [CameraObject(folder: Self.folders[0], name: "IMG_0002.JPG", size: 10, cameraTime: 100)],
            camera: "two", session: nil, at: Self.now)
        #expect(try await publish([(try #require(other.first), "bb")]).first?.state == .publishing)
    }

    @Test func `publishes a photo only once for repeated arrivals`() async throws {
        let first = try #require(try await recordPhoto(in: Self.folders[0]).first)
        _ = try await publish([(first, "aa")])
        #expect(try await publish([(first, "aa")]).isEmpty)
        try await ledger.finishPublishing([first.id], at: Self.now)
        #expect(try await publish([(first, "aa")]).isEmpty)
    }

    @Test func `does not match a photo of another camera`() async throws {
        _ = try await recordPhoto(in: Self.folders[0])
        let other = try await ledger.recordSeen(
            [CameraObject(folder: "/x", name: "IMG_0001.JPG", size: 10, cameraTime: 100)], camera: "b",
            session: nil, at: Self.now)
        #expect(other.map(\.duplicateOf) == [nil])
    }

    @Test func `skips copies of a skipped photo only if they have times`() async throws {
        _ = try await recordPhoto(in: Self.folders[0], as: .skipped)
        #expect(try await recordPhoto(in: Self.folders[2]).isEmpty)
        #expect(try await ledger.pending(camera: "a").isEmpty)
        _ = try await recordPhoto(in: Self.folders[0], time: nil, as: .skipped)
        #expect(try await recordPhoto(in: Self.folders[2], time: nil).count == 1)
    }

    @Test func `protects the saved original of a protected duplicate`() async throws {
        let first = try #require(try await recordPhoto(in: Self.folders[0]).first)
        _ = try await publish([(first, "aa")])
        try await ledger.finishPublishing([first.id], at: Self.now)
        let again = try #require(try await recordPhoto(in: Self.folders[2]).first)
        _ = try await publish([(again, "aa")])
        #expect(try await ledger.recordProtected([again.object], camera: "a").map(\.id) == [first.id])
    }

    @Test func `counts a card's photos that match records in any folder`() async throws {
        _ = try await recordPhoto(in: Self.folders[0])
        _ = try await recordPhoto(in: "/store_1/DCIM/101CANON", time: nil)
        let card = [100, 101, nil].map {
            CameraObject(folder: "/moved", name: "IMG_0001.JPG", size: 10, cameraTime: $0)
        }
        #expect(try await ledger.countMatches(of: card, for: ["a", "b"]) == ["a": 1, "b": 0])
    }

    @Test func `completes a read or change whose task is cancelled`() async throws {
        let ledger = ledger
        let object = CameraObject(folder: "/x", name: "IMG_0001.JPG", size: 10, cameraTime: 100)
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await ledger.recordSeen([object], camera: "a", session: nil, at: Self.now)
        }
        #expect(try await task.value.count == 1)
        let readTask = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await ledger.pending(camera: "a")
        }
        #expect(try await readTask.value.count == 1)
    }

    @Test func `records a camera's first connection and its complete listing`()
        async throws
    {
        let body = CameraStatus(
            id: "canon-5#2", name: "b", port: "p", state: .ready,
            facts: CameraFacts(maker: "Canon", model: "R5", serial: "5"))
        try await ledger.recordCamera(
            body, as: "canon-5#2", zone: nil, place: "1-2", isListed: false, at: Self.now)
        #expect(try await !ledger.hasListed(camera: "canon-5#2"))
        let connectingCamera = CameraBodies.ConnectingCamera(
            maker: "Canon", model: "R5", serial: "5", place: "9", id: "b")
        #expect(try await ledger.knownBodies().candidates(connectingCamera) == ["canon-5#2"])
        try await ledger.recordCamera(
            body, as: "canon-5#2", zone: nil, place: "1-2", isListed: true, at: Self.now)
        try await ledger.recordCamera(
            body, as: "canon-5#2", zone: nil, place: "1-2", isListed: false, at: Self.now)
        #expect(try await ledger.hasListed(camera: "canon-5#2"))
    }
}
