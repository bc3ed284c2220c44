import Glibc

/// A small memory-mapped file that contains the last request to the camera. The file survives a crash of the
/// process.
///
/// Layout, little-endian: `UInt32` operation, `UInt32` first parameter, `UInt64` number of requests. A store
/// to shared memory is fast and survives an abort. A power failure may destroy the trace.
public final class RequestTrace: @unchecked Sendable {
    // Only the thread that calls the driver writes. The daemon reads the file after this process has died.
    private let words: UnsafeMutableRawPointer
    /// The size of the file, in bytes.
    public static let byteCount = 16

    /// Maps the file. Creates it if it is missing.
    ///
    /// - Throws: An error with the errno of the failed call.
    public init(path: String) throws(RequestTraceError) {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o640)
        guard descriptor >= 0 else { throw RequestTraceError(errno: errno) }
        defer { close(descriptor) }
        // Sets the size by writing. The worker's sandbox blocks ftruncate, which could also shorten other
        // files.
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

    func record(operation: UInt32, parameter: UInt32, requests: UInt64) {
        words.storeBytes(of: operation.littleEndian, as: UInt32.self)
        words.storeBytes(of: parameter.littleEndian, toByteOffset: 4, as: UInt32.self)
        words.storeBytes(of: requests.littleEndian, toByteOffset: 8, as: UInt64.self)
    }
}

/// An error that occurred while opening or mapping the trace file.
public struct RequestTraceError: Error, Hashable, Sendable {
    /// The errno of the failed call.
    public var errno: Int32
}
