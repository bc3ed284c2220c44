import Testing

@testable import FrameFastSystem

/// How many heaps the C allocator may have.
struct AllocatorArenasTests {
    @Test(arguments: [(-1, 2), (1, 2), (2, 2), (16, 16)])
    func `each processor has one, and none is alone`(processors: Int, arenas: Int) {
        #expect(AllocatorArenas.count(processors: processors) == arenas)
    }
}
