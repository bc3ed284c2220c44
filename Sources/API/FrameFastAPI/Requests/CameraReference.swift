/// A camera by its id or its name, as a person writes it. Only the daemon resolves the reference.
public struct CameraReference: RawRepresentable, Codable, Hashable, Sendable, ExpressibleByStringLiteral {
    /// The text of the reference.
    public let rawValue: String
    /// Creates a reference from any text.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// Creates a reference from a literal, for tests.
    public init(stringLiteral value: String) { self.init(rawValue: value) }
    /// Creates a reference to a known camera.
    public init(_ id: CameraID) { self.init(rawValue: id.rawValue) }
}

extension CameraReference: CustomStringConvertible {
    /// The text of the reference.
    public var description: String { rawValue }
}
