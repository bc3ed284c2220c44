/// Returns untrusted text as one line without control characters, for a log or a sentence. Truncates the text
/// to `max` characters.
public func oneLine(_ text: String, max: Int = 300) -> String {
    let line = String(
        String.UnicodeScalarView(
            text.unicodeScalars.map { scalar in
                let isControl = scalar.value < 0x20 || (0x7f...0x9f).contains(scalar.value)
                return isControl ? " " : scalar
            }))
    let trimmed = line.split(separator: " ").joined(separator: " ")
    return trimmed.count > max ? trimmed.prefix(max) + "…" : trimmed
}
