/// The schedule of a reply on a slow link. The client receives a slice when the link has transferred its last
/// byte.
struct LinkPace {
    /// The speed, in bytes per second.
    let bytesPerSecond: Int

    /// The number of bytes in a slice: the bytes of 1 ms, but at least 64 KiB. On a link so slow that 64 KiB
    /// take more than 50 ms, the bytes of 50 ms.
    var sliceBytes: Int {
        max(1, min(max(bytesPerSecond / 1_000, 64 << 10), bytesPerSecond / 20))
    }

    /// Returns the transfer time of a number of bytes, in nanoseconds.
    func nanoseconds(for count: Int) -> UInt64 { UInt64(Double(count) * 1e9 / Double(bytesPerSecond)) }
}
