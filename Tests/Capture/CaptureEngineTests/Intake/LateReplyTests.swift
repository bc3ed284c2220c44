import Foundation
import FrameFastModel
import ScriptedWorker
import Synchronization
import Testing
import WorkerProtocol

@testable import CaptureEngine

/// Tests of photos whose replies follow the replies for later photos, because the worker still hashes them.
@Suite struct LateReplyTests {
    private static func photo(_ name: String) -> CameraObject {
        CameraObject(
            folder: "/store_00010001/DCIM", name: name, size: UInt64(name.utf8.count), cameraTime: 1)
    }

    /// Serves a camera whose card has the photo `0.XML`, and announces the shots after this photo is saved.
    ///
    /// - Parameters:
    ///   - late: The shots with delayed replies. Each reply follows the reply for the shot `after`.
    ///   - isDone: Returns whether the test ends the connection.
    /// - Returns: The records of the shots.
    private static func serve(
        _ shots: [CameraObject], late: [(shot: CameraObject, after: CameraObject)],
        failure: @escaping @Sendable (_ shot: CameraObject, _ reading: Int) -> WorkerFailure?,
        until isDone: @escaping @Sendable ([CaptureRecord]) -> Bool
    ) async throws -> [CaptureRecord] {
        let camera = try await ScriptedCamera([photo("0.XML")]) { object, number, _ throws(WorkerFailure) in
            if let error = failure(object, number) { throw error }
            return Data(object.name.utf8)
        }
        defer { camera.remove() }
        for (shot, other) in late { camera.worker.delayReply(to: shot.name, after: other.name) }
        let isAnnounced = Mutex(false)
        try await camera.serve {
            let records = try await camera.records()
            guard records.first?.state == .saved else { return false }
            let isFirst = isAnnounced.withLock { isAnnounced in
                defer { isAnnounced = true }
                return !isAnnounced
            }
            if isFirst { camera.announce(shots) }
            return isDone(Array(records.dropFirst()))
        }
        return Array(try await camera.records().dropFirst())
    }

    @Test func `numbers shots in their order despite a failed fetch between them`() async throws {
        let shots = ["A.XML", "B.XML", "C.XML", "D.XML", "E.XML"].map(Self.photo)
        // Three fetches run at the same time. The replies of A and D are late. The fetch of E therefore
        // starts only after the fetch of B has failed and the bytes of C have arrived.
        let records = try await Self.serve(
            shots, late: [(shot: shots[0], after: shots[4]), (shot: shots[3], after: shots[4])],
            failure: { shot, reading in
                guard shot == shots[1], reading == 1 else { return nil }
                return WorkerFailure(kind: .refused, during: "fetch", text: "not now")
            },
            until: { records in records.count { $0.state == .saved } == shots.count })
        // The photo on the card has number 1. The second fetch of B starts after the other fetches.
        #expect(records.map(\.counter) == [2, 6, 3, 4, 5])
    }

    @Test func `attributes a lost connection to the photo whose read failed`() async throws {
        let shots = ["A.XML", "B.XML", "C.XML"].map(Self.photo)
        // The driver fails to read B while the worker still hashes A. The worker refuses the fetch of C.
        let records = try await Self.serve(
            shots, late: [(shot: shots[0], after: shots[1])],
            failure: { shot, _ in
                guard shot != shots[0], shot.name != "0.XML" else { return nil }
                return WorkerFailure(
                    kind: .disconnected, during: shot == shots[1] ? WorkerFailure.fetching : "start",
                    text: "gone")
            },
            until: { $0.first?.state == .saved && $0.contains { $0.attempts > 0 } })
        #expect(records.map(\.attempts) == [0, 1, 0])
    }
}
