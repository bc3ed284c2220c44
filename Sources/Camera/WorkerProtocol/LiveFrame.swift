public import FoundationEssentials

/// A frame of live view: a JPEG as the camera made it. It is no photo; nothing of it is kept.
///
/// On the wire it is no JSON: the mark, the order's id (8 bytes, big-endian), the picture.
public struct LiveFrame: Codable, Hashable, Sendable {
    /// Largest frame, in bytes: cameras send 50 to 300 kB.
    public static let bytesMax = 2 * 1_024 * 1_024
    /// First byte of a frame's body. No JSON of an event begins with it, nor does a pulse.
    static let mark = UInt8(ascii: "f")
    private static let idBytes = 8

    /// The picture.
    public var jpeg: Data

    /// Creates a frame.
    public init(jpeg: Data) { self.jpeg = jpeg }

    /// Whether it begins and ends as a JPEG does: drivers take other answers for frames (Olympus, Fujifilm).
    public var isWhole: Bool {
        jpeg.count > 4 && jpeg.starts(with: [0xFF, 0xD8]) && jpeg.suffix(2).elementsEqual([0xFF, 0xD9])
    }

    /// The body of its wire frame.
    func body(id: UInt64) -> Data {
        var body = Data(capacity: 1 + Self.idBytes + jpeg.count)
        body.append(Self.mark)
        withUnsafeBytes(of: id.bigEndian) { body.append(contentsOf: $0) }
        body.append(jpeg)
        return body
    }

    /// Reads a body; `nil` when it is none of a frame.
    static func read(_ body: Data) -> (id: UInt64, frame: LiveFrame)? {
        guard body.first == mark, body.count > 1 + idBytes else { return nil }
        let id = body.dropFirst().prefix(idBytes).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return (id, LiveFrame(jpeg: Data(body.dropFirst(1 + idBytes))))
    }
}
