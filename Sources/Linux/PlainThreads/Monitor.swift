import Glibc

/// A lock that one can wait on, for plain threads.
public final class Monitor: @unchecked Sendable {
    // The two C objects have a fixed address and are used only by their own functions.
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

    /// A monitor that nobody holds.
    public init() {
        pthread_mutex_init(mutex, nil)
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        // A wait with an end must not grow or shrink when somebody sets the clock.
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

    /// Runs `body` with the lock held, then wakes everyone who waits.
    public func change<Result>(_ body: () -> Result) -> Result {
        pthread_mutex_lock(mutex)
        defer {
            pthread_cond_broadcast(condition)
            pthread_mutex_unlock(mutex)
        }
        return body()
    }

    /// Runs `body` with the lock held, and wakes nobody: for what no one waits for.
    public func look<Result>(_ body: () -> Result) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return body()
    }

    /// Waits until `take` gives something. It is asked with the lock held, at once and after each change.
    public func wait<Result>(_ take: () -> Result?) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while true {
            if let result = take() { return result }
            pthread_cond_wait(condition, mutex)
        }
    }

    /// Waits like ``wait(_:)``, but no longer than this.
    ///
    /// - Parameter seconds: 0 and less asks without waiting; at most ``longestSeconds``.
    /// - Returns: `nil` when the time is up and `take` still gives nothing.
    public func wait<Result>(seconds: Double, _ take: () -> Result?) -> Result? {
        var end = timespec()
        clock_gettime(CLOCK_MONOTONIC, &end)
        let nanoseconds = Int(min(max(seconds, 0), Self.longestSeconds) * 1e9) + end.tv_nsec
        end.tv_sec += nanoseconds / 1_000_000_000
        end.tv_nsec = nanoseconds % 1_000_000_000
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while true {
            if let result = take() { return result }
            if pthread_cond_timedwait(condition, mutex, &end) == ETIMEDOUT { return take() }
        }
    }

    /// A hundred years: as a number of nanoseconds it fits 64 bits.
    public static let longestSeconds = 100 * 365.25 * 86_400
}
