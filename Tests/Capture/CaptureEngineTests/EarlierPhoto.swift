import Crypto
import Foundation
import FrameFastModel
import Store

@testable import CaptureEngine

/// A photo that an earlier connection saved.
struct EarlierPhoto {
    var object: CameraObject
    var camera: BodyID = "test-S1"
    var bytes: Data
    /// Whether the photo waits for its second reading.
    var awaitsReread = false

    /// Enters the photo in the ledger and writes its file below `root`.
    ///
    /// - Returns: The photo's number.
    @discardableResult
    func save(in ledger: LedgerStore, _ root: String) async throws -> CaptureID {
        let record = try await ledger.recordSeen([object], camera: camera, session: nil, at: Date())[0]
        let path = "\(root)/photos/earlier-\(record.id).xml"
        try bytes.write(to: URL(filePath: path))
        let digest = SHA256.hash(data: bytes).map { String(format: "%02x", $0) }.joined()
        let naming = LedgerStore.NamingPolicy(
            counterScope: { $0.bodyID.rawValue }, path: { _, _ in path }, pairSettleSeconds: 0,
            rereads: awaitsReread)
        let arrival = Arrival(
            id: record.id, bytes: UInt64(bytes.count), sha256: digest, transferMs: 1)
        _ = try await ledger.beginPublishing([arrival], naming: naming)
        try await ledger.finishPublishing([record.id], at: Date())
        return record.id
    }
}
