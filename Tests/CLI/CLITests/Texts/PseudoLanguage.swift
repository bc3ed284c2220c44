import Foundation
import Localization
import TerminalUI
import Testing

@testable import FrameFastCLI

/// A language that shows what is no text of the catalogue, and what leaves its place when words are longer: every letter is
/// another one, every text stands in brackets and is a third longer.
enum PseudoLanguage {
    static let opening: Character = "⟦"
    static let closing: Character = "⟧"

    /// Words of the configuration, and of a path of the kernel that stands on two lines.
    private static let wireWords: Set = ["realtime", "manual", "directory", "usbfs", "memory"]

    static let catalogue = Result {
        var entries: [Catalogue.Key: [String]] = [:]
        for text in try TranslationTemplate().texts {
            entries[text.key] =
                text.plural.map { [spoken(text.key.text), spoken($0)] } ?? [spoken(text.key.text)]
        }
        return Catalogue(entries: entries, plural: .one)
    }

    private static let letters = Dictionary(
        uniqueKeysWithValues: zip(
            "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ",
            "àƀçðéƒĝĥîĵķĺɱñöƥɋŕšţûṽŵẋýžÅßÇÐÉƑĜĤÎĴĶĹṀÑÖƤɊŔŠŢÛṼŴẊÝŽ"))

    /// Of what is filled in and what people type nothing changes.
    private static func spoken(_ text: String) -> String {
        guard text.contains(where: { $0.isASCII && $0.isLetter }) else { return text }
        var spoken = ""
        var (isCommand, isFilledIn) = (false, false)
        for character in text {
            if character == "`" { isCommand.toggle() }
            if character == "{" { isFilledIn = true }
            if character == "}" { isFilledIn = false }
            spoken.append(isCommand || isFilledIn ? character : letters[character] ?? character)
        }
        let longer = text.count >= 12 ? " " + String(repeating: "ẋ", count: text.count / 4) : ""
        return "\(opening)\(spoken)\(longer)\(closing)"
    }

    /// What is wrong with a screen in this language.
    ///
    /// - Parameter data: words that the scene itself brings.
    static func faults(_ lines: [String], data: Set<String>) -> [String] {
        let text = lines.joined(separator: "\n")
        var faults: [String] = []
        // Commands and paths are the same in every language.
        let typed = text.replacing(/`[^`]*`|\/[^ ]*/, with: " ")
        // A name may be cut.
        for word in Set(words(typed)).subtracting(data).subtracting(wireWords).sorted()
        where !data.contains(where: { $0.contains(word) }) {
            faults.append("“\(word)” is not translated")
        }
        return faults
    }

    static func words(_ text: String) -> [String] {
        text.matches(of: /[A-Za-z]{3,}/).map { String($0.output) }
    }
}

/// Draws the screens of a suite in other languages too: ``GoldenTests/expect(_:_:)`` knows what to ask of them.
struct EveryLanguage: SuiteTrait, TestTrait, TestScoping {
    /// The language besides English that screens are drawn in just now.
    enum Language: Hashable, Sendable {
        case pseudo
        case translated(String)
    }

    @TaskLocal static var current: Language?

    static let languages = [.pseudo] + Translation.languages.map { Language.translated($0) }

    var isRecursive: Bool { true }

    func scopeProvider(for test: Test, testCase: Test.Case?) -> Self? { testCase == nil ? nil : self }

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        try await function()
        for language in Self.languages {
            try await Self.$current.withValue(language) { try await language.catalogue()(function) }
        }
    }
}

extension EveryLanguage.Language {
    func catalogue() throws -> Catalogue {
        switch self {
        case .pseudo: try PseudoLanguage.catalogue.get()
        case .translated(let language): try #require(Translation.of(language)).catalogue
        }
    }
}

extension Trait where Self == EveryLanguage {
    /// See ``EveryLanguage``.
    static var everyLanguage: Self { Self() }
}
