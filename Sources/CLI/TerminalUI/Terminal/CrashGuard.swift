import Glibc
import Synchronization

/// Restores the terminal when the process crashes. Otherwise, the terminal would stay in raw mode without a
/// cursor.
enum CrashGuard {
    /// The signals of crashes. Swift's runtime checks raise SIGILL or SIGTRAP.
    static let signals = [SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE, SIGABRT]

    /// The data for the signal handler, which must not allocate or wait for a lock.
    private struct Saved {
        var settings: termios
        var bytes: UnsafeMutableBufferPointer<UInt8>
    }

    /// The address of the saved data, or 0 without saved data.
    private static let saved = Atomic<UInt>(0)

    /// Installs signal handlers that restore the terminal when the process crashes.
    ///
    /// - Parameters:
    ///   - settings: The terminal's original settings.
    ///   - text: The bytes that restore the terminal's appearance.
    static func arm(_ settings: termios, text: String) {
        let bytes = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: text.utf8.count)
        _ = bytes.initialize(from: text.utf8)
        let memory = UnsafeMutablePointer<Saved>.allocate(capacity: 1)
        memory.initialize(to: Saved(settings: settings, bytes: bytes))
        free(exchange(memory))
        for number in signals {
            var action = sigaction()
            action.__sigaction_handler.sa_handler = { CrashGuard.handle($0) }
            // SA_RESETHAND restores the default action, so the signal that the handler raises ends the
            // process.
            action.sa_flags = Int32(bitPattern: UInt32(SA_RESETHAND)) | SA_NODEFER
            sigaction(number, &action, nil)
        }
    }

    /// Removes the signal handlers.
    static func disarm() {
        for number in signals { signal(number, SIG_DFL) }
        free(exchange(nil))
    }

    /// Handles a crash. write(2), tcsetattr(3) and raise(3) are allowed in a signal handler
    /// (signal-safety(7)).
    private static func handle(_ number: Int32) {
        restore()
        raise(number)
    }

    /// Restores the terminal. A second call does nothing.
    static func restore() {
        guard let saved = exchange(nil) else { return }
        _ = write(STDOUT_FILENO, saved.pointee.bytes.baseAddress, saved.pointee.bytes.count)
        tcsetattr(STDIN_FILENO, TCSANOW, &saved.pointee.settings)
    }

    private static func exchange(_ memory: UnsafeMutablePointer<Saved>?) -> UnsafeMutablePointer<Saved>? {
        let old = saved.exchange(UInt(bitPattern: memory), ordering: .acquiringAndReleasing)
        return UnsafeMutablePointer(bitPattern: old)
    }

    private static func free(_ memory: UnsafeMutablePointer<Saved>?) {
        guard let memory else { return }
        memory.pointee.bytes.deallocate()
        memory.deinitialize(count: 1)
        memory.deallocate()
    }
}
