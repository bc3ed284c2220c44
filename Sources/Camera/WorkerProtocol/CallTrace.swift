/// The last request a worker sent to its camera, kept in a small file that outlives the worker's death.
///
/// libgphoto2 can abort inside a call (a 130-character name overruns a fixed buffer). The worker's driver shim
/// writes each request into a shared mapping; after a crash the daemon reads which object was being asked about.
/// Layout, little-endian: `UInt32` operation code, `UInt32` first parameter, `UInt64` number of requests.
public struct CallTrace: Hashable, Sendable {
    /// Size of the file in bytes.
    public static let byteCount = 16
    /// Environment variable that tells the worker where the file is.
    public static let environmentKey = "FRAMEFAST_CALL_TRACE"

    /// PTP operation code, for example `0x1008` (GetObjectInfo).
    public var operation: UInt32
    /// First parameter: for object operations the object handle.
    public var parameter: UInt32
    /// Requests so far in this process.
    public var requests: UInt64

    /// Reads a trace; `nil` when the bytes are not one.
    public init?(bytes: [UInt8]) {
        guard bytes.count == Self.byteCount else { return nil }
        func word(_ range: Range<Int>) -> UInt64 {
            range.reversed().reduce(0) { $0 << 8 | UInt64(bytes[$1]) }
        }
        operation = UInt32(word(0..<4))
        parameter = UInt32(word(4..<8))
        requests = word(8..<16)
    }

    /// The object handle that was being asked about; `nil` when the last request was about no object.
    ///
    /// GetObjectInfo, GetObject, GetThumb, DeleteObject, GetPartialObject (PTP 1.0 operations 0x1008...0x100B and
    /// 0x101B) and GetObjectPropList (MTP 0x9805) carry a handle first.
    public var objectHandle: UInt32? {
        switch operation {
        case 0x1008...0x100B, 0x101B, 0x9805: parameter
        default: nil
        }
    }
}
