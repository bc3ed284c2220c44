/// A completed transfer. All bytes of the object are in a `.part` file.
public struct Arrival: Hashable, Sendable {
    /// The capture.
    public var id: CaptureID
    /// The number of bytes on disk.
    public var bytes: UInt64
    /// The SHA-256, in lower-case hex.
    public var sha256: String
    /// The duration of the transfer from the camera, in milliseconds.
    public var transferMs: Int
    /// The path of a file on disk that has the same bytes and no record in the ledger. This file was saved
    /// before the ledger was lost. `nil` if no file matches.
    public var foundAt: String?

    /// Creates an arrival.
    public init(id: CaptureID, bytes: UInt64, sha256: String, transferMs: Int) {
        self.id = id
        self.bytes = bytes
        self.sha256 = sha256
        self.transferMs = transferMs
    }
}

extension CaptureRecord {
    /// Records the result of a completed transfer.
    public mutating func record(_ arrival: Arrival) {
        bytes = arrival.bytes
        sha256 = arrival.sha256
        transferMs = arrival.transferMs
    }
}
