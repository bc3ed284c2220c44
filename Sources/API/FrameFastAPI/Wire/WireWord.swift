/// A word from a list that may grow. A word that this build does not know survives decoding and encoding.
///
/// Conforming types are structs with one static constant for each known word. An older client therefore shows
/// a newer daemon's word instead of failing.
public protocol WireWord: RawRepresentable, Codable, Hashable, Sendable, CustomStringConvertible
where RawValue == String {
    /// Creates a word, known or not.
    init(rawValue: String)
    /// All words that this build knows, as in the OpenAPI document.
    static var all: [Self] { get }
}

extension WireWord {
    /// The next step for a person who gave an unknown word.
    static var choice: String { "Choose one of \(all.map(\.rawValue).joined(separator: ", "))." }

    /// The word on the wire.
    public var description: String { rawValue }
}
