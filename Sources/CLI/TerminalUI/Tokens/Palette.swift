/// The set of colors for a background.
public enum Palette: String, CaseIterable, Sendable {
    /// The 16 colors of the terminal's own theme, which suit every background.
    case terminal
    /// Shades for a dark background.
    case dark
    /// Shades for a light background.
    case light
}

/// The number of colors that the terminal can show.
public enum ColorDepth: Int, CaseIterable, Comparable, Sendable {
    /// No escape codes.
    case plain
    /// Only bold, dim and reverse.
    case mono
    /// The 16 colors of the terminal's own theme.
    case sixteen
    /// xterm's 256 colors.
    case indexed
    /// 24 bits.
    case truecolor

    /// Orders by the number of colors.
    public static func < (a: ColorDepth, b: ColorDepth) -> Bool { a.rawValue < b.rawValue }
}

extension Color {
    /// Returns the shade for a palette. If the background is unknown, returns the shade for a dark
    /// background.
    public func shade(_ palette: Palette) -> Shade { palette == .light ? light : dark }

    /// Returns the shade for ``Contrast/more``, or `nil` for the terminal's own text color.
    public func shadeOfMoreContrast(_ palette: Palette) -> Shade? {
        palette == .light ? more?.light : more?.dark
    }

    /// Returns the parameters of the escape sequence for the color, or `nil` if none is needed.
    func code(_ depth: ColorDepth, _ palette: Palette, _ contrast: Contrast) -> String? {
        let shade = contrast == .more ? shadeOfMoreContrast(palette) : shade(palette)
        // If the background is unknown, only the terminal's own colors are certain to be readable.
        return switch palette == .terminal ? min(depth, .sixteen) : depth {
        case .plain: nil
        case .mono: mono
        case .sixteen: sixteen.map { String(30 + $0) }
        case .indexed: shade.map { "38;5;\($0.index)" }
        case .truecolor:
            shade.map { "38;2;\($0.rgb >> 16);\($0.rgb >> 8 & 0xFF);\($0.rgb & 0xFF)" }
        }
    }
}
