import Glibc

/// The time that a thread ran, and the time that it was ready but waited for a processor. The kernel reports
/// them as the first two values of the thread's schedstat file (Linux,
/// Documentation/scheduler/sched-stats.rst).
struct ThreadRunTimes: Hashable, Sendable {
    var ranNs: UInt64
    var waitedNs: UInt64

    /// Reads the times of the calling thread. Returns `nil` if the kernel does not report them.
    static func ofCurrentThread() -> ThreadRunTimes? {
        let file = open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var text = [UInt8](repeating: 0, count: 80)
        let count = Glibc.read(file, &text, text.count)
        return count > 0 ? ThreadRunTimes(String(decoding: text.prefix(count), as: UTF8.self)) : nil
    }

    init?(_ text: String) {
        let numbers = text.split(whereSeparator: \.isWhitespace).prefix(2).compactMap { UInt64($0) }
        guard numbers.count == 2 else { return nil }
        (ranNs, waitedNs) = (numbers[0], numbers[1])
    }

    /// Returns the waiting time since `before` divided by the waiting and running time, 0...1. Returns `nil`
    /// if the thread neither waited nor ran, or if `before` has larger times.
    func waitedShare(since before: ThreadRunTimes) -> Double? {
        guard ranNs >= before.ranNs, waitedNs >= before.waitedNs else { return nil }
        let (ran, waited) = (Double(ranNs - before.ranNs), Double(waitedNs - before.waitedNs))
        return ran + waited > 0 ? waited / (ran + waited) : nil
    }
}
