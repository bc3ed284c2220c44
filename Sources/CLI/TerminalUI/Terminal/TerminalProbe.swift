import Glibc

/// What a terminal says about itself: which background it has, and whether it can show a frame at once.
public struct TerminalProbe: Equatable, Sendable {
    /// OSC 11 (the background), DECRQM 2026 (synchronised updates), DA1 (who are you).
    static let question = "\u{1B}]11;?\u{1B}\\\u{1B}[?2026$p\u{1B}[c"

    /// The palette for its background; `nil` when it does not answer.
    public private(set) var palette: Palette?
    /// Whether it supports synchronised updates.
    public private(set) var isSynchronised = false
    /// Whether the last answer has arrived.
    public private(set) var isComplete = false

    private var pending: [UInt8] = []

    /// A probe without answers.
    public init() {}

    /// Asks the terminal behind standard input and output, which has to be in raw mode. Keys that come meanwhile are
    /// lost.
    public static func ask() -> TerminalProbe {
        var probe = TerminalProbe()
        TerminalQuestion.ask(question) { bytes in
            probe.feed(bytes)
            return probe.isComplete
        }
        return probe
    }

    /// Takes bytes in.
    public mutating func feed(_ bytes: some Sequence<UInt8>) {
        pending += bytes
        let text = String(decoding: pending, as: UTF8.self)
        if let answer = text.firstMatch(of: /\u{1B}\]11;rgba?:([0-9a-fA-F\/]+)(?:\u{07}|\u{1B}\\)/) {
            palette = Self.palette(String(answer.output.1))
        }
        // 1 and 2: set and reset; 0 and 4: not there, or for ever off.
        if let answer = text.firstMatch(of: /\u{1B}\[\?2026;(\d)\$y/) {
            isSynchronised = ["1", "2"].contains(answer.output.1)
        }
        isComplete = text.firstMatch(of: /\u{1B}\[\?[0-9;]*c/) != nil
    }

    /// Whether dark or light shades are read better on a background of `rrrr/gggg/bbbb`.
    static func palette(_ parts: String) -> Palette? {
        let shares = parts.split(separator: "/").prefix(3).compactMap { part -> Double? in
            guard let value = UInt32(part, radix: 16), (1...4).contains(part.count) else { return nil }
            return Double(value) / Double((1 << (4 * part.count)) - 1)
        }
        guard shares.count == 3 else { return nil }
        // What the eye makes of it (ITU-R BT.601).
        return 0.299 * shares[0] + 0.587 * shares[1] + 0.114 * shares[2] > 0.5 ? .light : .dark
    }
}
