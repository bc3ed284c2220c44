import FrameFastModel
import Testing

@Suite struct DiskGuardTests {
    @Test(arguments: [
        (1_000 as UInt64, 0 as UInt64, true, DiskGuard.Level.ok), (1_000, 800, true, .ok),
        (1_000, 801, true, .low),
        (1_000, 900, true, .low), (1_000, 901, false, .full), (1_000, 1_001, false, .full),
        (99, 0, false, .full),
        (100, 0, true, .low), (1_000, .max, false, .full),
    ])
    func `admits a photo if the reserve stays free`(
        free: UInt64, need: UInt64, isAdmitted: Bool, level: DiskGuard.Level
    ) {
        var disk = DiskGuard(minFreeBytes: 100)
        #expect(disk.admit(needBytes: need, freeBytes: free) == isAdmitted)
        #expect(disk.level == level)
        #expect(disk.freeBytes == free)
    }

    @Test func `a failed write sets level full until the next photo fits`() {
        var disk = DiskGuard(minFreeBytes: 100)
        disk.recordFailedWrite()
        #expect(disk.level == .full)
        let fits = disk.admit(needBytes: 10, freeBytes: 1_000)
        #expect(fits)
        #expect(disk.level == .ok)
    }

    @Test func `rejects all photos without overflow if the reserve exceeds every disk`() {
        var disk = DiskGuard(minFreeBytes: .max)
        let fits = disk.admit(needBytes: 0, freeBytes: .max - 1)
        #expect(!fits)
    }
}
