/// The result of comparing a camera's object handles with the objects of one connection.
public struct HandleComparison: Hashable, Sendable {
    /// The number of objects on the card that the connection has neither listed nor announced. Only a new
    /// connection can list them.
    public var missing: Int
    /// The number of objects whose information the camera refused to send. A list without these objects is
    /// incomplete.
    public var refused: Int

    /// Creates a result.
    public init(missing: Int, refused: Int) {
        self.missing = missing
        self.refused = refused
    }
}
