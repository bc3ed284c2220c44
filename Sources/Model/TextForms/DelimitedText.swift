/// A table as spreadsheets write it (RFC 4180, and what Excel makes of it): fields between commas, semicolons or tabs, quoted
/// where they have such characters, with or without a byte order mark, lines that end in any way.
public struct DelimitedText: Hashable, Sendable {
    /// One line of the table.
    public struct Row: Hashable, Sendable {
        /// Number of the line in the text on which it begins, from 1.
        public var line: Int
        /// Its fields, without spaces around them.
        public var fields: [String]
    }

    /// The first line: what the columns are called.
    public let header: Row
    /// The other lines, without empty ones.
    public let rows: [Row]

    /// Reads a table. What parts fields is what the first line has most of.
    ///
    /// - Throws: ``DelimitedTextError``, which names the line.
    public init(_ bytes: some Sequence<UInt8>) throws(DelimitedTextError) {
        let text = try Self.decoded(Array(bytes))
        var reader = Reader(separator: Self.separator(of: text))
        for scalar in text { try reader.take(scalar) }
        let lines = try reader.finished()
        guard let header = lines.first else { throw .empty }
        for row in lines.dropFirst() where row.fields.count > header.fields.count {
            throw .tooManyFields(line: row.line, row.fields.count, columns: header.fields.count)
        }
        (self.header, rows) = (header, Array(lines.dropFirst()))
    }

    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
    private static let newline: Unicode.Scalar = "\n"
    private static let carriageReturn: Unicode.Scalar = "\r"
    private static let quote: Unicode.Scalar = "\""
    private static let separators: [Unicode.Scalar] = [",", ";", "\t"]

    private static func decoded(_ bytes: [UInt8]) throws(DelimitedTextError) -> [Unicode.Scalar] {
        let bytes = bytes.starts(with: byteOrderMark) ? bytes.dropFirst(byteOrderMark.count) : bytes[...]
        if let text = String(validating: bytes, as: UTF8.self) { return Array(text.unicodeScalars) }
        for (index, line) in bytes.split(
            separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false
        ).enumerated() where String(validating: line, as: UTF8.self) == nil {
            throw .notUTF8(line: index + 1)
        }
        throw .notUTF8(line: 1)
    }

    private static func separator(of text: [Unicode.Scalar]) -> Unicode.Scalar {
        var counts: [Unicode.Scalar: Int] = [:]
        var isQuoted = false
        for scalar in text {
            if scalar == quote { isQuoted.toggle() }
            if isQuoted { continue }
            if scalar == newline || scalar == carriageReturn { break }
            if separators.contains(scalar) { counts[scalar, default: 0] += 1 }
        }
        return separators.max { counts[$0, default: 0] < counts[$1, default: 0] } ?? separators[0]
    }

    /// Takes the text apart, character by character.
    private struct Reader {
        let separator: Unicode.Scalar
        var rows: [Row] = []
        var fields: [String] = []
        var field = String.UnicodeScalarView()
        var line = 1
        /// Where the row begins, and the quotes that are open.
        var (rowLine, quoteLine) = (1, 1)
        var isQuoted = false
        var wasQuoted = false
        /// Whether the last character was a quote that ends a field, or is the first half of one in it.
        var hasEndingQuote = false
        var hasReturn = false

        init(separator: Unicode.Scalar) { self.separator = separator }

        mutating func take(_ scalar: Unicode.Scalar) throws(DelimitedTextError) {
            defer { hasReturn = scalar == carriageReturn }
            if isQuoted, !hasEndingQuote {
                if scalar == quote { hasEndingQuote = true } else { field.append(scalar) }
                if scalar == newline || scalar == carriageReturn { count(scalar) }
                return
            }
            if hasEndingQuote {
                hasEndingQuote = false
                if scalar == quote { return field.append(scalar) }
                (isQuoted, wasQuoted) = (false, true)
            }
            switch scalar {
            case separator: endField()
            case newline where hasReturn: return
            case newline, carriageReturn:
                endRow()
                count(scalar)
                rowLine = line
            case quote where field.allSatisfy(\.properties.isWhitespace) && !wasQuoted:
                field.removeAll()
                (isQuoted, quoteLine) = (true, line)
            default:
                guard !wasQuoted || scalar.properties.isWhitespace else { throw .textAfterQuote(line: line) }
                field.append(scalar)
            }
        }

        private mutating func count(_ end: Unicode.Scalar) {
            if !(end == newline && hasReturn) { line += 1 }
        }

        private mutating func endField() {
            let text = field.drop { $0.properties.isWhitespace }
            let end = text.lastIndex { !$0.properties.isWhitespace }
            fields.append(end.map { String(text[...$0]) } ?? "")
            field.removeAll()
            wasQuoted = false
        }

        private mutating func endRow() {
            endField()
            // Spreadsheets end tables with empty fields.
            while fields.last?.isEmpty == true { fields.removeLast() }
            if !fields.isEmpty { rows.append(Row(line: rowLine, fields: fields)) }
            fields = []
        }

        mutating func finished() throws(DelimitedTextError) -> [Row] {
            guard !isQuoted || hasEndingQuote else { throw .openQuote(line: quoteLine) }
            endRow()
            return rows
        }
    }
}

/// Why a table cannot be read.
public enum DelimitedTextError: Error, Hashable, Sendable, CustomStringConvertible {
    /// There is nothing in it.
    case empty
    /// A line has bytes that are no text in UTF-8.
    case notUTF8(line: Int)
    /// Quotes are opened on a line and never closed.
    case openQuote(line: Int)
    /// Something stands between a closing quote and the end of its field.
    case textAfterQuote(line: Int)
    /// A line has more fields than there are columns.
    case tooManyFields(line: Int, Int, columns: Int)

    /// For people: what is wrong, and where.
    public var description: String {
        switch self {
        case .empty: "it is empty: its first line names the columns"
        case .notUTF8(let line): "line \(line) is not UTF-8: save the table as \"CSV UTF-8\""
        case .openQuote(let line): "line \(line) opens quotes that are never closed"
        case .textAfterQuote(let line):
            "line \(line) has text behind a closing quote: double the quotes inside a field"
        case .tooManyFields(let line, let fields, let columns):
            "line \(line) has \(fields) fields, the first line names \(columns)"
        }
    }
}
