import FrameFastModel
import TextForms
import UploadEngine

/// A template for a URL or header, with placeholders in braces.
enum URLTemplate {
    /// Fills in a template.
    ///
    /// - Parameters:
    ///   - encodes: Whether to percent-encode values. If `false`, spaces replace control characters.
    ///   - more: Additional values.
    static func fill(
        _ template: String, name: String, facts: Facts, more: [String: String] = [:], encodes: Bool
    ) throws(UploadFailure) -> String {
        let (folder, file) = RemoteName.split(name)
        var out = ""
        var rest = template[...]
        while let open = rest.firstIndex(of: "{") {
            out += rest[..<open]
            guard let close = rest[open...].firstIndex(of: "}") else {
                throw unknownPlaceholder(String(rest[open...]))
            }
            let word = String(rest[rest.index(after: open)..<close])
            let paths = ["name": name, "folder": folder, "file": file]
            if let path = paths[word] {
                out += encodes ? PercentCoding.encode(path, keeping: .path) : cleaned(path)
            } else if let value = more[word] {
                out += encodes ? PercentCoding.encode(value) : cleaned(value)
            } else if let fact = FactName(rawValue: word) {
                // The value of a missing fact is an empty text.
                let value = facts[fact] ?? ""
                out += encodes ? PercentCoding.encode(value) : cleaned(value)
            } else {
                throw unknownPlaceholder("{\(word)}")
            }
            rest = rest[rest.index(after: close)...]
        }
        return out + rest
    }

    private static func cleaned(_ value: String) -> String {
        String(value.unicodeScalars.map { $0.value < 32 || $0.value == 127 ? " " : Character($0) })
    }

    private static func unknownPlaceholder(_ what: String) -> UploadFailure {
        UploadFailure(
            .permanent(.misconfigured),
            "Unknown placeholder \(what) in the destination's settings.",
            nextStep: "Use {name}, {folder}, {file} or a fact such as {SESSION}.")
    }
}
