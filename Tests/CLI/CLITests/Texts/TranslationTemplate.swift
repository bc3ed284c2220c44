import Foundation
import Localization
import Repository

/// The texts of the program as translators get them: `Sources/CLI/CTranslations/framefast.pot`, read out of the source.
struct TranslationTemplate {
    struct Text: Hashable {
        var key: Catalogue.Key
        var plural: String?
        /// Where it is used first.
        var place: String
    }

    /// A call whose text is put together, so that nobody can translate it.
    struct Unreadable: Error, CustomStringConvertible {
        var description: String
    }

    /// Sorted by where they are used, each once.
    let texts: [Text]

    init() throws {
        var texts: [Catalogue.Key: Text] = [:]
        var order: [Catalogue.Key] = []
        for path in try Self.files() {
            let literals = SwiftLiterals(try String(contentsOf: Repository.file(path), encoding: .utf8))
            for call in (literals.calls("localized") + literals.calls("Message")).sorted(by: {
                $0.lowerBound < $1.lowerBound
            }) {
                guard let text = try Self.text(literals, call, path) else { continue }
                if let known = texts[text.key] {
                    guard known.plural == text.plural else {
                        throw Unreadable(description: "\(text.place): “\(text.key.text)” has two plurals")
                    }
                } else {
                    texts[text.key] = text
                    order.append(text.key)
                }
            }
        }
        for (text, place) in try Self.makers() where texts[Catalogue.Key(text)] == nil {
            texts[Catalogue.Key(text)] = Text(key: Catalogue.Key(text), place: place)
            order.append(Catalogue.Key(text))
        }
        self.texts = order.compactMap { texts[$0] }
    }

    /// What the makers' data say, which comes whole from the service.
    private static func makers() throws -> [(text: String, place: String)] {
        let folder = "Sources/Camera/CMakerData"
        let files = try FileManager.default.subpathsOfDirectory(atPath: Repository.file(folder).path)
        return try files.filter { $0.hasSuffix(".json") }.sorted().flatMap { file in
            let data = try Data(contentsOf: Repository.file("\(folder)/\(file)"))
            return sayings(try JSONSerialization.jsonObject(with: data)).map { ($0, "\(folder)/\(file)") }
        }
    }

    private static func sayings(_ value: Any) -> [String] {
        switch value {
        case let list as [Any]: list.flatMap(sayings)
        case let object as [String: Any]:
            object.sorted { $0.key < $1.key }.flatMap { key, value in
                key == "text" ? (value as? String).map { [$0] } ?? [] : sayings(value)
            }
        default: []
        }
    }

    static func files() throws -> [String] {
        let folder = "Sources/CLI"
        return try FileManager.default.subpathsOfDirectory(atPath: Repository.file(folder).path)
            .filter { $0.hasSuffix(".swift") }.sorted().map { "\(folder)/\($0)" }
    }

    private static func text(_ literals: SwiftLiterals, _ call: Range<Int>, _ path: String) throws -> Text? {
        let inside = literals.all.filter { call.contains($0.range.lowerBound) }
        let line = literals.source[..<call.lowerBound].count { $0.isNewline } + 1
        let fault = Unreadable(
            description: "\(path):\(line): localized() takes its texts as they stand there")
        func label(_ literal: SwiftLiteral) -> String {
            String(literals.source[call.lowerBound..<literal.range.lowerBound].filter { !$0.isWhitespace })
        }
        // What comes whole from the service stands in the makers' data.
        if String(literals.source[call].filter { !$0.isWhitespace }).hasPrefix("localized(whole:") {
            return nil
        }
        // A message that stands elsewhere.
        guard let first = inside.first else { return nil }
        if ["localized(", "Message("].contains(label(first)) {
            let context = inside.count == 2 ? inside[1].key : ""
            guard inside.count <= 2 else { throw fault }
            return Text(key: Catalogue.Key(first.key, context: context), place: "\(path):\(line)")
        }
        guard inside.count == 2, label(first).hasSuffix(",one:"), label(inside[1]).hasSuffix(",other:") else {
            throw fault
        }
        return Text(key: Catalogue.Key(first.key), plural: inside[1].key, place: "\(path):\(line)")
    }

    /// The file.
    var document: String {
        let head = """
            # Texts of FrameFast for Linux. Written from the source: FRAMEFAST_WRITE_DOCS=1 swift test --filter TranslationTests
            msgid ""
            msgstr ""
            "Content-Type: text/plain; charset=UTF-8\\n"

            """
        return head
            + texts.map { text in
                var lines = ["", "#: " + text.place.split(separator: ":")[0]]
                if !text.key.context.isEmpty { lines.append("msgctxt \(Self.quoted(text.key.context))") }
                lines.append("msgid \(Self.quoted(text.key.text))")
                if let plural = text.plural {
                    lines += ["msgid_plural \(Self.quoted(plural))", "msgstr[0] \"\"", "msgstr[1] \"\""]
                } else {
                    lines.append("msgstr \"\"")
                }
                return lines.joined(separator: "\n") + "\n"
            }.joined()
    }

    private static func quoted(_ text: String) -> String {
        let escaped = text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing(
            "\n", with: "\\n")
        return "\"\(escaped)\""
    }

    /// The numbers of what is filled in.
    static func arguments(_ text: String) -> Set<String> {
        Set(text.replacing("{{", with: "").matches(of: /\{[0-9]+\}/).map { String($0.output) })
    }
}
