import Foundation

/// What is wrong with a destination's values, beyond their kinds.
extension Configuration.Destination {
    /// Sizes of a part that S3 allows.
    private static let partBytes = (5 << 20)...(5 << 30)

    /// Key and reason of each fault.
    var faults: [(key: String, reason: String)] {
        var faults: [(key: String, reason: String)] = []
        for field in lists["headers"] ?? [] where !Self.isHeader(field) {
            faults.append(("headers", "'\(field)' is not like \"X-Studio: {CAMERA}\""))
        }
        for field in lists["form_fields"] ?? [] where !field.dropFirst().contains("=") {
            faults.append(("form_fields", "'\(field)' is not like \"event={SESSION}\""))
        }
        for code in lists["retry_codes"] ?? [] where UInt8(code).map({ $0 > 0 }) != true {
            faults.append(("retry_codes", "'\(code)' is not an exit code from \"1\" to \"255\""))
        }
        if let bytes = numbers["part_size"], !Self.partBytes.contains(bytes) {
            faults.append(("part_size", "a part has 5 MiB to 5 GiB"))
        }
        if let auth = texts["auth"] {
            let needed = auth == "bearer" ? ["password_file"] : ["user", "password_file"]
            for key in needed where texts[key] == nil {
                faults.append(("auth", "'auth = \"\(auth)\"' needs '\(key)'"))
            }
        }
        if texts["verify"] != nil, texts["verify_command"] != nil {
            faults.append(("verify_command", "'verify' and 'verify_command' say different things: keep one"))
        }
        return faults
    }

    /// A field's name of RFC 9110's token letters, a colon, and a value on one line.
    private static func isHeader(_ text: String) -> Bool {
        guard let colon = text.firstIndex(of: ":"), colon > text.startIndex else { return false }
        let name = text[..<colon].unicodeScalars
        let token = CharacterSet(charactersIn: "!#$%&'*+-.^_`|~").union(.alphanumerics)
        return name.allSatisfy { $0.isASCII && token.contains($0) }
            && !text.unicodeScalars.contains { CharacterSet.controlCharacters.contains($0) }
    }
}
