import CLinux
import Glibc

/// A POSIX thread for blocking code, which must not run on Swift's cooperative pool.
///
/// This type replaces Foundation's `Thread`, which would add Foundation to small programs. `Thread` also does
/// not report that a thread could not be created.
public struct PlainThread: Sendable {
    /// The reason why a thread could not be started: the limit of threads is reached, or the system has no
    /// memory for the stack.
    public struct StartError: Error, Hashable, Sendable, CustomStringConvertible {
        /// The thread's name.
        public let name: String
        /// The system's error number (errno).
        public let number: Int32

        /// The error message.
        public var description: String { "cannot start the thread \(name): \(reason)" }
        /// The reason without the thread's name.
        public var reason: String { String(cString: strerror(number)) }
    }

    /// The exit code of a process that cannot start a required thread (`EX_OSERR` of sysexits.h).
    public static let cannotStart: Int32 = 71

    private let thread: pthread_t

    /// Starts a detached thread, which ends when `body` returns.
    ///
    /// - Parameters:
    ///   - name: The name for debuggers, truncated to 15 bytes.
    ///   - stackBytes: The stack size in bytes, or `nil` for the system's default, usually 8 MiB. Set a small
    ///     size for threads that exist in large numbers.
    ///   - yields: Whether the thread runs at a lower priority than other threads. If the system refuses the
    ///     lower priority, the thread runs at the normal priority.
    public static func start(
        _ name: String, stackBytes: Int? = nil, yields: Bool = false, _ body: @escaping @Sendable () -> Void
    ) throws(StartError) {
        let thread = try create(name, stackBytes) {
            if yields && DebugSwitches.uploadsYield { _ = framefast_lower_priority(0) }
            body()
        }
        pthread_detach(thread)
    }

    /// Starts a thread. The caller must call ``join()`` exactly once.
    public static func startJoinable(
        _ name: String, _ body: @escaping @Sendable () -> Void
    ) throws(StartError) -> PlainThread {
        PlainThread(thread: try create(name, nil, body))
    }

    /// Starts a thread that the program requires. On failure, writes an error to descriptor 2 and ends the
    /// process with ``cannotStart``.
    public static func startOrExit(_ name: String, _ body: @escaping @Sendable () -> Void) {
        do { try start(name, body) } catch {
            let message = Array("\(error)\n".utf8)
            _ = write(2, message, message.count)
            _exit(cannotStart)
        }
    }

    /// Waits until the thread has ended. Call this function once, from a different thread.
    public func join() { pthread_join(thread, nil) }

    private static func create(
        _ name: String, _ stackBytes: Int?, _ body: @escaping @Sendable () -> Void
    ) throws(StartError) -> pthread_t {
        var thread = pthread_t()
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        if let stackBytes { pthread_attr_setstacksize(&attributes, stackBytes) }
        let job = Unmanaged.passRetained(Job(name, body))
        let status = pthread_create(
            &thread, &attributes,
            { pointer in
                guard let pointer else { return nil }
                let job = Unmanaged<Job>.fromOpaque(pointer).takeRetainedValue()
                framefast_name_thread(job.name)
                job.body()
                return nil
            }, job.toOpaque())
        guard status == 0 else {
            job.release()
            throw StartError(name: name, number: status)
        }
        return thread
    }

    private final class Job: Sendable {
        let name: String
        let body: @Sendable () -> Void

        init(_ name: String, _ body: @escaping @Sendable () -> Void) {
            self.name = name
            self.body = body
        }
    }
}
