/// The maximum size of a partial read of an object. PTP has no field that announces this limit.
public struct PieceLimit: Hashable, Sendable {
    /// The camera's reaction to a larger read.
    public enum Reaction: String, Hashable, Sendable, CaseIterable {
        /// The camera responds with InvalidParameter.
        case refuse
        /// The camera sends fewer bytes than requested.
        case short
        /// The camera stops responding.
        case hang
    }

    /// The maximum size of a partial read, in bytes.
    var bytes: Int
    /// The reaction to a larger read.
    var reaction: Reaction

    /// Creates a limit.
    public init(bytes: Int, reaction: Reaction) {
        self.bytes = bytes
        self.reaction = reaction
    }
}
