import Foundation
import FrameFastModel
import GRDB
import TestRig
import Testing

@testable import Store

/// Tests of the states of captures and shots, which the ledger derives from records and uploads.
@Suite struct CaptureStatesTests {
    private static let now = Date(timeIntervalSince1970: 1_795_271_130)

    private let scratch: ScratchFolder
    private let ledger: LedgerStore

    init() throws {
        scratch = try ScratchFolder()
        ledger = try LedgerStore(path: scratch.path("ledger.sqlite"))
    }

    /// A capture with its state, uploads and partner.
    private struct File {
        var state = CaptureRecord.State.saved
        var isCleared = false
        var uploads: [UploadJob.State] = []
        var pair: CaptureID?
    }

    private func fill(_ files: [File]) async throws {
        try await ledger.write { db in
            for (number, file) in zip(Int64(1)..., files) {
                try db.execute(
                    sql: """
                        INSERT INTO capture (id, camera_id, folder, name, stem, size, camera_time, state, detected_at,
                            cleared_at, pair_id) VALUES (?, 'body', '/A', ?, 'x', 10, ?, ?, 0, ?, ?)
                        """,
                    arguments: [
                        number, "\(number).jpg", number, file.state.rawValue, file.isCleared ? 1 : nil,
                        file.pair,
                    ])
                for (index, upload) in file.uploads.enumerated() {
                    try db.execute(
                        sql: """
                            INSERT INTO upload_job (capture_id, destination, state, remote_name, kind, camera_id, bytes,
                                created_at) VALUES (?, ?, ?, 'a', 'picture', 'body', 10, 0)
                            """, arguments: [number, "nas-\(index)", upload.rawValue])
                }
            }
        }
    }

    @Test(
        arguments: [
            (.seen, false, [], .receiving), (.publishing, false, [], .receiving),
            (.setAside, false, [], .damaged),
            (.skipped, false, [], nil), (.duplicate, false, [], nil), (.saved, false, [], .saved),
            (.saved, false, [.delivered], .delivered), (.saved, true, [.delivered], .cleared),
            (.saved, false, [.held, .delivered], .held), (.saved, false, [.held, .queued], .queued),
            (.saved, false, [.queued, .uploading, .held], .uploading),
            (.saved, false, [.uploading, .retrying], .retrying),
            (.saved, false, [.delivered, .failed, .retrying], .uploadFailed),
        ] as [(CaptureRecord.State, Bool, [UploadJob.State], CaptureState?)])
    func `derives a capture's state from its record and its worst upload`(
        state: CaptureRecord.State, isCleared: Bool, uploads: [UploadJob.State], expected: CaptureState?
    ) async throws {
        try await fill([File(state: state, isCleared: isCleared, uploads: uploads)])
        #expect(try await ledger.shot(of: 1).map(\.state) == (expected.map { [$0] } ?? []))
        // Only a query for the capture's own state returns the capture.
        for queried in CaptureState.allCases {
            let found = try await ledger.captures(CaptureQuery(limit: 9, state: queried))
            #expect(found.map(\.state) == (queried == expected ? [queried] : []))
        }
    }

    @Test func `lists a shot's files together with the worst file's state`() async throws {
        try await fill([
            File(uploads: [.delivered], pair: 1), File(uploads: [.delivered]),
            File(uploads: [.retrying], pair: 1), File(state: .seen),
        ])
        let all = try await ledger.captures(CaptureQuery(limit: 9))
        #expect(all.map(\.record.id) == [4, 2, 1, 3] && all.map(\.record.shotID) == [4, 2, 1, 1])
        #expect(all.map(\.state) == [.receiving, .delivered, .delivered, .retrying])
        #expect(all.map(\.shotState) == [.receiving, .delivered, .retrying, .retrying])
        #expect(try await ledger.shot(of: 3) == Array(all.suffix(2)))
        // A page contains only complete shots. The next page starts after the last shot of the page.
        let first = try await ledger.captures(CaptureQuery(limit: 2))
        let rest = try await ledger.captures(CaptureQuery(before: 2, limit: 2))
        #expect(first + rest == all)
        // A query by state returns the delivered file of a shot, even if the other file is retrying.
        let delivered = try await ledger.captures(CaptureQuery(limit: 9, state: .delivered))
        #expect(delivered.map(\.record.id) == [2, 1] && delivered.last?.shotState == .retrying)
    }

    @Test func `finds photos by camera ID and not by camera name`() async throws {
        try await fill([File(), File()])
        let camera = CameraStatus(id: "canon-1", name: "left", port: "p", state: .ready)
        try await ledger.recordCamera(
            camera, as: "body", zone: nil, place: "1-1", isListed: true, at: Self.now)
        func count(_ camera: CameraID) async throws -> Int {
            try await ledger.captures(CaptureQuery(limit: 9, camera: camera)).count
        }
        #expect(try await count("canon-1") == 2)
        #expect(try await count("body") == 0)
        // `left` is the name of a camera, and not the ID of any camera.
        #expect(try await count("left") == 0)
        #expect(try await ledger.pendingCounts()["left"] == nil)
        let newest = try await ledger.lastSaved(cameras: ["canon-1", "left"])
        #expect(newest.mapValues(\.id) == ["canon-1": 2])
    }

    @Test func `counts pending photos of all cameras in one query`() async throws {
        try await fill([File(state: .seen), File(), File(state: .publishing), File(state: .setAside)])
        #expect(try await ledger.pendingCounts().isEmpty)
        let camera = CameraStatus(id: "canon-1", name: "left", port: "p", state: .ready)
        try await ledger.recordCamera(
            camera, as: "body", zone: nil, place: "1-1", isListed: true, at: Self.now)
        let other = CameraStatus(id: "canon-2", name: "right", port: "p", state: .ready)
        try await ledger.recordCamera(
            other, as: "other", zone: nil, place: "1-2", isListed: true, at: Self.now)
        let before = ledger.readCount
        #expect(try await ledger.pendingCounts() == ["canon-1": 2])
        #expect(ledger.readCount == before + 1)
        let plan = try await ledger.read { db in
            try Row.fetchAll(db, sql: "EXPLAIN QUERY PLAN " + LedgerStore.waitingSQL).map {
                $0["detail"] as String
            }
        }
        // The order of the tables may differ, but the query must use the index of pending photos.
        #expect(plan.contains { $0.contains("INDEX capture_open") }, "\(plan)")
    }

    @Test func `stores the time zone of a camera's clock`() async throws {
        let camera = CameraStatus(id: "canon-1", name: "left", port: "p", state: .ready)
        for zone in [TimeZone(identifier: "Asia/Tokyo"), TimeZone(identifier: "America/New_York"), nil] {
            try await ledger.recordCamera(
                camera, as: "body", zone: zone, place: "1-1", isListed: true, at: Self.now)
            let known = try await ledger.knownCameras()
            #expect(known.map(\.camera.zone) == [zone ?? .current])
        }
    }

    /// The cost of a page must not depend on the number of photos.
    @Test(arguments: [nil] + CaptureState.allCases)
    func `reads a page from the index of shots without sorting`(state: CaptureState?) async throws {
        try await fill([File()])
        let plan = try await ledger.read { db in
            try Row.fetchAll(
                db, sql: "EXPLAIN QUERY PLAN " + LedgerStore.pageSQL(state),
                arguments: ["before": nil, "camera": nil, "session": nil, "limit": 9]
            ).map { $0["detail"] as String }
        }
        #expect(plan.contains { $0.contains("capture_shot") })
        #expect(!plan.contains { $0.contains("ORDER BY") || $0.contains("DISTINCT") })
    }
}
