import Glibc

/// A buffer for one chunk of a photo, followed by an inaccessible page. If the driver copies more bytes than
/// requested, the process crashes instead of overwriting other memory.
final class ChunkBuffer {
    private let bytes: UnsafeMutableRawBufferPointer

    /// Maps the buffer. The kernel allocates its pages on first use. Ends the process if the mapping fails.
    init() {
        let page = Int(sysconf(Int32(_SC_PAGESIZE)))
        let count = ChunkSize.most
        let map = mmap(nil, count + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        guard let map, map != MAP_FAILED, mprotect(map + count, page, PROT_NONE) == 0 else {
            Log.line("cannot map memory: \(String(cString: strerror(errno)))")
            _exit(WorkerExit.outOfResources)
        }
        bytes = UnsafeMutableRawBufferPointer(start: map, count: count)
    }

    /// Returns the last `count` bytes of the buffer, which end at the inaccessible page.
    func tail(_ count: Int) -> UnsafeMutableRawBufferPointer {
        UnsafeMutableRawBufferPointer(rebasing: bytes.suffix(min(count, bytes.count)))
    }

    /// Releases the memory until the next use.
    func release() { madvise(bytes.baseAddress, bytes.count, MADV_DONTNEED) }
}
