/// A word from a list that may grow: a value that this build does not know survives decoding and encoding.
///
/// Conforming types are structs with one static constant a known word, so that an older client shows a newer
/// daemon's word instead of failing.
public protocol WireWord: RawRepresentable, Codable, Hashable, Sendable, CustomStringConvertible
where RawValue == String {
    /// Takes any word, known or not.
    init(rawValue: String)
    /// Every word of this build; the document lists the same.
    static var all: [Self] { get }
}

extension WireWord {
    /// What a person does who gave a word that is not there.
    static var choice: String { "Choose one of \(all.map(\.rawValue).joined(separator: ", "))." }

    /// The word as it is on the wire.
    public var description: String { rawValue }
}
