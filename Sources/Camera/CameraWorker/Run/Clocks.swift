import GPhoto2
import Glibc

/// Returns the time of the monotonic clock, in milliseconds.
func nowMs() -> UInt64 { monotonicNanoseconds() / 1_000_000 }

/// Returns the time of the host's wall clock, in milliseconds since 1970.
func wallMs() -> Int {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    return Int(now.tv_sec) * 1_000 + Int(now.tv_nsec) / 1_000_000
}
