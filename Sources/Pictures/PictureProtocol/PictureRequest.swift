/// The result that a request asks for.
public enum PictureTask: UInt8, Hashable, Sendable, CaseIterable {
    /// Only the facts in ``PictureResult``: size, mean color, histogram and clipping. No file is written.
    case facts = 0
    /// A JPEG whose sides have at most 512 pixels.
    case thumbnail = 1
    /// A JPEG whose sides have at most 2,048 pixels.
    case screen = 2
    /// A copy of the largest JPEG in the photo, in the camera's color space. If the photo is a JPEG, the copy
    /// has the bytes of the photo. A JPEG from a RAW file gets the orientation of the RAW file.
    ///
    /// The copy may contain the camera's EXIF data, for example the serial number or a position. The result
    /// has no mean color, no histogram and no clipping, because the worker does not decode the JPEG.
    case fullSize = 3

    /// The longest side of the result, in pixels, or `nil` if the worker does not encode a picture.
    ///
    /// A smaller picture keeps its size. An encoded picture is upright, in sRGB, not progressive, and
    /// contains no EXIF data.
    public var longestSide: Int? {
        switch self {
        case .thumbnail: 512
        case .screen: 2_048
        case .facts, .fullSize: nil
        }
    }

    /// Whether the worker writes a file. The request then has two descriptors.
    public var writesFile: Bool { self != .facts }
}

/// A request to `framefast-picture --descriptors`.
///
/// The standard input of the worker is a Unix stream socket. The worker sends the byte ``ready`` after it has
/// entered its sandbox. If a worker ends before it sends this byte, the cause is not a photo. The daemon
/// sends each request in one message (sendmsg with SCM_RIGHTS) with one or two descriptors:
///
/// 1. The photo, open for reading, and seekable.
/// 2. If ``PictureTask/writesFile`` is set, an empty file that is open for writing. The worker writes from
///    offset 0.
///
/// The worker answers each request with one ``PictureResult`` on the same socket, in the order of the
/// requests, and closes the descriptors. The worker exits with status 0 at the end of the stream, and with
/// another status after an invalid request. A hostile picture may end the worker without a result.
public struct PictureRequest: Hashable, Sendable {
    /// The size of an encoded request, in bytes.
    public static let byteCount = 8
    /// The argument that makes `framefast-picture` serve requests with descriptors.
    public static let programArgument = "--descriptors"

    /// The byte that a worker sends before it receives its first request.
    public static let ready: UInt8 = 0x52

    private static let version: UInt8 = 1

    /// A number that the result repeats.
    public var number: UInt32
    /// The result that the request asks for.
    public var task: PictureTask

    /// Creates a request.
    public init(number: UInt32, task: PictureTask) {
        self.number = number
        self.task = task
    }

    /// Encodes the request. Layout, big-endian: version (1 byte), task (1), zero (2), number (4).
    public func encode() -> [UInt8] {
        var bytes = [Self.version, task.rawValue, 0, 0]
        bytes.append(bigEndian: number)
        return bytes
    }

    /// Decodes a request. Returns `nil` if the bytes are not a request of this version.
    public init?(bytes: [UInt8]) {
        var reader = BigEndianReader(bytes)
        guard bytes.count == Self.byteCount, reader.byte() == Self.version,
            let task = PictureTask(rawValue: reader.byte()), reader.byte() == 0, reader.byte() == 0
        else { return nil }
        self.task = task
        number = reader.word()
    }
}
