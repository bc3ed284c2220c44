/// What came of an object: bytes that are whole and durable in a `.part` file.
public struct Arrival: Hashable, Sendable {
    /// Which capture it is.
    public var id: CaptureID
    /// Bytes on disk.
    public var bytes: UInt64
    /// SHA-256, lower-case hex.
    public var sha256: String
    /// XXH128, lower-case hex; `nil` where nobody made it.
    public var xxh128: String?
    /// Time on the camera's link, milliseconds.
    public var transferMs: Int
    /// What the file says of how it was taken; `nil` for nothing, and while nobody looked.
    public var exif: PhotoExif?
    /// Stars in the file; `nil` when nobody looked.
    public var rating: Int?

    /// Creates an arrival.
    public init(id: CaptureID, bytes: UInt64, sha256: String, xxh128: String? = nil, transferMs: Int) {
        self.id = id
        self.bytes = bytes
        self.sha256 = sha256
        self.xxh128 = xxh128
        self.transferMs = transferMs
    }
}

extension CaptureRecord {
    /// Its bytes are here.
    public mutating func take(_ arrival: Arrival) {
        bytes = arrival.bytes
        sha256 = arrival.sha256
        xxh128 = arrival.xxh128
        transferMs = arrival.transferMs
        exif = arrival.exif
        rating = arrival.rating ?? rating
    }
}
