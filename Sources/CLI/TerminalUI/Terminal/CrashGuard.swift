import Glibc
import Synchronization

/// Gives the terminal back when the process crashes: a shell in raw mode with no cursor would be left behind.
enum CrashGuard {
    /// Signals of crashes. Swift's own checks end in SIGILL or SIGTRAP.
    static let signals = [SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE, SIGABRT]

    /// What a signal handler may read: it must not allocate, and must not wait for a lock.
    private struct Saved {
        var settings: termios
        var bytes: UnsafeMutableBufferPointer<UInt8>
    }

    /// Address of what is saved; 0 for nothing.
    private static let saved = Atomic<UInt>(0)

    /// From now on a crash restores the terminal first.
    ///
    /// - Parameters:
    ///   - settings: What it had.
    ///   - text: What makes it look as before.
    static func arm(_ settings: termios, text: String) {
        let bytes = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: text.utf8.count)
        _ = bytes.initialize(from: text.utf8)
        let memory = UnsafeMutablePointer<Saved>.allocate(capacity: 1)
        memory.initialize(to: Saved(settings: settings, bytes: bytes))
        free(exchange(memory))
        for number in signals {
            var action = sigaction()
            action.__sigaction_handler.sa_handler = { CrashGuard.handle($0) }
            // The default comes back by itself, so that the second round ends the process.
            action.sa_flags = Int32(bitPattern: UInt32(SA_RESETHAND)) | SA_NODEFER
            sigaction(number, &action, nil)
        }
    }

    /// Crashes are left to the system again.
    static func disarm() {
        for number in signals { signal(number, SIG_DFL) }
        free(exchange(nil))
    }

    /// write(2), tcsetattr(3) and raise(3) are allowed in a signal handler (signal-safety(7)).
    private static func handle(_ number: Int32) {
        restore()
        raise(number)
    }

    /// Makes the terminal as before; once.
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
