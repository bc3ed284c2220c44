/// A value of a vocabulary that may grow. On the wire, the value is a text.
///
/// The wrapped value is `nil` if this build does not know the text. The projected value has the text.
/// Decoding and encoding preserve the text. An older client therefore shows a newer daemon's value instead of
/// failing.
@propertyWrapper
public struct Word<Known>: Codable, Hashable, Sendable, CustomStringConvertible
where Known: RawRepresentable, Known: CaseIterable, Known.RawValue == String {
    /// The text on the wire.
    public var text: String

    /// Wraps a value of the vocabulary.
    public init(_ known: Known) { text = known.rawValue }

    /// Wraps a text, whether or not the vocabulary contains it.
    public init(text: String) { self.text = text }

    /// Decodes a text.
    public init(from decoder: any Decoder) throws {
        text = try decoder.singleValueContainer().decode(String.self)
    }

    /// Encodes the text.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }

    /// The value, or `nil` if the vocabulary of this build does not contain the text.
    public var known: Known? { Known(rawValue: text) }

    /// The value, or `nil` if the vocabulary of this build does not contain the text. Setting `nil` clears
    /// the text.
    public var wrappedValue: Known? {
        get { known }
        set { text = newValue?.rawValue ?? "" }
    }

    /// This value, which includes the text.
    public var projectedValue: Self {
        get { self }
        set { self = newValue }
    }

    /// The text on the wire.
    public var description: String { text }

    /// The next step for a person who gave an unknown value.
    static var choice: String {
        "Choose one of \(Known.allCases.map(\.rawValue).joined(separator: ", "))."
    }
}
