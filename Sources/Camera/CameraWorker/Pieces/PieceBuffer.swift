import Glibc

/// Room for one piece of a photo. It ends at a page nobody may touch: the driver copies what a camera sent, and a length
/// that it did not check must end this process, not overwrite memory.
final class PieceBuffer {
    private let bytes: UnsafeMutableRawBufferPointer

    /// Maps the memory, which is taken when it is used; ends the process where there is none.
    init() {
        let page = Int(sysconf(Int32(_SC_PAGESIZE)))
        let count = PieceSize.most
        let map = mmap(nil, count + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        guard let map, map != MAP_FAILED, mprotect(map + count, page, PROT_NONE) == 0 else {
            Log.line("cannot map memory: \(String(cString: strerror(errno)))")
            _exit(WorkerExit.noRoom)
        }
        bytes = UnsafeMutableRawBufferPointer(start: map, count: count)
    }

    /// The last bytes of it, up to the page behind.
    func room(for count: Int) -> UnsafeMutableRawBufferPointer {
        UnsafeMutableRawBufferPointer(rebasing: bytes.suffix(min(count, bytes.count)))
    }

    /// Gives the memory back until it is used again.
    func release() { madvise(bytes.baseAddress, bytes.count, MADV_DONTNEED) }
}
