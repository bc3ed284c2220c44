import Glibc
import PlainThreads

/// Ends a program whose reader is gone, also while it has nothing to write: a status bar that reloads leaves its followers
/// behind.
public enum ReaderWatch {
    /// Watches standard output from now on. The watch sleeps in the kernel.
    public static func start() {
        PlainThread.startOrExit("reader") {
            waitUntilGone(STDOUT_FILENO)
            SignalThread.die(of: SIGPIPE)
        }
    }

    /// Returns when nothing reads from the other end any more. Never returns for a file.
    static func waitUntilGone(_ descriptor: Int32) {
        var entry = pollfd(fd: descriptor, events: 0, revents: 0)
        // With no events asked for, only an error or the end of the line wakes it (poll(2)).
        while poll(&entry, 1, -1) < 1 {}
    }
}
