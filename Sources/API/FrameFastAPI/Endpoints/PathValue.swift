/// What varies in a path.
public protocol PathValue: Sendable {
    /// Reads it from the decoded segment; `nil` when it can be none.
    init?(pathText: String)
    /// The segment before it is encoded.
    var pathText: String { get }
}

/// Nothing varies.
public struct NoPath: PathValue {
    /// Creates nothing.
    public init() {}
    /// Takes anything: there is no segment.
    public init?(pathText: String) {}
    /// Nothing.
    public var pathText: String { "" }
}

extension String: PathValue {
    /// Takes any text.
    public init?(pathText: String) { self = pathText }
    /// The text.
    public var pathText: String { self }
}

extension Int64: PathValue {
    /// Takes a number.
    public init?(pathText: String) { self.init(pathText) }
    /// The digits.
    public var pathText: String { String(self) }
}
