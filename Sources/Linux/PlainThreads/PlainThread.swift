import CLinux
import Glibc

/// Threads for code that blocks for as long as it likes – a driver, a socket, the keyboard –, which Swift's cooperative
/// pool must not. POSIX threads and not Foundation's: that would bring all of Foundation into small programs.
public enum PlainThread {
    /// Ends the process where a thread cannot be started (`EX_OSERR` of sysexits.h).
    public static let cannotStart: Int32 = 71

    /// Starts a thread. It ends when `body` returns, or with the process.
    ///
    /// A program that gets no thread can do nothing of what it is for: the process says so on descriptor 2, and ends
    /// with ``cannotStart``.
    ///
    /// - Parameter name: For debuggers; what is over 15 bytes is cut off.
    public static func start(_ name: String, _ body: @escaping @Sendable () -> Void) {
        var thread = pthread_t()
        let job = Unmanaged.passRetained(Job(name, body)).toOpaque()
        let status = pthread_create(
            &thread, nil,
            { pointer in
                guard let pointer else { return nil }
                let job = Unmanaged<Job>.fromOpaque(pointer).takeRetainedValue()
                framefast_name_thread(job.name)
                job.body()
                return nil
            }, job)
        guard status == 0 else {
            let words = Array("cannot start the thread \(name): \(String(cString: strerror(status)))\n".utf8)
            _ = write(2, words, words.count)
            _exit(cannotStart)
        }
        pthread_detach(thread)
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
