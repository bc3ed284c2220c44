import Glibc

/// A mutex with a condition variable, for threads that share state.
public final class Monitor: @unchecked Sendable {
    // Only the functions of pthread access these C objects. Both need a fixed address.
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

    /// Creates an unlocked monitor.
    public init() {
        pthread_mutex_init(mutex, nil)
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        // A change of the system clock must not change the length of a wait with a timeout.
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_cond_init(condition, &attributes)
        pthread_condattr_destroy(&attributes)
    }

    deinit {
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(mutex)
        condition.deallocate()
        mutex.deallocate()
    }

    /// Runs `body` with the lock held, then wakes all waiting threads.
    public func withLockAndNotify<Result>(_ body: () -> Result) -> Result {
        pthread_mutex_lock(mutex)
        defer {
            pthread_cond_broadcast(condition)
            pthread_mutex_unlock(mutex)
        }
        return body()
    }

    /// Runs `body` with the lock held and wakes no thread. Use this for changes that no thread waits for.
    public func withLock<Result>(_ body: () -> Result) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return body()
    }

    /// Waits until `value` returns a result. Calls `value` with the lock held: immediately, and after each
    /// call of ``withLockAndNotify(_:)``.
    public func wait<Result>(_ value: () -> Result?) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while true {
            if let result = value() { return result }
            pthread_cond_wait(condition, mutex)
        }
    }

    /// Waits like ``wait(_:)``, with a timeout.
    ///
    /// - Parameter seconds: The timeout, in seconds, clamped to 0...``longestSeconds``. With 0, the function
    ///   does not wait.
    /// - Returns: The result, or `nil` if `value` returned only `nil` until the timeout.
    public func wait<Result>(seconds: Double, _ value: () -> Result?) -> Result? {
        let nanoseconds =
            Int(SystemTime.monotonicNs) + Int(min(max(seconds, 0), Self.longestSeconds) * 1e9)
        var end = timespec(tv_sec: nanoseconds / 1_000_000_000, tv_nsec: nanoseconds % 1_000_000_000)
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while true {
            if let result = value() { return result }
            if pthread_cond_timedwait(condition, mutex, &end) == ETIMEDOUT { return value() }
        }
    }

    /// The longest timeout, in seconds. In nanoseconds, a hundred years fit into 64 bits.
    public static let longestSeconds = 100 * 365.25 * 86_400
}
