import Glibc

/// A parser that converts dial settings to an EOS's codes, which count eighths of a stop.
enum CanonDialText {
    /// Parses `aperture=5.6`, `shutter=1/125`, `iso=400`, `ev=-1/3`, `mode=S` or `d106=4`. Returns `nil` for
    /// anything else.
    static func setting(_ name: String, _ word: String) -> (code: UInt16, value: UInt32)? {
        switch name {
        case "mode":
            modes[word].map { (CanonProperty.exposureModeDial, $0.rawValue) }
        case "aperture":
            DialText.number(word).map { (CanonProperty.aperture, third(8 + 16 * log2($0))) }
        case "shutter" where word == "bulb": (CanonProperty.shutterSpeed, 0x0C)
        case "shutter":
            DialText.number(word).map { (CanonProperty.shutterSpeed, third(56 - 8 * log2($0))) }
        case "iso" where word == "auto": (CanonProperty.isoSpeed, 0)
        case "iso":
            DialText.number(word).map { (CanonProperty.isoSpeed, third(72 + 8 * log2($0 / 100))) }
        case "ev":
            DialText.signed(word).map { (CanonProperty.exposureCompensation, third($0 * 8)) }
        default: DialText.raw(name, word)
        }
    }

    private static let modes: [String: CanonDials.Mode] = [
        "P": .program, "S": .shutterPriority, "A": .aperturePriority, "M": .manual, "B": .bulb,
        "auto": .fullAuto, "movie": .movie,
    ]

    /// Returns the code of the nearest third of a stop, as a byte.
    private static func third(_ eighths: Double) -> UInt32 {
        let thirds = (eighths * 3 / 8).rounded()
        let stops = (thirds / 3).rounded(.down)
        let code = stops * 8 + [0, 3, 5][Int(thirds - stops * 3)]
        return UInt32(UInt8(truncatingIfNeeded: Int(max(-128, min(255, code)))))
    }
}
