import CLinux
import Glibc

/// The heaps of the C allocator (glibc's arenas).
///
/// Left alone it makes one for each thread, up to eight for each processor, and each keeps what its thread once needed: from
/// the 500th photo to the 2,000th a debug build grew by 2.8 to 5.5 MB, and by 1.9 to 2.6 MB with a heap for each processor.
public enum AllocatorArenas {
    /// As many as threads can run at a time; with one alone they would wait for each other.
    static func count(processors: Int) -> Int { max(2, processors) }

    /// Makes no more of them than processors can use. Those that are there stay, so it is called early; changes nothing where
    /// the allocator refuses.
    public static func limit() {
        let processors = sysconf(Int32(_SC_NPROCESSORS_ONLN))
        _ = framefast_limit_malloc_arenas(Int32(clamping: count(processors: processors)))
    }
}
