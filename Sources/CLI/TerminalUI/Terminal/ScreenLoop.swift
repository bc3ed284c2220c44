import Glibc

/// A screen with keys: shows pictures, and hands over what comes in. One thread, which sleeps in `poll`.
public final class ScreenLoop {
    /// Milliseconds after which a lone escape is the Escape key.
    static let escapeMs = 50
    /// Shortest time between two pictures without a key press, in milliseconds: no eye sees more, and a
    /// slow line carries no more.
    static let pictureMs = 50

    /// What comes in.
    public enum Input: Equatable, Sendable {
        /// A key.
        case key(Key)
        /// A signal that wants the process to end.
        case signal(Int32)
        /// The mailbox has something.
        case messages
        /// The time that was waited for has passed.
        case time
        /// The terminal is gone.
        case closed
    }

    private let terminal = ScreenTerminal()
    private let signals: Mailbox<Int32>
    private var parser = KeyParser()

    /// Takes the signals over: call it before other threads start.
    public init() {
        let signals = Mailbox<Int32>()
        self.signals = signals
        SignalThread.start { signals.post($0) }
    }

    /// Shows pictures until something ends it.
    ///
    /// - Parameters:
    ///   - messages: Readable while there is something in the mailbox of what is shown.
    ///   - waitMs: How long at most until the next picture, in milliseconds.
    ///   - picture: What is shown now.
    ///   - take: Takes in what came; returns the end, or `nil` to continue.
    public func run<Ending>(
        _ style: Style, messages: Int32, waitMs: () -> Int, picture: (Layout) -> [Line],
        take: (Input) -> Ending?
    ) -> Ending {
        terminal.enter()
        defer { terminal.leave() }
        let style = terminal.probed(style)
        var isDue = true
        var shownAt = ContinuousClock.now
        while true {
            if isDue {
                let size = TerminalSize.ofStandardOutput()
                let layout = Layout(width: size.columns, height: size.rows, hasUnicode: style.hasUnicode)
                terminal.show(Array(picture(layout).prefix(size.rows)), style, columns: size.columns)
                shownAt = .now
            }
            let passed = Int((ContinuousClock.now - shownAt) / .milliseconds(1))
            let left = isDue ? waitMs() : max(1, Self.pictureMs - passed)
            let inputs = wait(milliseconds: left, messages)
            // Many messages make one picture; a key makes one at once.
            isDue = inputs != [.messages] || ContinuousClock.now - shownAt >= .milliseconds(Self.pictureMs)
            for input in inputs {
                if let ending = take(input) { return ending }
            }
        }
    }

    /// Draws the next picture as a whole.
    public func redraw() { terminal.invalidate() }

    /// Rings the terminal's bell.
    public func ring() { terminal.ring() }

    /// Draws a picture over empty cells of the screen. It stays until ``erase(_:)``.
    public func draw(_ pixels: Pixels, _ pictures: PictureProtocol, row: Int, column: Int) {
        terminal.draw(pixels, pictures, row: row, column: column)
    }

    /// Removes the picture from the screen.
    public func erase(_ pictures: PictureProtocol) { terminal.erase(pictures) }

    /// Waits for something, and handles what only concerns the terminal.
    private func wait(milliseconds: Int, _ messages: Int32) -> [Input] {
        var descriptors = [STDIN_FILENO, messages, signals.descriptor].map {
            pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
        }
        let limit = parser.isHalfway ? Self.escapeMs : milliseconds
        _ = poll(&descriptors, nfds_t(descriptors.count), Int32(clamping: limit))
        var inputs: [Input] = []
        if descriptors[0].revents != 0 {
            guard let bytes = Self.read() else { return [.closed] }
            inputs += parser.feed(bytes).map { .key($0) }
        } else if parser.isHalfway {
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

    /// What came in; `nil` when the other end is gone.
    private static func read() -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: 1024)
        let count = Glibc.read(STDIN_FILENO, &buffer, buffer.count)
        if count < 0, errno == EINTR || errno == EAGAIN { return [] }
        return count > 0 ? Array(buffer[..<count]) : nil
    }
}
