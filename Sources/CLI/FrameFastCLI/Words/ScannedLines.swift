import FrameFastAPI

/// Takes what a barcode scanner types apart into codes: it ends each with a new line, as a person does who types.
struct ScannedLines {
    /// A line that ended.
    enum Scan: Equatable {
        case code(String)
        /// It has more bytes than any code.
        case tooLong
        /// It is no text.
        case notText
    }

    /// Most bytes of a line that are kept: the longest text in the widest characters.
    static let lineBytesMax = FieldName.textLengthMax * 4

    private var line: [UInt8] = []
    private var isTooLong = false

    /// Takes some bytes.
    ///
    /// - Returns: the lines that ended in them; empty ones are none.
    mutating func take(_ bytes: some Sequence<UInt8>) -> [Scan] {
        var scans: [Scan] = []
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "\n"), UInt8(ascii: "\r"): scans += end()
            case _ where line.count < Self.lineBytesMax: line.append(byte)
            default: isTooLong = true
            }
        }
        return scans
    }

    /// Nothing more comes: what is there is a line as well.
    mutating func end() -> [Scan] {
        defer { (line, isTooLong) = ([], false) }
        if isTooLong { return [.tooLong] }
        guard let text = String(validating: line, as: UTF8.self) else { return [.notText] }
        let isBlank = text.allSatisfy(\.isWhitespace)
        return isBlank ? [] : [.code(text)]
    }
}
