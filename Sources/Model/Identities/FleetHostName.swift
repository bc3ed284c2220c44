/// Which computer of a fleet: the name that its configuration gives it, or the system. Like a destination, its name is its id.
public struct FleetHostName: Identity, ExpressibleByStringLiteral {
    /// The name.
    public let rawValue: String
    /// Takes the name of the configuration or of a topic.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// For tests.
    public init(stringLiteral value: String) { self.init(rawValue: value) }
}
