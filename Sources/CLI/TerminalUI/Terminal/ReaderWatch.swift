import Glibc
import SystemIO

/// Ends the program when the reader closes the pipe, even if the program has nothing to write. A status bar
/// that reloads does not end its commands. Without this watch, the program would then continue to run.
public enum ReaderWatch {
    /// Starts a thread that watches standard output. The thread sleeps until the reader closes the pipe.
    public static func start() {
        PlainThread.startOrExit("reader") {
            waitUntilGone(STDOUT_FILENO)
            SignalThread.die(of: SIGPIPE)
        }
    }

    /// Waits until the reader closes its end of the pipe. Never returns for a file.
    static func waitUntilGone(_ descriptor: Int32) {
        var entry = pollfd(fd: descriptor, events: 0, revents: 0)
        // Without requested events, poll(2) returns only after an error or a hang-up.
        while poll(&entry, 1, -1) < 1 {}
    }
}
