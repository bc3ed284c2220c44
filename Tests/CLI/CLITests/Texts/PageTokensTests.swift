import Foundation
import FrameFastAPI
import Repository
import SurfaceTestSupport
import TerminalUI
import Testing

@testable import FrameFastCLI

/// The page and the terminal are one design: the same colours, signs and words.
@Suite struct PageTokensTests {
    private static func file(_ name: String) throws -> String {
        try String(contentsOf: Repository.file("Sources/Web/CWebPage/page/\(name)"), encoding: .utf8)
    }

    /// The tokens of a scheme: the part of the style sheet that begins with a condition.
    private static func tokens(_ condition: String) throws -> [String: String] {
        let sheet = try file("page.css")
        let start = try #require(sheet.range(of: condition)).upperBound
        let part = sheet[start...].prefix { $0 != "}" }
        return part.matches(of: /--([a-z-]+): (#[0-9a-f]{6})/).reduce(into: [:]) {
            $0[String($1.1)] = String($1.2)
        }
    }

    @Test(arguments: [
        (Palette.light, ":root {", "prefers-contrast: more) {"),
        (
            .dark, "prefers-color-scheme: dark) {\n  :root {",
            "prefers-contrast: more) and (prefers-color-scheme: dark) {"
        ),
    ])
    func `tones, accent and texts have the terminal's shades`(palette: Palette, usual: String, more: String)
        throws
    {
        let (usual, more) = (try Self.tokens(usual), try Self.tokens(more))
        for tone in Tone.allCases {
            let colour = Colour.of(tone)
            #expect(usual["tone-\(tone.word)"] == colour.shade(palette).hex.lowercased(), "\(tone)")
            #expect(
                more["tone-\(tone.word)"] == colour.shadeOfMoreContrast(palette)?.hex.lowercased(), "\(tone)")
        }
        #expect(usual["accent"] == Colour.accent.shade(palette).hex.lowercased())
        #expect(usual["text-secondary"] == Colour.secondary.shade(palette).hex.lowercased())
        #expect(usual["text-tertiary"] == Colour.tertiary.shade(palette).hex.lowercased())
    }

    @Test func `states have the terminal's words and tones, and tones its signs`() throws {
        let words = try Self.file("words.js")
        func row(_ state: String, _ word: String, _ tone: Tone) -> Bool {
            words.contains("\(state): [\"\(word)\", \"\(tone.word)\"]")
        }
        for state in CameraReply.State.all {
            let (word, tone) = StateWords.camera(state)
            #expect(row(state.rawValue, word, tone), "\(state)")
        }
        for state in FleetHostReply.State.all {
            let host = FleetHostReply(
                name: "a", isSelf: false, state: state, heardAt: nil, status: nil, cameras: [])
            let (word, tone) = StateWords.host(host)
            #expect(row(state.rawValue, word, tone), "\(state)")
        }
        for severity in ConditionReply.Severity.all {
            #expect(words.contains("\(severity.rawValue): \"\(StateWords.severity(severity).word)\""))
        }
        for state in DestinationReply.State.all {
            var destination = try #require(Samples.destinations.first)
            (destination.state, destination.statistics) = (state, UploadStatisticsReply())
            let (word, tone) = UploadWords.destination(destination)
            #expect(row(state.rawValue, word, tone), "\(state)")
        }
        for mode in SessionReply.UploadMode.all {
            let key = mode.rawValue.contains("-") ? "\"\(mode.rawValue)\"" : mode.rawValue
            #expect(words.contains("\(key): \"\(UploadWords.mode(mode))\""), "\(mode)")
        }
        let page = try Self.file("dom.js")
        for tone in Tone.allCases where tone != .busy {
            #expect(page.contains("\(tone.word): \"\(tone.glyph.text(hasUnicode: true))\""), "\(tone)")
        }
    }

    @Test func `the page is small`() throws {
        let names = try FileManager.default.contentsOfDirectory(
            atPath: Repository.file("Sources/Web/CWebPage/page").path)
        let bytes = try names.reduce(0) { try $0 + Self.file($1).utf8.count }
        #expect(bytes <= 60_000)
    }
}
