/// A camera as a person says it: by its id or by its name. The daemon finds out which camera is meant; nobody else does.
public struct CameraReference: RawRepresentable, Codable, Hashable, Sendable, ExpressibleByStringLiteral {
    /// The word that was given.
    public let rawValue: String
    /// Takes any word.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// For tests.
    public init(stringLiteral value: String) { self.init(rawValue: value) }
    /// A camera that is known already.
    public init(_ id: CameraID) { self.init(rawValue: id.rawValue) }
}

extension CameraReference: CustomStringConvertible {
    /// The word.
    public var description: String { rawValue }
}
