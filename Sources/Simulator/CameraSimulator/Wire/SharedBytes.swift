import Glibc

/// A read-only piece of memory that many photos can point into: a mapped file, or bytes made once.
public final class SharedBytes: Sendable {
    /// First byte.
    // Set once in init and only read afterwards; the memory behind it is never written again.
    nonisolated(unsafe) let base: UnsafeRawPointer
    /// Number of bytes.
    public let count: Int
    private let release: @Sendable (UnsafeRawPointer, Int) -> Void

    /// Copies bytes that were made in memory.
    public init(_ bytes: [UInt8]) {
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: max(1, bytes.count), alignment: 16)
        memory.copyBytes(from: bytes)
        base = UnsafeRawPointer(memory.baseAddress.unsafelyUnwrapped)
        count = bytes.count
        release = { pointer, _ in pointer.deallocate() }
    }

    /// Makes `count` bytes of anonymous memory and fills them once.
    init(count: Int, fill: (UnsafeMutableRawBufferPointer) -> Void) {
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: max(1, count), alignment: 4096)
        fill(memory)
        base = UnsafeRawPointer(memory.baseAddress.unsafelyUnwrapped)
        self.count = count
        release = { pointer, _ in pointer.deallocate() }
    }

    /// Maps a file, so that it is served without being read into memory first.
    ///
    /// - Throws: ``SimulatorError/file(path:reason:)`` when the file cannot be opened or mapped.
    public init(mapping path: String) throws(SimulatorError) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .file(path: path, reason: String(cString: strerror(errno))) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_size > 0 else {
            throw .file(path: path, reason: "it is empty or cannot be examined")
        }
        let size = Int(status.st_size)
        guard let memory = mmap(nil, size, PROT_READ, MAP_SHARED, descriptor, 0), memory != MAP_FAILED else {
            throw .file(path: path, reason: String(cString: strerror(errno)))
        }
        base = UnsafeRawPointer(memory)
        count = size
        release = { pointer, size in munmap(UnsafeMutableRawPointer(mutating: pointer), size) }
    }

    deinit { release(base, count) }
}
