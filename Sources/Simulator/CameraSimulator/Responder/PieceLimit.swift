/// The most bytes of an object that a camera sends at a time. Nothing in PTP says how much that is.
public struct PieceLimit: Hashable, Sendable {
    /// What a camera does that is asked for more.
    public enum Manner: String, Hashable, Sendable, CaseIterable {
        /// It answers that a parameter is wrong.
        case refuse
        /// It sends as much as it sends at a time.
        case short
        /// It says nothing any more.
        case hang
    }

    /// Bytes at a time.
    public var bytes: Int
    /// What it does that is asked for more.
    public var manner: Manner

    /// A limit.
    public init(bytes: Int, manner: Manner) {
        self.bytes = bytes
        self.manner = manner
    }
}
