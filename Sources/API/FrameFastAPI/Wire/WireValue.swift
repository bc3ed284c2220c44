/// A body or a part of one. Its fields are declared once, as properties: coding, and the document's schema, follow.
public protocol WireValue: Codable, Hashable, Sendable {
    /// What the document says of the whole; empty when its name says it all.
    static var summary: String { get }
    /// What the document says of fields beyond their name and type.
    static var fields: [WireField] { get }
}

extension WireValue {
    /// Nothing beyond the name.
    public static var summary: String { "" }
    /// Nothing beyond names and types.
    public static var fields: [WireField] { [] }
}

/// What a client is to know of a field beyond its name and type.
public struct WireField: Sendable {
    /// The property's name.
    public let name: String
    /// For people; empty when the name says it all.
    public var words: String
    /// Numbers that are taken; the largest number there is stands for no bound.
    public let range: ClosedRange<Int64>?
    /// Characters of a text.
    public let length: ClosedRange<Int>?
    /// Elements of a list.
    public let count: ClosedRange<Int>?
    /// What counts when a number is left out.
    public let standard: Int64?
    /// Texts that it may be.
    public let examples: [String]

    /// Describes the property of this key.
    public init(
        _ key: any CodingKey, _ words: String = "", range: ClosedRange<Int64>? = nil,
        length: ClosedRange<Int>? = nil, count: ClosedRange<Int>? = nil, standard: Int? = nil,
        examples: [String] = []
    ) {
        name = key.stringValue
        self.words = words
        self.range = range
        self.length = length
        self.count = count
        self.standard = standard.map(Int64.init)
        self.examples = examples
    }
}

/// A value of one of several kinds, told by a word; each kind has fields of its own.
public protocol WireVariants: WireValue {
    /// The field that holds the word.
    static var variantKey: String { get }
    /// The words.
    static var variants: [String] { get }
}

/// What a caller gives: the query where something is looked at or removed, else the body.
public protocol WireRequest: WireValue {
    /// The request as it is carried out, when it can be meant: names trimmed, words and bounds checked.
    func checked() throws(ControlError) -> Self
}

extension WireRequest {
    /// The request as it is.
    public func checked() throws(ControlError) -> Self { self }
}

/// Nothing is given.
public struct NoInput: WireRequest {
    /// Creates nothing.
    public init() {}
}

/// An answer that is a text, not JSON.
public protocol WireText: Sendable {
    /// Its content type.
    static var contentType: String { get }
    /// What the document says that it is, read by its content type: `string` when nobody takes it apart.
    static var schemaType: String { get }
    /// The text.
    var text: String { get }
}

extension WireText {
    /// Text that nobody takes apart.
    public static var schemaType: String { "string" }
}
