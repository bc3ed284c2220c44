/// Writes XML, an element a line.
public struct XMLWriter {
    /// What is written, in UTF-8.
    public private(set) var bytes = Array("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n".utf8)
    private var depth = 0

    /// Begins a document.
    public init() {}

    /// Whether XML can say a text at all: there are characters for which it has no way of writing (XML 1.0, section 2.2).
    public static func canSay(_ text: String) -> Bool {
        text.utf8.allSatisfy { (0x20..<0x7F).contains($0) } || text.unicodeScalars.allSatisfy(canSay)
    }

    private static func canSay(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x9, 0xA, 0xD, 0x20...0xFFFD, 0x10000...0x10FFFF: true
        default: false
        }
    }

    /// Begins an element that holds others.
    public mutating func open(_ name: String, _ attributes: [(String, String)] = []) {
        indent()
        append("<" + name)
        add(attributes)
        append(">\n")
        depth += 1
    }

    /// Ends an element that holds others.
    public mutating func close(_ name: String) {
        depth -= 1
        indent()
        append("</\(name)>\n")
    }

    /// An element with a text; what XML cannot say becomes U+FFFD.
    public mutating func element(_ name: String, _ text: String) { element(name, [], text) }

    /// An element with attributes and a text.
    public mutating func element(_ name: String, _ attributes: [(String, String)], _ text: String) {
        indent()
        append("<" + name)
        add(attributes)
        append(">")
        escape(text)
        append("</\(name)>\n")
    }

    private mutating func add(_ attributes: [(String, String)]) {
        for (name, value) in attributes {
            append(" \(name)=\"")
            escape(value)
            append("\"")
        }
    }

    private mutating func indent() { bytes += repeatElement(UInt8(ascii: " "), count: depth * 2) }

    private mutating func append(_ text: String) { bytes += text.utf8 }

    private mutating func escape(_ text: String) {
        // As nearly all texts are.
        if text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) && !"&<>\"".utf8.contains($0) }) {
            return append(text)
        }
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": append("&amp;")
            case "<": append("&lt;")
            case ">": append("&gt;")
            case "\"": append("&quot;")
            // A reader makes spaces or other ends of lines of these when they stand as they are.
            case "\t", "\n", "\r": append("&#\(scalar.value);")
            case let scalar where Self.canSay(scalar): bytes += UTF8.encode(scalar) ?? .init()
            default: append("\u{FFFD}")
            }
        }
    }
}
