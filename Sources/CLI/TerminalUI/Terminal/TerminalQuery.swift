import Glibc
import SystemIO

/// Queries a terminal with an escape sequence, and waits for the responses.
enum TerminalQuery {
    /// The longest wait for the responses, in milliseconds, for slow SSH connections. After `live` has given
    /// up, a response would be typed into the shell (claude-swap issue 177, qwen-code pull request 2718). The
    /// wait usually ends earlier, because every terminal responds to the last query.
    static let waitMs = 1_000

    /// Writes a query to standard output and reads the responses from standard input, which must be in raw
    /// mode.
    ///
    /// - Parameter handle: Handles the bytes of a response. Returns whether the responses are complete.
    static func send(_ query: String, _ handle: (ArraySlice<UInt8>) -> Bool) {
        FileDescriptorText.write(query, to: STDOUT_FILENO)
        var left = waitMs
        var buffer = [UInt8](repeating: 0, count: 256)
        while left > 0 {
            let before = SystemTime.monotonicNs
            var input = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
            guard poll(&input, 1, Int32(left)) > 0 else { return }
            let count = read(STDIN_FILENO, &buffer, buffer.count)
            guard count > 0, !handle(buffer[..<count]) else { return }
            left -= max(1, Int((SystemTime.monotonicNs - before) / 1_000_000))
        }
    }
}
