/// The last request that a worker sent to its camera. The request is stored in a small file that survives a
/// crash of the worker.
///
/// libgphoto2 can abort during a call, for example because a 130-character name overflows a fixed buffer. The
/// worker writes each request to a shared mapping. After a crash, the daemon reads the mapping to find the
/// object of the last request.
///
/// Layout, little-endian: `UInt32` operation code, `UInt32` first parameter, `UInt64` number of requests.
public struct CallTrace: Hashable, Sendable {
    /// The size of the file, in bytes.
    public static let byteCount = 16
    /// The environment variable that contains the path of the file.
    public static let environmentKey = "FRAMEFAST_CALL_TRACE"

    /// The PTP operation code, for example `0x1008` (GetObjectInfo).
    public var operation: UInt32
    /// The first parameter. For object operations, this is the object handle.
    public var parameter: UInt32
    /// The number of requests that the worker process has sent.
    public var requests: UInt64

    /// Decodes a trace. Returns `nil` if the bytes are not a trace.
    public init?(bytes: [UInt8]) {
        guard bytes.count == Self.byteCount else { return nil }
        func word(_ range: Range<Int>) -> UInt64 {
            range.reversed().reduce(0) { $0 << 8 | UInt64(bytes[$1]) }
        }
        operation = UInt32(word(0..<4))
        parameter = UInt32(word(4..<8))
        requests = word(8..<16)
    }

    /// The handle of the object in the last request, or `nil` if the request did not concern an object.
    ///
    /// The first parameter is a handle for GetObjectInfo, GetObject, GetThumb, DeleteObject and
    /// GetPartialObject (PTP 1.0 operations 0x1008...0x100B and 0x101B), and for GetObjectPropList (MTP
    /// 0x9805).
    public var objectHandle: UInt32? {
        switch operation {
        case 0x1008...0x100B, 0x101B, 0x9805: parameter
        default: nil
        }
    }
}
