import Glibc

/// How long a thread ran, and how long it could have run and waited for a processor: the first two numbers of its
/// schedstat (Linux, Documentation/scheduler/sched-stats.rst).
struct ThreadTurns: Hashable, Sendable {
    var ranNs: UInt64
    var waitedNs: UInt64

    /// Reads those of the calling thread; `nil` where the kernel does not count them.
    static func ofThisThread() -> ThreadTurns? {
        let file = open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var text = [UInt8](repeating: 0, count: 80)
        let count = Glibc.read(file, &text, text.count)
        return count > 0 ? ThreadTurns(String(decoding: text.prefix(count), as: UTF8.self)) : nil
    }

    init?(_ text: String) {
        let numbers = text.split(whereSeparator: \.isWhitespace).prefix(2).compactMap { UInt64($0) }
        guard numbers.count == 2 else { return nil }
        (ranNs, waitedNs) = (numbers[0], numbers[1])
    }

    /// How much of the time since `before` in which it had something to do the thread waited, 0...1; `nil` when it had
    /// nothing to do.
    func waitedShare(since before: ThreadTurns) -> Double? {
        guard ranNs >= before.ranNs, waitedNs >= before.waitedNs else { return nil }
        let (ran, waited) = (Double(ranNs - before.ranNs), Double(waitedNs - before.waitedNs))
        return ran + waited > 0 ? waited / (ran + waited) : nil
    }
}
