import Testing

@testable import CameraSimulator

struct LinkPaceTests {
    @Test(arguments: [
        (1, 1), (100_000, 5_000), (1_000_000, 50_000), (3_000_000, 65_536), (40_000_000, 65_536),
        (400_000_000, 400_000),
    ])
    func `a slice takes 1 ms or has 64 KiB, and takes at most 50 ms`(bytesPerSecond: Int, bytes: Int) {
        #expect(LinkPace(bytesPerSecond: bytesPerSecond).sliceBytes == bytes)
    }

    @Test(
        arguments: [
            (8_000_000, 400_000_000, 20_000_000), (200_000, 40_000_000, 5_000_000), (0, 1, 0),
            (10_000_000_000, 1_000_000, 10_000_000_000_000),
        ] as [(Int, Int, UInt64)])
    func `the transfer time is the number of bytes divided by the speed`(
        bytes: Int, bytesPerSecond: Int, nanoseconds: UInt64
    ) {
        #expect(LinkPace(bytesPerSecond: bytesPerSecond).nanoseconds(for: bytes) == nanoseconds)
    }
}
