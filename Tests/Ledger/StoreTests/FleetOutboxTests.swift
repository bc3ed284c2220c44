import Foundation
import FrameFastModel
import TestRig
import Testing

@testable import Store

/// What other computers are told, and orders of theirs.
@Suite struct FleetOutboxTests {
    private static let now = Date(timeIntervalSince1970: 1_795_271_130)
    private let scratch: ScratchFolder
    private let ledger: LedgerStore

    init() throws {
        scratch = try ScratchFolder()
        ledger = try LedgerStore(path: scratch.path("ledger.sqlite"))
    }

    private func save(_ name: String) async throws -> CaptureRecord {
        try await ledger.savePhoto(name, sha256: "00ff", seenAt: Self.now, savedAt: Self.now)
    }

    private func kinds() async throws -> [String] {
        try await ledger.fleetEvents(after: 0, limit: 100).map(\.kind)
    }

    @Test
    func `nothing is entered unless somebody is to be told, and what waited is forgotten when nobody is`()
        async throws
    {
        _ = try await save("IMG_0001.JPG")
        #expect(try await kinds() == [])
        try await ledger.keepFleetEvents(true)
        _ = try await save("IMG_0002.JPG")
        #expect(try await kinds() == ["saved"])
        try await ledger.keepFleetEvents(false)
        #expect(try await kinds() == [])
        // Numbers go on, so that nobody takes an event for another one.
        try await ledger.keepFleetEvents(true)
        _ = try await save("IMG_0003.JPG")
        #expect(try await ledger.fleetEvents(after: 0, limit: 9).map(\.seq) == [2])
    }

    @Test func `a photo is told once with its facts, a session when it starts and stops`() async throws {
        try await ledger.keepFleetEvents(true)
        let session = try await ledger.startSession(name: "Ring", at: Self.now)
        let photo = try await save("IMG_0001.JPG")
        try await ledger.finishPublishing([photo.id], at: Self.now + 5)
        _ = try await ledger.stopSession(at: Self.now + 9)
        let events = try await ledger.fleetEvents(after: 0, limit: 100)
        #expect(events.map(\.kind) == ["session-started", "saved", "session-stopped"])
        #expect(events.map(\.seq) == [1, 2, 3])
        struct Saved: Decodable, Equatable {
            var capture: Int64
            var shot: Int64
            var camera: String
            var bytes: Int
            var sha256: String
        }
        let facts = try JSONDecoder().decode(Saved.self, from: Data(events[1].facts.utf8))
        #expect(
            facts
                == Saved(
                    capture: photo.id.rawValue, shot: photo.id.rawValue, camera: "a", bytes: 10,
                    sha256: "00ff"))
        #expect(events[0].facts.contains("\"name\":\"Ring\"") && events[0].at == session.startedAt)
        // Page by page, and what a broker has is gone.
        #expect(try await ledger.fleetEvents(after: 1, limit: 1).map(\.seq) == [2])
        try await ledger.forgetFleetEvents([1, 3])
        #expect(try await ledger.fleetEvents(after: 0, limit: 100).map(\.seq) == [2])
    }

    @Test func `an order is claimed once, and whoever repeats it gets its answer`() async throws {
        #expect(try await ledger.claimFleetOrder("one", at: Self.now) == .mine)
        // Somebody began, and the computer lost its power.
        let again = try LedgerStore(path: scratch.path("ledger.sqlite"))
        #expect(try await again.claimFleetOrder("one", at: Self.now) == .unknown)
        try await again.answerFleetOrder("one", "{\"fired\":3}")
        #expect(try await again.claimFleetOrder("one", at: Self.now) == .answered("{\"fired\":3}"))
        #expect(try await again.claimFleetOrder("two", at: Self.now) == .mine)
        // A week later nobody repeats it: orders are valid for a minute.
        let later = Self.now + LedgerStore.ordersKeptSeconds + 1
        #expect(try await again.claimFleetOrder("three", at: later) == .mine)
        #expect(try await again.claimFleetOrder("one", at: later) == .mine)
    }

    @Test func `a hundred who claim an order at a time: one of them has it`() async throws {
        let claims = try await withThrowingTaskGroup { group in
            for _ in 0..<100 { group.addTask { try await ledger.claimFleetOrder("x", at: Self.now) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(claims.count { $0 == .mine } == 1 && claims.count { $0 == .unknown } == 99)
    }
}
