import TextForms

/// Reads the XML that manifests are written in: elements, attributes and text in UTF-8. What manifests have no use for and
/// readers have been attacked with is refused: document types, entities of its own, processing instructions.
struct XMLReader {
    /// An element that ended.
    struct Element {
        /// Its name without a prefix, and those of the elements around it, the outermost first.
        var path: ArraySlice<String>
        var attributes: [String: String]
        var text: String

        var name: String { path.last ?? "" }
        /// The element around it; empty for the outermost.
        var parent: String { path.dropLast().last ?? "" }
    }

    /// Elements in each other, at most: the schema has seven.
    private static let depthMax = 32
    /// Bytes of one text or value, at most: a path has 4,096.
    private static let textBytesMax = 64 << 10
    /// Attributes of one element, at most: the schema has five.
    private static let attributesMax = 32

    private let bytes: [UInt8]
    private var place = 0

    private init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Reads all of it.
    ///
    /// - Parameter begin: Told each element when it begins, with its attributes and without its text.
    /// - Parameter end: Told each element when it ends.
    static func read(
        _ bytes: [UInt8], begin: (Element) throws(ManifestFault) -> Void = { _ throws(ManifestFault) in },
        end: (Element) throws(ManifestFault) -> Void
    ) throws(ManifestFault) {
        var reader = XMLReader(bytes)
        try reader.run(begin, end)
    }

    private mutating func run(
        _ begin: (Element) throws(ManifestFault) -> Void, _ end: (Element) throws(ManifestFault) -> Void
    ) throws(ManifestFault) {
        if skip("\u{FEFF}") {}
        if skip("<?xml") { try pass("?>") }
        var names: [String] = []
        var open: [(attributes: [String: String], text: [UInt8])] = []
        var isOver = false
        while place < bytes.count {
            if skip("<!--") {
                try pass("-->")
            } else if skip("</") {
                let name = try self.name()
                skipSpace()
                guard skip(">"), name == names.last, let last = open.popLast() else {
                    throw .notXML("an element ends that did not begin")
                }
                try end(
                    Element(path: names[...], attributes: last.attributes, text: try Self.text(last.text)))
                names.removeLast()
                isOver = names.isEmpty
            } else if skip("<") {
                guard let byte = peek, byte != UInt8(ascii: "!"), byte != UInt8(ascii: "?") else {
                    throw .notXML("it has a document type, an instruction or raw text")
                }
                guard !isOver else { throw .notXML("something follows its end") }
                guard names.count < Self.depthMax else { throw .notXML("its elements are too deep") }
                names.append(try name())
                let attributes = try self.attributes()
                let element = Element(path: names[...], attributes: attributes, text: "")
                try begin(element)
                if skip("/>") {
                    try end(element)
                    names.removeLast()
                    isOver = names.isEmpty
                } else if skip(">") {
                    open.append((attributes, []))
                } else {
                    throw .notXML("an element does not end")
                }
            } else {
                let text = try content(until: UInt8(ascii: "<"))
                if open.isEmpty {
                    guard text.allSatisfy(Self.isSpace) else {
                        throw .notXML("text stands outside its elements")
                    }
                } else {
                    open[open.count - 1].text += text
                    guard open[open.count - 1].text.count <= Self.textBytesMax else {
                        throw .notXML("a text is too long")
                    }
                }
            }
        }
        guard isOver else { throw .notXML("it is cut off") }
    }

    private var peek: UInt8? { place < bytes.count ? bytes[place] : nil }

    private static func isSpace(_ byte: UInt8) -> Bool { [0x20, 0x9, 0xA, 0xD].contains(byte) }

    private mutating func skip(_ text: String) -> Bool {
        let end = place + text.utf8.count
        guard end <= bytes.count, bytes[place] == text.utf8.first, bytes[place..<end].elementsEqual(text.utf8)
        else { return false }
        place = end
        return true
    }

    private mutating func skipSpace() { while let byte = peek, Self.isSpace(byte) { place += 1 } }

    /// Goes behind the next `text`.
    private mutating func pass(_ text: String) throws(ManifestFault) {
        while place < bytes.count {
            if skip(text) { return }
            place += 1
        }
        throw .notXML("it is cut off")
    }

    /// A name without its prefix.
    private mutating func name() throws(ManifestFault) -> String {
        let start = place
        while let byte = peek, !Self.isSpace(byte), !"<>/=\"'&!?".utf8.contains(byte) { place += 1 }
        guard place > start, place - start <= 256 else { throw .notXML("a name is missing") }
        let whole = bytes[start..<place]
        return try Self.text(whole.split(separator: UInt8(ascii: ":")).last ?? whole)
    }

    private mutating func attributes() throws(ManifestFault) -> [String: String] {
        var attributes: [String: String] = [:]
        while true {
            skipSpace()
            guard let byte = peek, byte != UInt8(ascii: ">"), byte != UInt8(ascii: "/") else {
                return attributes
            }
            let name = try self.name()
            skipSpace()
            guard skip("=") else { throw .notXML("an attribute has no value") }
            skipSpace()
            guard let quote = peek, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
                throw .notXML("an attribute has no value")
            }
            place += 1
            let value = try content(until: quote)
            place += 1
            guard value.count <= Self.textBytesMax, attributes.count < Self.attributesMax else {
                throw .notXML("an element has too many attributes")
            }
            attributes[name] = try Self.text(value)
        }
    }

    /// Text up to a byte, its references replaced.
    private mutating func content(until end: UInt8) throws(ManifestFault) -> [UInt8] {
        var text: [UInt8] = []
        while true {
            let stop =
                bytes[place...].firstIndex { $0 == end || $0 == UInt8(ascii: "&") } ?? bytes.endIndex
            text += bytes[place..<stop]
            place = stop
            guard peek == UInt8(ascii: "&") else { return text }
            text += try reference().utf8
        }
    }

    private mutating func reference() throws(ManifestFault) -> String {
        let known: KeyValuePairs = ["&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": "\"", "&apos;": "'"]
        for (reference, text) in known where skip(reference) { return text }
        guard skip("&#"), let end = bytes[place...].prefix(10).firstIndex(of: UInt8(ascii: ";")) else {
            throw .notXML("it has an entity of its own")
        }
        let digits = String(decoding: bytes[place..<end], as: UTF8.self)
        let number = digits.hasPrefix("x") ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
        guard let number, number > 0, let scalar = Unicode.Scalar(number) else {
            throw .notXML("it has a character that is none")
        }
        place = end + 1
        return String(Character(scalar))
    }

    private static func text(_ bytes: some Collection<UInt8>) throws(ManifestFault) -> String {
        guard let text = String(validating: bytes, as: UTF8.self), XMLWriter.canSay(text) else {
            throw .notXML("it has characters that are none")
        }
        return text
    }
}
