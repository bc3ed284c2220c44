import Foundation
import FrameFastModel
import Testing

@testable import Store

/// Photos that the suites of this room begin with.
extension LedgerStore {
    /// A photo that a camera announced.
    func seePhoto(_ name: String, camera: BodyID = "a", bytes: UInt64 = 10, at now: Date) async throws
        -> CaptureRecord
    {
        let object = CameraObject(folder: "/store/DCIM", name: name, size: bytes, cameraTime: 1)
        return try #require(await recordSeen([object], camera: camera, session: nil, at: now).first)
    }

    /// A photo that is durable as `/photos/NUMBER-shot.jpg`.
    ///
    /// - Parameter sha256: Of its bytes; those of its name when nothing is said, so that no two are the same photo.
    func savePhoto(
        _ name: String, bytes: UInt64 = 10, sha256 hash: String? = nil, transferMs: Int = 1,
        rereads: Bool = false, seenAt: Date, savedAt: Date
    ) async throws -> CaptureRecord {
        let seen = try await seePhoto(name, bytes: bytes, at: seenAt)
        let naming = NamingPolicy(
            counterScope: { "\($0.id)" }, path: { record, _ in "/photos/\(record.id)-shot.jpg" },
            pairSettleSeconds: 0, rereads: rereads)
        let arrival = Arrival(
            id: seen.id, bytes: bytes, sha256: hash ?? Hex.text(Array(name.utf8)), transferMs: transferMs)
        _ = try await beginPublishing([arrival], naming: naming)
        try await finishPublishing([seen.id], at: savedAt)
        return seen
    }
}
