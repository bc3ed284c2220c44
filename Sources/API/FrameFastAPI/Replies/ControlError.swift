/// Why the daemon does not do what was asked, in the terms of the wire.
public struct ControlError: Error, Hashable, Sendable {
    /// For programs.
    public var code: ErrorReply.Code
    /// For people: lower case, "cannot …", no full stop.
    public var message: String
    /// What the person can do; `nil` when there is nothing to do.
    public var nextStep: String?

    /// Creates an error.
    public init(_ code: ErrorReply.Code, _ message: String, nextStep: String? = nil) {
        self.code = code
        self.message = message
        self.nextStep = nextStep
    }
}
