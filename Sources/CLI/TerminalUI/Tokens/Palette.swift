/// Which colours are written.
public enum Palette: String, CaseIterable, Sendable {
    /// The 16 colours of the terminal's own theme: right on every background.
    case terminal
    /// Shades that can be read on a dark background.
    case dark
    /// Shades that can be read on a light background.
    case light
}

/// How many colours the other end shows.
public enum ColourDepth: Int, CaseIterable, Comparable, Sendable {
    /// No escape codes at all.
    case plain
    /// Bold, dim and reverse only.
    case mono
    /// The 16 colours of the terminal's own theme.
    case sixteen
    /// xterm's 256 colours.
    case indexed
    /// 24 bits.
    case truecolour

    /// Fewer colours are less.
    public static func < (a: ColourDepth, b: ColourDepth) -> Bool { a.rawValue < b.rawValue }
}

/// One colour in a palette.
public struct Shade: Hashable, Sendable {
    /// `0xRRGGBB`.
    public let rgb: UInt32
    /// The nearest that can be read of xterm's 256 colours.
    public let index: UInt8

    /// `#RRGGBB`, as bars and style sheets write it.
    public var hex: String {
        let digits = String(rgb, radix: 16, uppercase: true)
        return "#" + String(repeating: "0", count: 6 - digits.count) + digits
    }
}

/// What a role looks like, wherever it is shown.
public struct Colour: Sendable {
    /// On a light background.
    public let light: Shade
    /// On a dark background.
    public let dark: Shade
    /// Of the terminal's own 16 colours, 1...6: the others are the background of some theme. `nil` for its text.
    public let sixteen: Int?
    /// Without colours: the parameters of an escape sequence; `nil` for plain text.
    public let mono: String?

    /// The shade for a palette; where the background is not known, the one for dark bars.
    public func shade(_ palette: Palette) -> Shade { palette == .light ? light : dark }

    /// The parameters of an escape sequence that sets it; `nil` where nothing is to be set.
    func code(_ depth: ColourDepth, _ palette: Palette) -> String? {
        // Without a known background only the terminal's own colours are sure to be read.
        switch palette == .terminal ? min(depth, .sixteen) : depth {
        case .plain: nil
        case .mono: mono
        case .sixteen: sixteen.map { String(30 + $0) }
        case .indexed: "38;5;\(shade(palette).index)"
        case .truecolour:
            "38;2;\(shade(palette).rgb >> 16);\(shade(palette).rgb >> 8 & 0xFF);\(shade(palette).rgb & 0xFF)"
        }
    }
}

extension Colour {
    /// Every text colour reaches WCAG AA (4.5:1) on the backgrounds of common themes; a test computes it.
    public static func of(_ tone: Tone) -> Colour {
        switch tone {
        case .neutral: Colour((0x636A77, 242), (0x9CA3AF, 248), nil)
        case .info: Colour((0x2563EB, 26), (0x60A5FA, 75), 4)
        // Of the 256, 30 is nearer on light, and reaches 4.1 only.
        case .busy: Colour((0x0E7490, 23), (0x22D3EE, 45), 6)
        case .success: Colour((0x047857, 22), (0x10B981, 42), 2)
        case .warning: Colour((0xA84F08, 94), (0xF59E0B, 214), 3, mono: "1")
        case .danger: Colour((0xC81E1E, 160), (0xF87171, 210), 1, mono: "1;7")
        }
    }

    /// What has the focus.
    public static let accent = Colour((0x4F46E5, 62), (0x949DFB, 141), 5)

    /// What is said beside something. Without a palette the terminal dims its own text.
    public static let secondary = Colour((0x4B5563, 240), (0xA3ABB8, 249), nil, mono: "2")
    /// What is less.
    public static let tertiary = Colour((0x5B6472, 241), (0x9CA3AF, 248), nil, mono: "2")

    private init(_ light: (UInt32, UInt8), _ dark: (UInt32, UInt8), _ sixteen: Int?, mono: String? = nil) {
        self.init(
            light: Shade(rgb: light.0, index: light.1), dark: Shade(rgb: dark.0, index: dark.1),
            sixteen: sixteen, mono: mono)
    }
}
