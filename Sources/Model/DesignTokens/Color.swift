/// A color in two encodings.
public struct Shade: Hashable, Sendable {
    /// The color as `0xRRGGBB`.
    public let rgb: UInt32
    /// The number of the nearest readable color among xterm's 256 colors.
    public let index: UInt8

    /// The color as `#RRGGBB`, for status bars and style sheets.
    public var hex: String { Self.hex(rgb) }

    /// Returns a color as `#RRGGBB`.
    ///
    /// - Parameter rgb: The color as `0xRRGGBB`.
    public static func hex(_ rgb: UInt32) -> String {
        let digits = String(rgb, radix: 16, uppercase: true)
        return "#" + String(repeating: "0", count: 6 - digits.count) + digits
    }
}

/// The shades of a role, for all outputs.
public struct Color: Sendable {
    /// The shade on a light background.
    public let light: Shade
    /// The shade on a dark background.
    public let dark: Shade
    /// The shades for people who ask for more contrast. `nil` means the color of ordinary text.
    public let more: (light: Shade, dark: Shade)?
    /// The number of a color among the terminal's 16 colors, 1...6, or `nil` for the terminal's text color.
    /// The other colors are excluded, because a theme may use such a color as its background.
    public let sixteen: Int?
    /// The parameters of the escape sequence on a terminal without colors, or `nil` for plain text.
    public let mono: String?
}

extension Color {
    /// Returns the color of a tone.
    ///
    /// On the backgrounds of common themes, ``light`` and ``dark`` reach WCAG AA (4.5:1). ``more`` reaches
    /// AAA (7:1). A test verifies these ratios.
    public static func of(_ tone: Tone) -> Color {
        switch tone {
        case .neutral:
            Color((0x636A77, 242), (0x9CA3AF, 248), ((0x3F4650, 238), (0xC9CFD8, 252)), nil)
        case .info: Color((0x2563EB, 26), (0x60A5FA, 75), ((0x1B3FA8, 19), (0xA5CBFF, 153)), 4)
        // Color 30 of xterm is nearer than color 23, but has a contrast of only 4.1 on a light background.
        // Among xterm's blues, only color 17 has a contrast of at least 7.
        case .busy: Color((0x0E7490, 23), (0x22D3EE, 45), ((0x0B4F5E, 17), (0x5EE7F7, 87)), 6)
        case .success: Color((0x047857, 22), (0x10B981, 42), ((0x04543C, 22), (0x5FE0AE, 85)), 2)
        case .warning:
            Color((0xA84F08, 94), (0xF59E0B, 214), ((0x6B3408, 52), (0xFBC45A, 221)), 3, mono: "1")
        case .danger:
            Color((0xC81E1E, 160), (0xF87171, 210), ((0x8F1414, 88), (0xFFBABA, 217)), 1, mono: "1;7")
        }
    }

    /// The color of the focus.
    public static let accent = Color(
        (0x4F46E5, 62), (0x949DFB, 141), ((0x3A2FB0, 55), (0xC3C9FF, 189)), 5)

    /// The color of captions. A terminal with an unknown background dims its own text color instead.
    public static let secondary = Color((0x4B5563, 240), (0xA3ABB8, 249), nil, nil, mono: "2")
    /// The color of less important text.
    public static let tertiary = Color((0x5B6472, 241), (0x9CA3AF, 248), nil, nil, mono: "2")

    private typealias Pair = (UInt32, UInt8)

    private init(
        _ light: Pair, _ dark: Pair, _ more: (Pair, Pair)?, _ sixteen: Int?, mono: String? = nil
    ) {
        let shade = { (pair: Pair) in Shade(rgb: pair.0, index: pair.1) }
        self.init(
            light: shade(light), dark: shade(dark), more: more.map { (shade($0.0), shade($0.1)) },
            sixteen: sixteen, mono: mono)
    }
}
