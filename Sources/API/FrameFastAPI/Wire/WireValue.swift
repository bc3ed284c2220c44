/// A value that is sent as JSON: a request, a reply, or a part of either. The properties of the type
/// determine its coding and its schema in the OpenAPI document.
public protocol WireValue: Codable, Hashable, Sendable {
    /// The description in the OpenAPI document; empty if the name is sufficient.
    static var summary: String { get }
    /// The descriptions of fields whose name and type are not sufficient.
    static var fields: [WireField] { get }
}

extension WireValue {
    /// The default: no description.
    public static var summary: String { "" }
    /// The default: no descriptions.
    public static var fields: [WireField] { [] }
}

/// A description of a field, in addition to the field's name and type.
public struct WireField: Sendable {
    /// The name of the property.
    public let name: String
    /// The description in the OpenAPI document; empty if the name is sufficient.
    public var description: String
    /// The allowed numbers. `Int64.max` as the upper bound means no maximum.
    public let range: ClosedRange<Int64>?
    /// The allowed length of a text, in characters.
    public let length: ClosedRange<Int>?
    /// The allowed number of elements of a list.
    public let count: ClosedRange<Int>?
    /// The default of an omitted number.
    public let defaultValue: Int64?
    /// Examples of a text.
    public let examples: [String]

    /// Describes the property with this key.
    public init(
        _ key: any CodingKey, _ description: String = "", range: ClosedRange<Int64>? = nil,
        length: ClosedRange<Int>? = nil, count: ClosedRange<Int>? = nil, defaultValue: Int? = nil,
        examples: [String] = []
    ) {
        name = key.stringValue
        self.description = description
        self.range = range
        self.length = length
        self.count = count
        self.defaultValue = defaultValue.map(Int64.init)
        self.examples = examples
    }
}

/// A value that has one of several kinds. One field contains the kind. The other fields depend on the kind.
public protocol WireVariants: WireValue {
    /// The key of the field that contains the kind.
    static var variantKey: String { get }
    /// All kinds.
    static var variants: [String] { get }
}

/// A request: the query of GET and DELETE, or the body of other methods.
public protocol WireRequest: WireValue {
    /// Returns the request with trimmed names, or throws if a value is invalid.
    func checked() throws(ControlError) -> Self
}

extension WireRequest {
    /// Returns the request unchanged.
    public func checked() throws(ControlError) -> Self { self }
}

/// The request type of endpoints without a request.
public struct NoInput: WireRequest {
    /// Creates an empty request.
    public init() {}
}

/// A reply that is text instead of JSON.
public protocol WireText: Sendable {
    /// The content type of ``text``.
    static var contentType: String { get }
    /// The content types of all forms of the text, the default first.
    static var contentTypes: [String] { get }
    /// The JSON Schema type of the text, parsed according to its content type; `string` for unstructured
    /// text.
    static var schemaType: String { get }
    /// The text.
    var text: String { get }
    /// Returns the form for a request, and its content type.
    ///
    /// - Parameter accept: The header `Accept`, or `nil` without the header.
    func content(accept: String?) -> (text: String, type: String)
}

extension WireText {
    /// The default: one form.
    public static var contentTypes: [String] { [contentType] }
    /// The default: ``text``.
    public func content(accept: String?) -> (text: String, type: String) { (text, Self.contentType) }
    /// The default: `string`, for unstructured text.
    public static var schemaType: String { "string" }
}
