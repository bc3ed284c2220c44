/// A part of a YAML document.
enum DocumentNode: Sendable {
    case text(String)
    case integer(Int64)
    case flag(Bool)
    case list([DocumentNode])
    case map([(key: String, value: DocumentNode)])

    /// The maximum width of a line with a map or list in flow style, in characters.
    private static let widthMax = 110

    /// Returns the lines of the node, in block style.
    func lines(indent: Int = 0) -> [String] {
        let margin = String(repeating: " ", count: indent)
        switch self {
        case .map(let pairs):
            return pairs.flatMap { key, value -> [String] in
                let start = margin + Self.scalar(key) + ":"
                return value.lines(after: start, indent: indent)
            }
        case .list(let items):
            return items.flatMap { item -> [String] in
                if let flow = item.flow, flow.count + indent + 2 <= Self.widthMax {
                    return [margin + "- " + flow]
                }
                let lines = item.lines(indent: indent + 2)
                return [margin + "- " + lines[0].dropFirst(indent + 2)] + lines.dropFirst()
            }
        default: return [margin + (flow ?? "")]
        }
    }

    private func lines(after start: String, indent: Int) -> [String] {
        if case .text(let text) = self, text.contains("\n") {
            let margin = String(repeating: " ", count: indent + 2)
            return [start + " |"] + text.split(separator: "\n").map { margin + $0 }
        }
        if let flow, isScalar || (isShallow && start.count + 1 + flow.count <= Self.widthMax) {
            return [start + " " + flow]
        }
        return [start] + lines(indent: indent + 2)
    }

    private var isScalar: Bool {
        switch self {
        case .text, .integer, .flag: true
        case .list, .map: false
        }
    }

    /// Whether a collection has at most three levels, which are readable on one line.
    private var isShallow: Bool { depth <= 3 }

    private var depth: Int {
        switch self {
        case .text, .integer, .flag: 0
        case .list(let items): 1 + (items.map(\.depth).max() ?? 0)
        case .map(let pairs): 1 + (pairs.map(\.value.depth).max() ?? 0)
        }
    }

    /// The node in flow style, or `nil` if it contains a text of several lines.
    private var flow: String? {
        switch self {
        case .text(let text): return text.contains("\n") ? nil : Self.scalar(text)
        case .integer(let number): return String(number)
        case .flag(let flag): return String(flag)
        case .list(let items):
            let parts = items.compactMap(\.flow)
            return parts.count == items.count ? "[" + parts.joined(separator: ", ") + "]" : nil
        case .map(let pairs):
            let parts = pairs.compactMap { key, value in value.flow.map { Self.scalar(key) + ": " + $0 } }
            guard parts.count == pairs.count else { return nil }
            return parts.isEmpty ? "{}" : "{ " + parts.joined(separator: ", ") + " }"
        }
    }

    /// Returns the text, in quotes unless YAML would parse the plain text as a string.
    private static func scalar(_ text: String) -> String {
        let isPlain =
            text.first.map { $0.isASCII && ($0.isLetter || $0 == "/") } == true
            && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "_-./".contains($0)) }
            && !["true", "false", "null", "yes", "no", "on", "off", "y", "n"].contains(text.lowercased())
        if isPlain { return text }
        return "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
    }
}

extension DocumentNode: ExpressibleByStringLiteral, ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral
{
    init(stringLiteral text: String) { self = .text(text) }
    init(dictionaryLiteral pairs: (String, DocumentNode)...) {
        self = .map(pairs.map { (key: $0.0, value: $0.1) })
    }
    init(arrayLiteral items: DocumentNode...) { self = .list(items) }
}
