import Glibc

/// Asks a terminal something by an escape sequence, and waits for what it says.
enum TerminalQuestion {
    /// Longest wait for the answers, in milliseconds. The last question is one that every terminal answers, so only a terminal
    /// that answers nothing costs as much.
    static let waitMs = 200

    /// Asks on standard output and reads answers from standard input, which has to be in raw mode.
    ///
    /// - Parameter take: is given what came, and says whether that was all.
    static func ask(_ question: String, _ take: (ArraySlice<UInt8>) -> Bool) {
        FileDescriptorText.write(question, to: STDOUT_FILENO)
        var left = waitMs
        var buffer = [UInt8](repeating: 0, count: 256)
        while left > 0 {
            var before = timespec()
            clock_gettime(CLOCK_MONOTONIC, &before)
            var input = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
            guard poll(&input, 1, Int32(left)) > 0 else { return }
            let count = read(STDIN_FILENO, &buffer, buffer.count)
            guard count > 0, !take(buffer[..<count]) else { return }
            var after = timespec()
            clock_gettime(CLOCK_MONOTONIC, &after)
            left -= max(
                1, (after.tv_sec - before.tv_sec) * 1000 + (after.tv_nsec - before.tv_nsec) / 1_000_000)
        }
    }
}
