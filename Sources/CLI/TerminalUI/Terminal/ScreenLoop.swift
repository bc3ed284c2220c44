import Glibc
import SystemIO

/// The event loop of an interactive screen. The loop draws the screen and passes inputs to the screen. It
/// runs on one thread, which sleeps in `poll`.
public final class ScreenLoop {
    /// The longest wait for the rest of a key sequence, in milliseconds. After this time, a lone escape
    /// counts as the Escape key.
    static let escapeMs = 50
    /// The shortest time between two updates without a key press, in milliseconds. Faster changes are not
    /// visible, and a slow connection cannot transmit them.
    static let drawIntervalMs = 50

    /// An input of the loop.
    public enum Input: Equatable, Sendable {
        /// A key was pressed.
        case key(Key)
        /// A signal requests the end of the process.
        case signal(Int32)
        /// The mailbox has messages.
        case messages
        /// The time limit of the wait has passed.
        case time
        /// The terminal was closed.
        case closed
    }

    private let terminal = ScreenTerminal()
    private let signals: Mailbox<Int32>
    private var parser = KeyParser()

    /// Creates a loop and starts to handle signals. Create the loop before other threads start.
    public init() {
        let signals = Mailbox<Int32>()
        self.signals = signals
        SignalThread.start { signals.post($0) }
    }

    /// Draws the screen and handles inputs until an input ends the loop.
    ///
    /// - Parameters:
    ///   - messages: A descriptor that is readable while the screen's mailbox has messages.
    ///   - waitMs: Returns the longest time until the next update, in milliseconds.
    ///   - draw: Returns the lines of the screen.
    ///   - handle: Handles an input. Returns the result of the loop, or `nil` to continue.
    public func run<Ending>(
        _ style: Style, messages: Int32, waitMs: () -> Int, draw: (Layout) -> [Line],
        handle: (Input) -> Ending?
    ) -> Ending {
        terminal.enter()
        defer { terminal.leave() }
        let style = terminal.probeTerminal(for: style)
        var isDue = true
        var shownAt = SystemTime.monotonicNs
        func passedMs() -> Int { Int((SystemTime.monotonicNs - shownAt) / 1_000_000) }
        while true {
            if isDue {
                let size = TerminalSize.ofStandardOutput()
                let layout = Layout(width: size.columns, height: size.rows, hasUnicode: style.hasUnicode)
                terminal.show(Array(draw(layout).prefix(size.rows)), style, columns: size.columns)
                shownAt = SystemTime.monotonicNs
            }
            let left = isDue ? waitMs() : max(1, Self.drawIntervalMs - passedMs())
            let inputs = wait(milliseconds: left, messages)
            // Several messages share one update. A key press updates the screen immediately.
            isDue = inputs != [.messages] || passedMs() >= Self.drawIntervalMs
            for input in inputs {
                if let ending = handle(input) { return ending }
            }
        }
    }

    /// Causes the next update to redraw the whole screen.
    public func redraw() { terminal.invalidate() }

    /// Sounds the terminal's alert (BEL).
    public func ring() { terminal.ring() }

    /// Draws a picture over empty cells of the screen. The picture stays until ``erase(_:)``.
    public func draw(_ pixels: Pixels, _ pictures: PictureProtocol, row: Int, column: Int) {
        terminal.draw(pixels, pictures, row: row, column: column)
    }

    /// Removes the picture from the screen.
    public func erase(_ pictures: PictureProtocol) { terminal.erase(pictures) }

    /// Waits for inputs, and handles the signals that concern only the terminal.
    private func wait(milliseconds: Int, _ messages: Int32) -> [Input] {
        var descriptors = [STDIN_FILENO, messages, signals.descriptor].map {
            pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
        }
        let limit = parser.hasPartialKey ? Self.escapeMs : milliseconds
        _ = poll(&descriptors, nfds_t(descriptors.count), Int32(clamping: limit))
        var inputs: [Input] = []
        if descriptors[0].revents != 0 {
            guard let bytes = Self.readInput() else { return [.closed] }
            inputs += parser.feed(bytes).map { .key($0) }
        } else if parser.hasPartialKey {
            inputs += parser.flush().map { .key($0) }
        }
        if descriptors[1].revents != 0 { inputs.append(.messages) }
        for signal in signals.takeAll() {
            switch signal {
            case SIGTSTP: terminal.suspend()
            case SIGWINCH: terminal.invalidate()
            case SIGCONT: terminal.resume()
            default: inputs.append(.signal(signal))
            }
            if inputs.isEmpty { inputs.append(.time) }
        }
        return inputs.isEmpty ? [.time] : inputs
    }

    /// Reads the available bytes from standard input.
    ///
    /// - Returns: The bytes, which may be empty, or `nil` at the end of the input or after an error.
    public static func readInput() -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: 1024)
        do throws(SystemCallFailure) {
            let count = try IO.read(from: STDIN_FILENO, into: &buffer)
            return count > 0 ? Array(buffer[..<count]) : nil
        } catch { return error.number == EAGAIN ? [] : nil }
    }
}
