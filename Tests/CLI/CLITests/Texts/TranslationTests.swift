import Foundation
import Localization
import Repository
import SurfaceTestSupport
import Testing

@testable import FrameFastCLI

/// The translations hold every text of the program, and nothing else.
@Suite struct TranslationTests {
    private static let template = Result { try TranslationTemplate() }

    @Test func `the template is what stands in the source`() throws {
        let text = try Self.template.get().document
        let file = try DocumentFile("Sources/CLI/CTranslations/framefast.pot").text(writing: text)
        #expect(file == text, "write it with FRAMEFAST_WRITE_DOCS=1 swift test --filter TranslationTests")
    }

    @Test(arguments: Translation.languages)
    func `every text is translated, and has what is filled in`(language: String) throws {
        let translation = try #require(Translation.of(language))
        let texts = try Self.template.get().texts
        let entries = Dictionary(translation.entries.map { ($0.key, $0) }) { first, _ in first }
        #expect(entries.count == translation.entries.count, "a text stands there twice")
        for text in texts {
            guard let entry = entries[text.key] else {
                Issue.record("\(text.place): “\(text.key.text)” is not translated")
                continue
            }
            #expect(entry.plural == text.plural && !entry.isFuzzy, "“\(text.key.text)”")
            #expect(
                entry.forms.count == (text.plural == nil ? 1 : translation.plural.forms), "“\(text.key.text)”"
            )
            let arguments = TranslationTemplate.arguments(text.plural ?? text.key.text)
            for form in entry.forms {
                #expect(TranslationTemplate.arguments(form) == arguments, "“\(text.key.text)”: \(form)")
                // Names of commands and keys are for typing.
                let commands = { (text: String) in Set(text.matches(of: /`[^`]+`/).map { String($0.output) })
                }
                #expect(
                    commands(form) == commands(text.plural ?? text.key.text), "“\(text.key.text)”: \(form)")
            }
        }
        let known = Set(texts.map(\.key))
        for entry in translation.entries where !known.contains(entry.key) {
            Issue.record("“\(entry.key.text)” is no text of the program any more")
        }
    }

    @Test(arguments: [
        (["LANG": "de_DE.UTF-8"], ["de"]), (["LANG": "de_DE.UTF-8", "LC_MESSAGES": "th_TH"], ["th"]),
        (["LC_ALL": "C.UTF-8", "LANG": "de_DE.UTF-8"], []), (["LANG": "", "LC_ALL": ""], []), ([:], []),
        (["LANG": "fr_FR.UTF-8", "LANGUAGE": "sv:de:en"], ["sv", "de", "en"]),
        (["LANG": "C", "LANGUAGE": "de"], []), (["LANG": "POSIX"], []), (["LC_ALL": "th_TH.UTF-8@x"], ["th"]),
        (["LANG": "../../etc"], []), (["LANG": "de"], ["de"]),
    ])
    func `the environment says which language is wanted`(environment: [String: String], languages: [String]) {
        #expect(PreferredLanguage.languages { environment[$0] } == languages)
    }

    // MARK: text outside the catalogue

    /// Folders whose texts people read, and what in them is for programs.
    private static let places = ["Views", "Watch", "Connect", "Words", "Live", "Status", "Terminal"]

    /// What is no text for people, or the same in every language.
    private static let untranslated: Set = [
        "FrameFast", "FrameFast {1}", "Bus {1}", "SHA-256", "Bangkok Wedding", "Ctrl-C", "Ctrl-L", "Enter",
        "Esc", "Tab",
        "q, Ctrl-C", "iso 400, aperture 5.6, shutter 1/125, exposure_compensation +0.7, mode M", "{1} Gbit/s",
        "{1} Mbit/s", "{1} B", "/var/lib/framefast", "xdg-open {1}",
    ]

    @Test func `no text for people stands outside the catalogue`() throws {
        let files = try TranslationTemplate.files().filter { file in
            Self.places.contains { file.contains("FrameFastCLI/\($0)/") }
                || file.contains("TerminalUI/Components/")
        }
        #expect(files.count > 80)
        for file in files {
            let literals = SwiftLiterals(try String(contentsOf: Repository.file(file), encoding: .utf8))
            // What programs read, and what the argument parser says of options, is in English.
            let exempt =
                [
                    "localized", "Option", "Flag", "Argument", "ArgumentHelp", "CommandConfiguration",
                    "precondition",
                ]
                .flatMap(literals.calls)
                + literals.bodies { $0.contains(/(func|var) (plain\w*|\w+Plain\w*)[(:<]/) }
            for literal in literals.all
            where !exempt.contains(where: { $0.contains(literal.range.lowerBound) }) {
                guard Self.isForPeople(literal.words), !Self.untranslated.contains(literal.key) else {
                    continue
                }
                Issue.record("\(file):\(literal.line): “\(literal.key)” is for localized()")
            }
        }
    }

    /// Several words, or one with a capital letter.
    private static func isForPeople(_ text: String) -> Bool {
        text.contains(/[A-Za-z]{2,} +[A-Za-z(]{2,}/) || text.contains(/^[A-Z][a-z]{2,}/)
            || text.contains(/^ [a-z]{2,}/)
            || text.contains(/[a-z]{2,}:? $/)
    }
}
