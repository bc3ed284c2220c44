import Glibc

/// A read-only memory that many photos can share: a mapped file, or bytes in memory.
final class SharedBytes: Sendable {
    /// The address of the first byte.
    nonisolated(unsafe) let base: UnsafeRawPointer
    // `base` is set once in `init`, and the memory is not written afterwards, so concurrent reads are safe.

    /// The number of bytes.
    let count: Int
    private let release: @Sendable (UnsafeRawPointer, Int) -> Void

    init(_ bytes: [UInt8]) {
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: max(1, bytes.count), alignment: 16)
        memory.copyBytes(from: bytes)
        base = UnsafeRawPointer(memory.baseAddress.unsafelyUnwrapped)
        count = bytes.count
        release = { pointer, _ in pointer.deallocate() }
    }

    /// Allocates `count` bytes of anonymous memory and fills them once.
    init(count: Int, fill: (UnsafeMutableRawBufferPointer) -> Void) {
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: max(1, count), alignment: 4096)
        fill(memory)
        base = UnsafeRawPointer(memory.baseAddress.unsafelyUnwrapped)
        self.count = count
        release = { pointer, _ in pointer.deallocate() }
    }

    /// Maps a file into memory without reading its content.
    ///
    /// - Throws: ``SimulatorError/file(path:reason:)`` if the file cannot be opened or mapped.
    init(mapping path: String) throws(SimulatorError) {
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
