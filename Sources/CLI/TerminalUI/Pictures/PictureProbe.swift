import Glibc

/// Whether a terminal draws pictures, and how many pixels it has for them.
public struct PictureProbe: Equatable, Sendable {
    /// A picture of one pixel that is only to be checked (a=q), then DA1, which every terminal answers.
    static let question = "\u{1B}_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\u{1B}\\\u{1B}[c"

    /// The better one of the protocols that it speaks; `nil` for none.
    public private(set) var pictures: PictureProtocol?
    /// Whether the last answer has arrived.
    public private(set) var isComplete = false
    private var pending: [UInt8] = []

    /// A probe without answers.
    public init() {}

    /// Asks the terminal behind standard input and output, which has to be in raw mode. Keys that come meanwhile are lost.
    public static func ask() -> PictureProbe {
        var probe = PictureProbe()
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
        if let answer = text.firstMatch(of: /\u{1B}\[\?([0-9;]*)c/) {
            isComplete = true
            // 4: sixel graphics.
            if pictures == nil, answer.output.1.split(separator: ";").dropFirst().contains("4") {
                pictures = .sixel
            }
        }
        if text.contains("\u{1B}_Gi=31;OK") { pictures = .kitty }
    }
}
