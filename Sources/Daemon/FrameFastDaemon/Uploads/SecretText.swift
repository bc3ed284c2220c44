/// A decoder for the secret in a text file. Accepts the encodings and line ends of common editors and
/// systems.
enum SecretText {
    /// The reason why the bytes are not a valid secret.
    enum Fault: Error, Hashable, CustomStringConvertible {
        case empty, utf16, notUTF8, severalLines, controlCharacter(UInt32)

        var description: String {
            switch self {
            case .empty: "it is empty"
            case .utf16: "it is saved as UTF-16: save it as UTF-8"
            case .notUTF8: "it is not UTF-8: save it as UTF-8"
            case .severalLines: "it has more than one line: keep only the secret in it"
            case .controlCharacter(let value):
                "it contains the control character \(value): keep only the secret in it"
            }
        }
    }

    /// Returns the secret. Removes a byte order mark at the beginning, and one line end (LF, CR or CRLF) at
    /// the end.
    static func read(_ bytes: some Collection<UInt8>) throws(Fault) -> String {
        var bytes = Array(bytes)[...]
        if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) { throw .utf16 }
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes = bytes.dropFirst(3) }
        if bytes.last == 0x0A { bytes = bytes.dropLast() }
        if bytes.last == 0x0D { bytes = bytes.dropLast() }
        if bytes.isEmpty { throw .empty }
        // UTF-16 without a byte order mark has a zero byte in each Latin letter.
        if bytes.contains(0) { throw .utf16 }
        guard let text = String(validating: bytes, as: UTF8.self) else { throw .notUTF8 }
        for scalar in text.unicodeScalars {
            if scalar.value == 0x0A || scalar.value == 0x0D { throw .severalLines }
            if scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value) {
                throw .controlCharacter(scalar.value)
            }
        }
        return text
    }
}
