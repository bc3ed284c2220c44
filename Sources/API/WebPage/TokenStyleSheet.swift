import DesignTokens

/// The design tokens as the beginning of the page's style sheet. The terminal has the same tokens.
enum TokenStyleSheet {
    /// The style sheet, with a set of colors for dark pages, light pages and the surroundings of a large
    /// photo. For people who ask for more contrast, `page.css` gives secondary and tertiary text the color of
    /// ordinary text.
    static let text: String = {
        let light = colors({ $0.light }, { $0.light })
        let dark = colors({ $0.dark }, { $0.dark })
        return """
            :root,.dark{\(scale)\(dark)}\
            .dark{color-scheme:dark;\(nextToPhoto)}\
            @media (prefers-color-scheme:light){:root{\(light)}}\
            \(tones)
            """
    }()

    /// The font sizes and the duration of transitions. `page.css` contains distances and radii in pixels.
    private static var scale: String {
        let sizes: [(name: String, role: TypeRole)] = [
            ("page-title", .pageTitle), ("section", .section), ("primary", .primary), ("caption", .caption),
            ("label", .label),
        ]
        return declarations(sizes.map { ("type-\($0.name)", "\(Double($0.role.sizePercent) / 100)rem") })
            + declarations([("motion", "\(TransitionTime.usualMs)ms")])
    }

    /// A class for each tone, with its color and its sign.
    private static var tones: String {
        Tone.allCases.map { tone in
            ".\(tone.word){--tone:var(--tone-\(tone.word));--sign:\"\(tone.glyph.unicode)\"}"
        }.joined()
    }

    /// The colors of tones and texts, with the names of their custom properties.
    private static let named: [(name: String, color: Color)] =
        Tone.allCases.map { (name: "tone-\($0.word)", color: Color.of($0)) } + [
            (name: "accent", color: Color.accent), (name: "text-secondary", color: Color.secondary),
            (name: "text-tertiary", color: Color.tertiary),
        ]

    /// Returns the declarations of all colors for a background.
    private static func colors(
        _ shade: (Color) -> Shade, _ page: (PageColor) -> UInt32
    ) -> String {
        declarations(named.map { ($0.name, shade($0.color).hex) })
            + declarations(PageColor.allCases.map { ($0.rawValue, Shade.hex(page($0))) })
    }

    /// The colors next to a large photo, if they differ from the colors of a dark page.
    private static var nextToPhoto: String {
        let colors = PageColor.allCases.filter { $0.nextToPhoto != $0.dark }
        return declarations(colors.map { ($0.rawValue, Shade.hex($0.nextToPhoto)) })
    }

    private static func declarations(_ values: [(name: String, value: String)]) -> String {
        values.map { "--\($0.name):\($0.value);" }.joined()
    }
}
