import Glibc

/// A small file, mapped into memory, that always holds the last request to the camera and outlives the process.
///
/// Layout, little-endian: `UInt32` operation, `UInt32` first parameter, `UInt64` number of requests. A store to
/// shared memory costs nothing and survives an abort; it need not survive a power cut.
public final class RequestTrace: @unchecked Sendable {
    // Written by the thread that drives the camera only; read by another process after this one's death.
    private let words: UnsafeMutableRawPointer
    /// Size of the file in bytes.
    public static let byteCount = 16

    /// Maps the file, which is created when it is not there.
    ///
    /// - Throws: the errno value of the call that failed.
    public init(path: String) throws(RequestTraceError) {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o640)
        guard descriptor >= 0 else { throw RequestTraceError(errno: errno) }
        defer { close(descriptor) }
        // Not by ftruncate, which a worker may not call: it cuts files as well.
        let empty = [UInt8](repeating: 0, count: Self.byteCount)
        guard pwrite(descriptor, empty, empty.count, 0) == empty.count else {
            throw RequestTraceError(errno: errno)
        }
        guard let map = mmap(nil, Self.byteCount, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0),
            map != MAP_FAILED
        else { throw RequestTraceError(errno: errno) }
        words = map
    }

    deinit { munmap(words, Self.byteCount) }

    func note(operation: UInt32, parameter: UInt32, requests: UInt64) {
        words.storeBytes(of: operation.littleEndian, as: UInt32.self)
        words.storeBytes(of: parameter.littleEndian, toByteOffset: 4, as: UInt32.self)
        words.storeBytes(of: requests.littleEndian, toByteOffset: 8, as: UInt64.self)
    }
}

/// The trace file cannot be used.
public struct RequestTraceError: Error, Hashable, Sendable {
    /// The errno value.
    public var errno: Int32
}
