import Foundation
import Testing

@testable import TerminalUI

@Suite struct ColorTests {
    /// Returns one of xterm's colors from 16 to 255: a cube of six steps for each channel, followed by grays.
    private static func rgb(_ index: UInt8) -> UInt32 {
        let code = UInt32(index)
        if code >= 232 { return (8 + (code - 232) * 10) * 0x010101 }
        let parts = [(code - 16) / 36, (code - 16) / 6 % 6, (code - 16) % 6].map {
            $0 == 0 ? 0 : 55 + $0 * 40
        }
        return parts[0] << 16 | parts[1] << 8 | parts[2]
    }

    /// Returns the relative luminance, as defined by WCAG 2.1.
    private static func luminance(_ rgb: UInt32) -> Double {
        let linear = [rgb >> 16, rgb >> 8 & 0xFF, rgb & 0xFF].map { part -> Double in
            let share = Double(part) / 255
            return share <= 0.03928 ? share / 12.92 : pow((share + 0.055) / 1.055, 2.4)
        }
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    }

    private static func contrast(_ a: UInt32, _ b: UInt32) -> Double {
        let (one, two) = (luminance(a), luminance(b))
        return (max(one, two) + 0.05) / (min(one, two) + 0.05)
    }

    private static let colors =
        Tone.allCases.map { ($0.word, Color.of($0)) } + [
            ("accent", Color.accent), ("secondary", .secondary), ("tertiary", .tertiary),
        ]

    /// The default backgrounds of terminals, and those of popular themes.
    private static let backgrounds: [(name: String, palette: Palette, rgb: UInt32)] = [
        ("black", .dark, 0x000000), ("Solarized dark", .dark, 0x002B36), ("VS Code dark", .dark, 0x1E1E1E),
        ("Catppuccin Mocha", .dark, 0x1E1E2E), ("Gruvbox dark", .dark, 0x282828),
        ("Dracula", .dark, 0x282A36),
        ("Nord", .dark, 0x2E3440), ("white", .light, 0xFFFFFF), ("Solarized light", .light, 0xFDF6E3),
        ("Gruvbox light", .light, 0xFBF1C7), ("Catppuccin Latte", .light, 0xEFF1F5),
    ]

    @Test(arguments: backgrounds)
    func `text contrast reaches 4.5 to 1 on common themes`(
        name: String, palette: Palette, background: UInt32
    ) {
        for (role, color) in Self.colors {
            let shade = color.shade(palette)
            #expect(Self.contrast(shade.rgb, background) >= 4.5, "\(role) \(shade.hex) on \(name)")
            #expect(
                Self.contrast(Self.rgb(shade.index), background) >= 4.5, "\(role) \(shade.index) on \(name)")
        }
    }

    @Test(arguments: backgrounds)
    func `with more contrast, text reaches 7 to 1 on common themes`(
        name: String, palette: Palette, background: UInt32
    ) {
        for (role, color) in Self.colors {
            // A role without a shade uses the terminal's own text color.
            guard let shade = color.shadeOfMoreContrast(palette) else {
                #expect(["secondary", "tertiary"].contains(role))
                continue
            }
            #expect(Self.contrast(shade.rgb, background) >= 7, "\(role) \(shade.hex) on \(name)")
            #expect(
                Self.contrast(Self.rgb(shade.index), background) >= 7, "\(role) \(shade.index) on \(name)")
        }
    }

    @Test(arguments: ColorDepth.allCases, Palette.allCases)
    func `with more contrast, danger is marked and no text is dim`(
        depth: ColorDepth, palette: Palette
    ) {
        let style = Style(depth: depth, hasUnicode: true, palette: palette, contrast: .more)
        #expect(style.encode(Line("x", .caption)) == "x")
        #expect(!style.encode(Line("x", .tertiary)).contains("2;"))
        let danger = style.encode(Line("x", .tone(.danger)))
        #expect((danger == "x") == (depth == .plain))
    }

    @Test(
        arguments: [
            ([:], nil, Contrast.usual), (["FRAMEFAST_CONTRAST": "more"], nil, .more),
            (["FRAMEFAST_CONTRAST": "more"], .usual, .usual), (["FRAMEFAST_CONTRAST": "loud"], nil, .usual),
            ([:], .more, .more),
        ] as [([String: String], Contrast?, Contrast)])
    func `an option overrides the contrast of the environment`(
        environment: [String: String], wish: Contrast?, contrast: Contrast
    ) {
        #expect(Style.decide(isTerminal: true, contrast: wish) { environment[$0] }.contrast == contrast)
    }

    /// The background of Solarized is color 8 (dark) or 15 (light). The background of most themes is color 0
    /// or 7.
    @Test func `uses no terminal color that is a theme's background`() {
        for (role, color) in Self.colors {
            #expect(color.sixteen.map { (1...6).contains($0) } ?? true, "\(role)")
        }
        let style = Style(depth: .sixteen, hasUnicode: true)
        #expect(style.encode(Line("x", .tone(.neutral))) == "x")
        #expect(style.encode(Line("x", .caption)) == "\u{1B}[2mx\u{1B}[0m")
    }

    @Test(arguments: [
        (ColorDepth.truecolor, Palette.dark, "\u{1B}[38;2;163;171;184mx\u{1B}[0m"),
        (.indexed, .light, "\u{1B}[38;5;240mx\u{1B}[0m"), (.truecolor, .terminal, "\u{1B}[2mx\u{1B}[0m"),
        (.mono, .dark, "\u{1B}[2mx\u{1B}[0m"), (.plain, .dark, "x"),
    ])
    func `dims text with a shade if the background is known`(
        depth: ColorDepth, palette: Palette, text: String
    ) {
        #expect(Style(depth: depth, hasUnicode: true, palette: palette).encode(Line("x", .caption)) == text)
    }

    /// No two levels have the same contrast.
    @Test(arguments: [Palette.dark, .light])
    func `contrast decreases from primary to tertiary text`(palette: Palette) {
        let background: UInt32 = palette == .dark ? 0x000000 : 0xFFFFFF
        let levels = [
            ~background & 0xFFFFFF, Color.secondary.shade(palette).rgb, Color.tertiary.shade(palette).rgb,
        ]
        .map { Self.contrast($0, background) }
        #expect(levels == levels.sorted(by: >) && Set(levels).count == 3)
    }

    @Test func `every glyph has an ASCII form, and every tone its own glyph`() {
        for glyph in Glyph.allCases {
            #expect(!glyph.ascii.isEmpty && glyph.ascii.allSatisfy(\.isASCII), "\(glyph)")
            #expect(!glyph.unicode.isEmpty)
        }
        #expect(Set(Tone.allCases.map(\.glyph.ascii)).count == Tone.allCases.count)
        #expect(Set(Tone.allCases.map(\.glyph.unicode)).count == Tone.allCases.count)
        #expect(Motion.frames(hasUnicode: false).allSatisfy { $0.allSatisfy(\.isASCII) })
        #expect(Glyph.heights(hasUnicode: false).allSatisfy { $0.allSatisfy(\.isASCII) })
    }

    @Test(arguments: [
        (ColorDepth.plain, Palette.dark, "x"), (.mono, .dark, "\u{1B}[1;7mx\u{1B}[0m"),
        (.sixteen, .dark, "\u{1B}[31mx\u{1B}[0m"), (.indexed, .dark, "\u{1B}[38;5;210mx\u{1B}[0m"),
        (.indexed, .light, "\u{1B}[38;5;160mx\u{1B}[0m"),
        (.truecolor, .light, "\u{1B}[38;2;200;30;30mx\u{1B}[0m"),
        // If the background is unknown, only the terminal's own colors are readable.
        (.truecolor, .terminal, "\u{1B}[31mx\u{1B}[0m"),
    ])
    func `encodes a tone for the colors of the terminal`(depth: ColorDepth, palette: Palette, text: String) {
        let style = Style(depth: depth, hasUnicode: true, palette: palette)
        #expect(style.encode(Line("x", .tone(.danger))) == text)
    }

    @Test(arguments: [
        (true, ["LANG": "C.UTF-8"], ColorDepth.sixteen, true), (false, ["LANG": "C.UTF-8"], .plain, true),
        (true, ["NO_COLOR": "1", "CLICOLOR_FORCE": "1"], .mono, false),
        (true, ["TERM": "dumb"], .plain, false),
        (false, ["NO_COLOR": "1"], .plain, false), (false, ["CLICOLOR_FORCE": "1"], .sixteen, false),
        (false, ["CLICOLOR_FORCE": "0"], .plain, false), (true, ["TERM": "vt220"], .mono, false),
        (true, ["TERM": "xterm-256color"], .indexed, false),
        (true, ["COLORTERM": "truecolor"], .truecolor, false),
        (true, ["LC_ALL": "C", "LANG": "de_DE.UTF-8"], .sixteen, false),
        (true, ["TERM": "linux", "LANG": "C.UTF-8"], .sixteen, false),
        // A status bar of a desktop that was started on the console shows all symbols.
        (false, ["TERM": "linux", "LANG": "C.UTF-8"], .plain, true),
    ])
    func `derives the style from the terminal and the environment`(
        isTerminal: Bool, environment: [String: String], depth: ColorDepth, hasUnicode: Bool
    ) {
        let style = Style.decide(isTerminal: isTerminal) { environment[$0] }
        #expect(style.depth == depth && style.hasUnicode == hasUnicode)
    }

    @Test(
        arguments: [
            (["COLORFGBG": "0;15"], nil, Palette.light), (["COLORFGBG": "15;0"], nil, .dark),
            (["COLORFGBG": "12;default"], nil, .terminal), ([:], nil, .terminal),
            ([:], Palette.light, .light),
            (["FRAMEFAST_THEME": "dark", "COLORFGBG": "0;15"], nil, .dark),
        ] as [([String: String], Palette?, Palette)])
    func `derives the palette from the background`(
        environment: [String: String], theme: Palette?, palette: Palette
    ) {
        let environment = environment.merging(["TERM": "xterm-256color"]) { $1 }
        #expect(Style.decide(isTerminal: true, theme: theme) { environment[$0] }.palette == palette)
    }

    @Test(arguments: [
        (ColorChoice.always, false, ColorDepth.sixteen), (.never, true, .mono), (.never, false, .plain),
    ])
    func `command line options override the environment`(
        wish: ColorChoice, isTerminal: Bool, depth: ColorDepth
    ) {
        let environment = wish == .always ? ["NO_COLOR": "1"] : ["CLICOLOR_FORCE": "1"]
        #expect(Style.decide(isTerminal: isTerminal, wish: wish) { environment[$0] }.depth == depth)
    }
}
