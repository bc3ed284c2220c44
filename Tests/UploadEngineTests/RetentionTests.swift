import Foundation
import FrameFastModel
import Store
import Testing

@testable import UploadEngine

/// Files go when their time is over, and only when they are delivered everywhere and still what was saved.
@Suite(.timeLimit(.minutes(2))) struct RetentionTests {
    private let rig: UploadRig
    private let nas = ScriptedDestination()

    init() throws { rig = try UploadRig() }

    private func session(_ keep: RetentionRule) async throws -> Int64 {
        let session = try await rig.store.startSession(name: "Wedding", at: rig.time.now)
        _ = try await rig.store.setRetention(keep, session: session.id)
        return session.id
    }

    private func isHere(_ id: Int64) async throws -> Bool {
        let path = try #require(try await rig.store.capture(id: id)?.path)
        return FileManager.default.fileExists(atPath: path)
    }

    /// Waits for the ledger to say that photos are cleared, and for good.
    private func cleared(_ ids: Set<Int64>) async throws {
        while true {
            var found: Set<Int64> = []
            for id in 1...9 { if try await rig.store.capture(id: Int64(id))?.clearedAt != nil { found.insert(Int64(id)) } }
            if found == ids, try await rig.store.interruptedClearings().isEmpty { return }
            try await Task.sleep(for: .milliseconds(2))
        }
    }

    @Test func `a photo that is kept until it is delivered goes when its last destination has it`() async throws {
        let session = try await session(.untilDelivered)
        try await rig.save(["a.jpg", "b.jpg"], session: session)
        let s3 = ScriptedDestination()
        s3.script { item in
            item.remoteName == "b.jpg" ? .fail(UploadFailure(.hopeless(.forbidden), "No.")) : .succeed
        }
        let service = try await rig.service([rig.target(nas), rig.target(s3, name: "s3")])
        try await rig.running(service) {
            try await cleared([1])
            await rig.wait(for: 1, in: .failed)
            #expect(try await !isHere(1))
            #expect(try await isHere(2))
        }
        let record = try #require(try await rig.store.capture(id: 1))
        #expect(record.state == .saved && record.path != nil && record.sha256 != nil)
    }
}
