/// What came of an object: bytes that are whole and durable in a `.part` file.
public struct Arrival: Hashable, Sendable {
    /// Which capture it is.
    public var id: CaptureID
    /// Bytes on disk.
    public var bytes: UInt64
    /// SHA-256, lower-case hex.
    public var sha256: String
    /// Time on the camera's link, milliseconds.
    public var transferMs: Int
    /// The path of a file with these bytes that the ledger did not know, or `nil` without one: the photo was saved before the
    /// ledger was lost.
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
    /// Its bytes are here.
    public mutating func take(_ arrival: Arrival) {
        bytes = arrival.bytes
        sha256 = arrival.sha256
        transferMs = arrival.transferMs
    }
}
