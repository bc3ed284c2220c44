import CLinux
import Glibc

/// Threads for code that blocks for as long as it likes – a driver, a socket, the keyboard –, which Swift's cooperative
/// pool must not. POSIX threads and not Foundation's: that would bring all of Foundation into small programs, and says
/// nothing when the system has no thread left.
public struct PlainThread: Sendable {
    /// Why a thread could not be started: the system has none left, or no memory for its stack.
    public struct StartError: Error, Hashable, Sendable, CustomStringConvertible {
        /// The thread's name.
        public let name: String
        /// The system's reason (errno).
        public let number: Int32

        /// For people.
        public var description: String { "cannot start the thread \(name): \(reason)" }
        /// The reason alone.
        public var reason: String { String(cString: strerror(number)) }
    }

    /// Ends the process where a thread cannot be started (`EX_OSERR` of sysexits.h).
    public static let cannotStart: Int32 = 71

    private let thread: pthread_t

    /// Starts a thread on whose end nobody waits. It ends when `body` returns, or with the process.
    ///
    /// - Parameters:
    ///   - name: For debuggers; what is over 15 bytes is cut off.
    ///   - stackBytes: Size of its stack, for threads of which there are many; `nil` for the system's, usually 8 MiB.
    ///   - yields: Whether other threads go before it when the processor is short. Where the system refuses that, it is a
    ///     thread like all.
    public static func start(
        _ name: String, stackBytes: Int? = nil, yields: Bool = false, _ body: @escaping @Sendable () -> Void
    ) throws(StartError) {
        let thread = try create(name, stackBytes) {
            if yields && DebugSwitches.uploadsYield { _ = framefast_lower_priority(0) }
            body()
        }
        pthread_detach(thread)
    }

    /// Starts a thread on whose end somebody waits: ``join()``, once, has to follow.
    public static func startJoinable(
        _ name: String, _ body: @escaping @Sendable () -> Void
    ) throws(StartError) -> PlainThread {
        PlainThread(thread: try create(name, nil, body))
    }

    /// Starts a thread in a program that can do nothing of what it is for without: where there is none, the process says
    /// so on descriptor 2, and ends with ``cannotStart``.
    public static func startOrExit(_ name: String, _ body: @escaping @Sendable () -> Void) {
        do { try start(name, body) } catch {
            let words = Array("\(error)\n".utf8)
            _ = write(2, words, words.count)
            _exit(cannotStart)
        }
    }

    /// Waits until the thread has ended. Once, and not on the thread itself.
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
