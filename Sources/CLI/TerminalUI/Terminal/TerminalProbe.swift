import Glibc

/// A probe that detects a terminal's background and its support for synchronized updates.
public struct TerminalProbe: Equatable, Sendable {
    /// The queries: OSC 11 (background), DECRQM 2026 (synchronized updates) and DA1 (device attributes).
    static let query = "\u{1B}]11;?\u{1B}\\\u{1B}[?2026$p\u{1B}[c"

    /// The palette for the background, or `nil` if the terminal does not report its background.
    public private(set) var palette: Palette?
    /// Whether the terminal supports synchronized updates.
    public private(set) var isSynchronized = false
    /// Whether the last response has arrived.
    public private(set) var isComplete = false

    private var pending: [UInt8] = []

    /// Queries the terminal at standard input and output, which must be in raw mode. Keys that are pressed
    /// during the query are lost.
    public static func queryTerminal() -> TerminalProbe {
        var probe = TerminalProbe()
        TerminalQuery.send(query) { bytes in
            probe.feed(bytes)
            return probe.isComplete
        }
        return probe
    }

    /// Handles bytes from the terminal.
    public mutating func feed(_ bytes: some Sequence<UInt8>) {
        pending += bytes
        let text = String(decoding: pending, as: UTF8.self)
        if let match = text.firstMatch(of: /\u{1B}\]11;rgba?:([0-9a-fA-F\/]+)(?:\u{07}|\u{1B}\\)/) {
            palette = Self.palette(String(match.output.1))
        }
        // The states of the mode are: 0 unknown, 1 set, 2 reset, 4 permanently reset.
        if let match = text.firstMatch(of: /\u{1B}\[\?2026;(\d)\$y/) {
            isSynchronized = ["1", "2"].contains(match.output.1)
        }
        isComplete = text.firstMatch(of: /\u{1B}\[\?[0-9;]*c/) != nil
    }

    /// Returns the palette for a background of `rrrr/gggg/bbbb`, or `nil` if the text has a different format.
    static func palette(_ parts: String) -> Palette? {
        let shares = parts.split(separator: "/").prefix(3).compactMap { part -> Double? in
            guard let value = UInt32(part, radix: 16), (1...4).contains(part.count) else { return nil }
            return Double(value) / Double((1 << (4 * part.count)) - 1)
        }
        guard shares.count == 3 else { return nil }
        // The perceived brightness (ITU-R BT.601).
        return 0.299 * shares[0] + 0.587 * shares[1] + 0.114 * shares[2] > 0.5 ? .light : .dark
    }
}
