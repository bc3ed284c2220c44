public import FoundationEssentials

/// Something that happened here, for other computers.
public struct FleetEvent: Hashable, Sendable {
    /// Its number, from 1 on; one that is missing was forgotten because too many waited.
    public var seq: Int64
    /// What happened: `saved`, `delivered`, `session-started`, `session-stopped`.
    public var kind: String
    /// When.
    public var at: Date
    /// The facts, a JSON object.
    public var facts: String

    /// Creates an event.
    public init(seq: Int64, kind: String, at: Date, facts: String) {
        self.seq = seq
        self.kind = kind
        self.at = at
        self.facts = facts
    }
}

/// An order of another computer's, when it is claimed.
public enum FleetClaim: Hashable, Sendable {
    /// Nobody has carried it out: it is this caller's.
    case mine
    /// It was carried out, with this answer.
    case answered(String)
    /// Somebody began and said no more: whether it was carried out is not known.
    case unknown
}
