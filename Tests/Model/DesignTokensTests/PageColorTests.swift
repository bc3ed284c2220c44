import Foundation
import Testing

@testable import DesignTokens

@Suite struct PageColorTests {
    /// Returns the contrast of two colors, as defined by WCAG 2.1.
    private static func contrast(_ first: UInt32, _ second: UInt32) -> Double {
        let luminances = [first, second].map { rgb in
            let parts = [rgb >> 16, rgb >> 8 & 0xFF, rgb & 0xFF].map { part -> Double in
                let share = Double(part) / 255
                return share <= 0.03928 ? share / 12.92 : pow((share + 0.055) / 1.055, 2.4)
            }
            return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
        }
        return (max(luminances[0], luminances[1]) + 0.05) / (min(luminances[0], luminances[1]) + 0.05)
    }

    private static let texts =
        Tone.allCases.map { ($0.word, Color.of($0)) } + [
            ("accent", Color.accent), ("secondary", Color.secondary), ("tertiary", Color.tertiary),
        ]

    @Test(arguments: [PageColor.base, .card, .raised])
    func `text contrast reaches 4.5 to 1 on the page's surfaces`(surface: PageColor) {
        for (name, color) in Self.texts {
            #expect(Self.contrast(color.light.rgb, surface.light) >= 4.5, "\(name), light")
            #expect(Self.contrast(color.dark.rgb, surface.dark) >= 4.5, "\(name), dark")
            #expect(Self.contrast(color.dark.rgb, surface.nextToPhoto) >= 4.5, "\(name), next to a photo")
        }
        #expect(Self.contrast(PageColor.primaryText.light, surface.light) >= 7)
        #expect(Self.contrast(PageColor.primaryText.dark, surface.dark) >= 7)
    }

    @Test func `text contrast reaches 4.5 to 1 on the accent color`() {
        #expect(Self.contrast(PageColor.accentText.light, Color.accent.light.rgb) >= 4.5)
        #expect(Self.contrast(PageColor.accentText.dark, Color.accent.dark.rgb) >= 4.5)
    }

    @Test func `the gray next to a photo has no tint`() {
        for color in [PageColor.base, .card, .raised, .viewer] {
            let rgb = color.nextToPhoto
            #expect(rgb >> 16 == rgb & 0xFF && rgb >> 8 & 0xFF == rgb & 0xFF, "\(color)")
        }
    }

    @Test func `distances are multiples of 4 points, and transitions take at most 200 ms`() {
        #expect(GridDistance.allCases.allSatisfy { $0.points.isMultiple(of: 4) })
        #expect(TransitionTime.usualMs <= TransitionTime.limitMs && TransitionTime.limitMs <= 200)
    }
}
