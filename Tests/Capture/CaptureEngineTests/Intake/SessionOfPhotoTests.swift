import Foundation
import FrameFastModel
import Store
import TestRig
import Testing

@testable import CaptureEngine

/// Tests that a photo on a card is assigned to the session that was running when the photo was taken.
@Suite(.blocking) struct SessionOfPhotoTests {
    private static let folder = "/store_00010001/DCIM/100TEST"

    private static func photo(_ name: String, taken: Date?) -> CameraObject {
        CameraObject(
            folder: folder, name: name, size: 3, cameraTime: taken.map { Int64($0.timeIntervalSince1970) })
    }

    private func records(
        _ objects: [CameraObject], drift: Int? = nil,
        sessions: [(name: String, start: TimeInterval, end: TimeInterval?)]
    ) async throws -> [CaptureRecord] {
        let now = Date()
        var facts = CameraFacts(maker: "Test", model: "T", serial: "S1")
        facts.clockDriftSeconds = drift
        let camera = try await ScriptedCamera(
            objects, facts: facts,
            seed: { ledger, _ in
                for session in sessions {
                    _ = try await ledger.startSession(name: session.name, at: now + session.start)
                    if let end = session.end { _ = try await ledger.stopSession(at: now + end) }
                }
            }, reading: { _, _, _ in Data("xml".utf8) })
        defer { camera.remove() }
        try await camera.serve {
            let records = try await camera.records()
            return records.count == objects.count && records.allSatisfy { $0.state == .saved }
        }
        return try await camera.records()
    }

    @Test func `assigns no session to photos that were taken outside of all sessions`() async throws {
        let week = Date(timeIntervalSinceNow: -7 * 86_400)
        let old = (1...3).map { Self.photo("OLD\($0).XML", taken: week + Double($0)) }
        let records = try await records(
            old + [Self.photo("NEW.XML", taken: Date())],
            sessions: [("Client A", -86_400, -80_000), ("Client B", -60, nil)])
        #expect(records.map(\.sessionID) == [nil, nil, nil, 2])
    }

    @Test func `assigns a photo to the session that ran when it was taken`() async throws {
        let records = try await records(
            [Self.photo("A.XML", taken: Date(timeIntervalSinceNow: -5_000))],
            sessions: [("Client A", -6_000, -4_000), ("Client B", -60, nil)])
        #expect(records.map(\.sessionID) == [1])
    }

    @Test(arguments: [-86_400, 86_400, 3_600])
    func `corrects a known clock error before assigning a photo to a session`(drift: Int)
        async throws
    {
        let records = try await records(
            [Self.photo("A.XML", taken: Date(timeIntervalSinceNow: Double(drift) - 30))], drift: drift,
            sessions: [("Client A", -6_000, -4_000), ("Client B", -60, nil)])
        #expect(records.map(\.sessionID) == [2])
    }

    @Test(arguments: [true, false])
    func `photos without a time join the session only on a known card`(
        isSameCard: Bool
    ) async throws {
        let camera = try await ScriptedCamera([]) { _, _, _ in Data() }
        defer { camera.remove() }
        let session = try await camera.ledger.startSession(name: "B", at: Date(timeIntervalSinceNow: -60))
        let known = Self.photo("KNOWN.XML", taken: nil)
        _ = try await camera.ledger.recordSeen([known], camera: "test-S1", session: 1, at: Date())
        let timeline = SessionTimeline([session])
        let seen = SeenObjects(
            camera.context, previous: IntakeState(endedAt: Date(timeIntervalSinceNow: -30)),
            timeline: { timeline })
        try await seen.startConnection()
        let new = Self.photo("NEW.XML", taken: nil)
        let listed = isSameCard ? [known, new] : [new]
        let records = try await seen.enterInLedger(listed, as: .seen, isListed: true)
        #expect(records.map(\.object.name) == ["NEW.XML"])
        #expect(records.map(\.sessionID) == [isSameCard ? 1 : nil])
        #expect(records.map(\.isUnsorted) == [!isSameCard])
    }
}
