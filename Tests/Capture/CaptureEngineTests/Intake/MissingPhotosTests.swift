import Cameras
import Foundation
import FrameFastModel
import ScriptedWorker
import Store
import Synchronization
import Testing

@testable import CaptureEngine

/// Tests of missing photos. They were deleted on the camera, or they are on a card that was removed.
@Suite struct MissingPhotosTests {
    private static func object(_ name: String, _ storage: String = "store_00010001") -> CameraObject {
        CameraObject(folder: "/\(storage)/DCIM", name: name, size: 3, cameraTime: 1)
    }

    /// The objects of one connection, and the object list of the next connection.
    struct Row: CustomTestStringConvertible, Sendable {
        var testDescription: String
        /// The names on the card at the start of the first connection, and the names that the camera
        /// announces during that connection.
        var listed: [String] = []
        var announced: [String] = []
        /// The names on the card at the start of the next connection. The prefix "2:" means the second slot.
        var next: [String]
        var isWhole = true
        /// The names of the photos whose records are deleted. The other photos wait, and a condition reports
        /// them.
        var forgotten: [String]
    }

    private static let rows = [
        Row(
            testDescription: "a listed photo was deleted", listed: ["A", "B", "C"],
            next: ["A", "C"], forgotten: ["B"]),
        Row(
            testDescription: "the first listed photo was deleted", listed: ["A", "B", "C"],
            next: ["B", "C"], forgotten: ["A"]),
        Row(
            testDescription: "an announced photo was deleted", announced: ["A", "B", "C"],
            next: ["A", "C"], forgotten: ["B"]),
        Row(
            testDescription: "the last announced photo was deleted", listed: ["A"],
            announced: ["B", "C"], next: ["A", "B"], forgotten: ["C"]),
        Row(
            testDescription: "all photos deleted, which looks like another card",
            listed: ["A", "B"], announced: ["C"], next: [], forgotten: []),
        Row(
            testDescription: "the card removed", listed: ["A"], announced: ["B", "C"], next: [],
            forgotten: []),
        Row(
            testDescription: "another card in its slot", listed: ["A"], announced: ["B", "C"],
            next: ["X", "Y"], forgotten: []),
        Row(
            testDescription: "another card in its slot, with a photo of the first connection",
            listed: ["A", "B"], announced: ["C", "X"], next: ["X"], forgotten: []),
        Row(
            testDescription: "one of two cards removed", listed: ["A", "B", "2:D"],
            next: ["2:D"], forgotten: []),
        Row(
            testDescription: "an incomplete list", listed: ["A", "B", "C"], next: ["A", "C"],
            isWhole: false, forgotten: []),
    ]

    @Test(arguments: rows)
    func `forgets a missing photo only if its card is in the camera`(row: Row) async throws {
        func objects(_ names: [String]) -> [CameraObject] {
            names.map {
                $0.hasPrefix("2:") ? Self.object(String($0.dropFirst(2)), "store_00020001") : Self.object($0)
            }
        }
        let camera = try await ScriptedCamera([]) { _, _, _ in Data("xml".utf8) }
        defer { camera.remove() }
        let card = try await camera.ledger.recordSeen(
            objects(row.listed), camera: "test-S1", session: nil, at: Date())
        let first = SeenObjects(camera.context, previous: IntakeState(), timeline: { SessionTimeline() })
        try await first.startConnection()
        first.recordAbsent(card, listing: ObjectList(objects(row.listed)))
        let shots = try await first.enterInLedger(objects(row.announced), as: .seen, isListed: false)
        let listing = ObjectList(objects(row.next))
        // The camera did not find the missing photos.
        let waiting = (card + shots).filter { !listing.contains($0.object) }
        for record in waiting { first.recordNotFound(record) }
        let memory = IntakeState(notFound: first.notFound, fingerprint: first.fingerprint)

        let next = SeenObjects(camera.context, previous: memory, timeline: { SessionTimeline() })
        let left = try await next.forgettingDeleted(waiting, listing: listing, isWhole: row.isWhole)
        let names = Set(waiting.map(\.object.name))
        #expect(names.subtracting(left.map(\.object.name)) == Set(row.forgotten))
        #expect(next.cardless == left, "[loss] no condition for a photo that waits for its card")
        let pending = try await camera.ledger.pending(camera: "test-S1").map(\.id)
        #expect(Set(left.map(\.id)).isSubset(of: pending), "[loss] a waiting photo was forgotten")

        // After the card is inserted again, the next connection fetches all photos.
        let last = SeenObjects(
            camera.context, previous: IntakeState(notFound: next.notFound, fingerprint: next.fingerprint),
            timeline: { SessionTimeline() })
        let all = objects(row.listed + row.announced)
        let back = try await last.forgettingDeleted(left, listing: ObjectList(all), isWhole: true)
        #expect(back == left && last.cardless.isEmpty)
    }

    @Test func `keeps photos that reappear, were moved, or were not missing before`() async throws {
        let objects = ["ASLEEP.XML", "MOVED.XML", "OTHER CARD.XML", "NEIGHBOUR.XML"].map { Self.object($0) }
        let camera = try await ScriptedCamera([]) { _, _, _ in Data("xml".utf8) }
        defer { camera.remove() }
        let waiting = try await camera.ledger.recordSeen(
            objects, camera: "test-S1", session: nil, at: Date())
        var moved = objects[1]
        moved.folder = "/store_00020001/DCIM"
        var fingerprint = CardFingerprint()
        fingerprint.record(ObjectList(objects), waiting: waiting)
        let seen = SeenObjects(
            camera.context,
            previous: IntakeState(notFound: Set(waiting.prefix(2).map(\.id)), fingerprint: fingerprint),
            timeline: { SessionTimeline() })
        let left = try await seen.forgettingDeleted(
            waiting, listing: ObjectList([objects[0], moved, objects[3]]), isWhole: true)
        #expect(left == waiting && seen.cardless.isEmpty)
    }

    @Test func `remembers missing photos if the connection ends before the list arrives`() async throws {
        let camera = try await ScriptedCamera([]) { _, _, _ in Data("xml".utf8) }
        defer { camera.remove() }
        let waiting = try await camera.ledger.recordSeen(
            [Self.object("A"), Self.object("B")], camera: "test-S1", session: nil, at: Date())
        var fingerprint = CardFingerprint()
        fingerprint.record(ObjectList(waiting.map(\.object)), waiting: waiting)
        let seen = SeenObjects(
            camera.context, previous: IntakeState(notFound: [waiting[0].id], fingerprint: fingerprint),
            timeline: { SessionTimeline() })
        #expect(seen.notFound == [waiting[0].id] && seen.fingerprint == fingerprint)
    }

    @Test(arguments: [(0, 0, false), (1, 0, false), (1, 0, true), (0, 1, false)])
    func `keeps a photo whose card was removed and warns against formatting`(
        missing: Int, refused: Int, onlyFetchesPhotos: Bool
    ) async throws {
        let (gone, here) = (Self.object("GONE.XML"), Self.object("HERE.XML"))
        var facts = CameraFacts(maker: "Test", model: "T", serial: "S1")
        facts.onlyFetchesPhotos = onlyFetchesPhotos
        // The cases are an empty card, an incomplete list, a list that cannot be compared, and a list without
        // an object that the camera refuses to describe.
        let isEmpty = missing + refused == 0
        let camera = try await ScriptedCamera(isEmpty ? [] : [here], facts: facts) { _, _, _ in
            Data("xml".utf8)
        }
        defer { camera.remove() }
        camera.worker.setMissingCount(onlyFetchesPhotos ? 0 : missing)
        camera.worker.setRefusedCount(refused)
        let waiting = try await camera.ledger.recordSeen(
            [gone, here], camera: "test-S1", session: nil, at: Date())
        var fingerprint = CardFingerprint()
        fingerprint.record(ObjectList([gone, here]), waiting: waiting)
        let notFound = Set(waiting.prefix(isEmpty ? 2 : 1).map(\.id))
        camera.engine.intakeStates.withLock { [fingerprint] in
            $0["test-S1"] = IntakeState(notFound: notFound, fingerprint: fingerprint)
        }
        try await camera.serve { camera.conditionBoard.current.contains { $0.kind == .photoFailing } }
        let reported = camera.conditionBoard.current.first { $0.kind == .photoFailing }
        #expect(reported?.nextStep.contains("Do not format") == true)
        #expect(
            try await camera.records().contains { $0.object == gone && $0.state == .seen },
            "[loss] the photo is forgotten")
    }
}
