import Foundation
import FrameFastModel
import GRDB
import Testing

@testable import Store

@Suite struct FieldTests {
    static let now = Date(timeIntervalSince1970: 1_800_000_000)
    private let path: String
    private let ledger: LedgerStore

    init() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "fields-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        path = folder.appending(path: "ledger.sqlite").path
        ledger = try LedgerStore(path: path)
    }

    private func see(
        _ name: String, _ session: SessionID?, camera: BodyID = "a-body", time: Int64 = 1
    ) async throws -> CaptureRecord {
        let object = CameraObject(folder: "/d", name: name, size: 10, cameraTime: time)
        return try #require(
            await ledger.recordSeen([object], camera: camera, session: session, at: Self.now).first)
    }

    private func remember(_ id: CameraID, body: BodyID) async throws {
        try await ledger.remember(
            CameraStatus(id: id, name: "one", port: "p", state: .ready), as: body, zone: nil, place: "",
            isListed: true,
            at: Self.now)
    }

    private func set(
        _ texts: FieldTexts, clear: [FieldName] = [], _ session: SessionID, camera: CameraID? = nil
    ) async throws {
        try await ledger.setFields(texts, clear: clear, session: session, camera: camera, at: Self.now)
    }

    @Test func `photos keep the fields of the moment at which they were announced, also after a restart`()
        async throws
    {
        let session = try await ledger.startSession(name: "S", fields: ["client": "Studio Ä"], at: Self.now)
            .id
        let first = try await see("1.JPG", session)
        try await set(["job": "4711"], session)
        let second = try await see("2.JPG", session)
        try await set(["job": "4712"], session)
        let again = try LedgerStore(path: path)
        #expect(try await again.fields(session: session).map(\.text) == ["Studio Ä", "4712"])
        try await set([:], clear: ["client"], session)
        let third = try await see("3.JPG", session)
        #expect(first.fields == ["client": "Studio Ä"])
        for (record, fields) in [
            (first, ["client": "Studio Ä"] as FieldTexts), (second, ["client": "Studio Ä", "job": "4711"]),
            (third, ["job": "4712"]),
        ] {
            #expect(record.fields == fields)
            #expect(try await again.capture(id: record.id)?.fields == fields)
        }
        // Without a session there are none, and another one begins without.
        #expect(try await see("4.JPG", nil).fields == [:])
        let next = try await ledger.startSession(name: "T", at: Self.now).id
        #expect(try await see("5.JPG", next).fields == [:])
        #expect(try await ledger.fields(session: next).isEmpty)
    }

    @Test func `both files of a shot have the fields of the first, wherever the scan comes`() async throws {
        let session = try await ledger.startSession(name: "S", fields: ["job": "1"], at: Self.now).id
        _ = try await see("9.CR3", session, time: 100)
        try await set(["job": "2"], session)
        #expect(try await see("9.JPG", session, time: 100).fields == ["job": "1"])
        // The same name of another time is another shot.
        #expect(try await see("9.HIF", session, time: 500).fields == ["job": "2"])
        try await set([:], clear: ["job"], session)
        _ = try await see("10.CR3", session, time: 600)
        try await set(["job": "3"], session)
        #expect(try await see("10.JPG", session, time: 600).fields == [:])
    }

    @Test func `a scanner of one camera changes only its photos`() async throws {
        let session = try await ledger.startSession(name: "S", fields: ["job": "1"], at: Self.now).id
        try await remember("cam-a", body: "a-body")
        try await remember("cam-b", body: "b-body")
        try await set(["job": "2"], session, camera: "cam-b")
        #expect(try await see("1.JPG", session).fields == ["job": "1"])
        #expect(try await see("1.JPG", session, camera: "b-body").fields == ["job": "2"])
        try await set(["job": "3"], session)
        #expect(try await see("2.JPG", session).fields == ["job": "3"])
        #expect(try await see("2.JPG", session, camera: "b-body").fields == ["job": "2"])
        try await set([:], clear: ["job"], session, camera: "cam-b")
        #expect(try await see("3.JPG", session, camera: "b-body").fields == ["job": "3"])
        #expect(try await ledger.fields(session: session).map(\.shots) == [2])
    }

    @Test func `the history says who set what`() async throws {
        let session = try await Asker.$current.withValue(Asker(user: 1000)) {
            try await ledger.startSession(name: "S", fields: ["client": "Ä, B", "job": "1"], at: Self.now).id
        }
        try await Asker.$current.withValue(Asker(device: "iPad")) { try await set(["job": "2"], session) }
        let seen = try await see("1.JPG", session)
        let steps = try await ledger.history(of: seen.id)
        #expect(steps.map(\.kind) == [.seen, .fields, .fields])
        let told = Dictionary(steps.dropFirst().map { ($0.by?.rawValue, $0.detail) }) { first, _ in first }
        #expect(told == ["uid 1000": "client=Ä, B", "device iPad": "job=2"])
        #expect(try await ledger.fields(session: session).map(\.by?.rawValue) == ["uid 1000", "device iPad"])
        // What is set to the same again is not a change.
        try await set(["client": "Ä, B"], session)
        #expect(try await ledger.fields(session: session).first?.by?.rawValue == "uid 1000")
    }

    @Test func `a list is walked through, its place is kept, and who is missing is known`() async throws {
        let session = try await ledger.startSession(name: "S", at: Self.now).id
        func step(_ step: FieldStep, camera: CameraID? = nil) async throws -> FieldStepOutcome {
            try await ledger.stepFieldList(step, session: session, camera: camera, at: Self.now)
        }
        #expect(try await step(.next) == .noList)
        let rows = [["1", "Änne", "5a"], ["2", "Bob", ""], ["3", "Çem", "5b"]].enumerated().map {
            FieldList.Row(number: $0.offset + 1, texts: $0.element)
        }
        try await ledger.setFieldList(
            FieldList(columns: ["nr", "name", "class"], rows: rows), session: session)
        #expect(try await step(.previous) == .noRow(standing: nil))
        #expect(try await step(.next) == .row(rows[0]))
        #expect(try await see("1.JPG", session).fields == ["nr": "1", "name": "Änne", "class": "5a"])
        #expect(try await step(.next) == .row(rows[1]))
        // What the row leaves empty is not what the row before had.
        #expect(try await see("2.JPG", session).fields == ["nr": "2", "name": "Bob"])
        #expect(try await step(.code("4")) == .noRow(standing: 2))
        let again = try #require(try await LedgerStore(path: path).fieldList(session: session))
        #expect(again.places == [nil: 2])
        #expect(again.rows.map(\.shots) == [1, 1, 0])
        #expect(try await step(.code("3")) == .row(rows[2]))
        #expect(try await step(.next) == .noRow(standing: 3))
        #expect(try await step(.previous) == .row(rows[1]))
        try await remember("cam-b", body: "b-body")
        #expect(try await step(.next, camera: "cam-b") == .row(rows[0]))
        #expect(try await see("1.JPG", session, camera: "b-body").fields["nr"] == "1")
        #expect(try await ledger.fieldList(session: session)?.places == [nil: 2, "cam-b": 1])
        // Another list begins before its first row, and fields stay until then.
        try await ledger.setFieldList(
            FieldList(columns: ["nr"], rows: [.init(number: 1, texts: ["x"])]), session: session)
        #expect(try await ledger.fieldList(session: session)?.places == [:])
        #expect(try await see("3.JPG", session).fields["nr"] == "2")
        try await ledger.removeFieldList(session: session)
        #expect(try await ledger.fieldList(session: session) == nil)
    }

    @Test func `how a photo was taken is kept, and may be the name that it gets`() async throws {
        let seen = try await see("1.JPG", nil)
        var arrival = Arrival(id: seen.id, bytes: 10, sha256: "00", transferMs: 1)
        arrival.exif = PhotoExif(
            iso: 400, shutterSeconds: 0.004, aperture: 2.8, focalLengthMm: 10.5, lens: "Ä 10mm")
        let naming = LedgerStore.NamingPolicy(
            counterScope: { _ in "" }, path: { record, _ in "/p/\(record.exif?.iso ?? 0).jpg" },
            pairSettleSeconds: 0)
        let record = try #require(try await ledger.beginPublishing([arrival], naming: naming).first)
        #expect(record.path == "/p/400.jpg")
        #expect(try await ledger.capture(id: seen.id)?.exif == arrival.exif)
        #expect(try await see("2.JPG", nil).exif == nil)
    }
}
