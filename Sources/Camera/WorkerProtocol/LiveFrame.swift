public import FoundationEssentials

/// A live-view frame: a JPEG as the camera encoded it. Frames are not stored as photos.
///
/// The wire format is binary instead of JSON. A message consists of a mark byte, the id of the request (8
/// bytes, big-endian) and the JPEG.
public struct LiveFrame: Codable, Hashable, Sendable {
    /// The maximum size of a frame, in bytes. Cameras send 50 to 300 kB.
    public static let bytesMax = 2 * 1_024 * 1_024
    /// The first byte of a frame's body. JSON events and heartbeats start with other bytes.
    static let mark = UInt8(ascii: "f")
    private static let idBytes = 8

    /// The JPEG data.
    public var jpeg: Data

    /// Creates a frame.
    public init(jpeg: Data) { self.jpeg = jpeg }

    /// Whether the data has the first and last bytes of a JPEG. The drivers for Olympus and Fujifilm
    /// sometimes return another response as a frame.
    public var isComplete: Bool {
        jpeg.count > 4 && jpeg.starts(with: [0xFF, 0xD8]) && jpeg.suffix(2).elementsEqual([0xFF, 0xD9])
    }

    /// Returns the body of the wire message.
    func body(id: UInt64) -> Data {
        var body = Data(capacity: 1 + Self.idBytes + jpeg.count)
        body.append(Self.mark)
        withUnsafeBytes(of: id.bigEndian) { body.append(contentsOf: $0) }
        body.append(jpeg)
        return body
    }

    /// Decodes a body. Returns `nil` if the body is not a frame.
    static func decode(_ body: Data) -> (id: UInt64, frame: LiveFrame)? {
        guard body.first == mark, body.count > 1 + idBytes else { return nil }
        let id = body.dropFirst().prefix(idBytes).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return (id, LiveFrame(jpeg: Data(body.dropFirst(1 + idBytes))))
    }
}
