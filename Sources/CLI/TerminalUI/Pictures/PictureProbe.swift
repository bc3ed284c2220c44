import Glibc

/// A probe that detects which picture protocol a terminal supports.
public struct PictureProbe: Equatable, Sendable {
    /// A kitty graphics query (a=q) with a picture of one pixel. A query for the device attributes (DA1)
    /// follows, because every terminal responds to it.
    static let query = "\u{1B}_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\u{1B}\\\u{1B}[c"

    /// The best protocol that the terminal supports, or `nil` if it supports no protocol.
    public private(set) var pictures: PictureProtocol?
    /// Whether the response to DA1, the last query, has arrived.
    public private(set) var isComplete = false
    private var pending: [UInt8] = []

    /// Queries the terminal at standard input and output, which must be in raw mode. Keys that are pressed
    /// during the query are lost.
    public static func queryTerminal() -> PictureProbe {
        var probe = PictureProbe()
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
        if let match = text.firstMatch(of: /\u{1B}\[\?([0-9;]*)c/) {
            isComplete = true
            // In the response to DA1, 4 means sixel graphics.
            if pictures == nil, match.output.1.split(separator: ";").dropFirst().contains("4") {
                pictures = .sixel
            }
        }
        if text.contains("\u{1B}_Gi=31;OK") { pictures = .kitty }
    }
}
