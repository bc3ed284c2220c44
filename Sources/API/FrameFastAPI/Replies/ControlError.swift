/// An error of a request, in the terms of the API.
public struct ControlError: Error, Hashable, Sendable {
    /// The code, for programs.
    public var code: ErrorReply.Code
    /// The message for people: lower case, "cannot …", without a period.
    public var message: String
    /// The next step for a person, or `nil` if no action is needed.
    public var nextStep: String?

    /// Creates an error.
    public init(_ code: ErrorReply.Code, _ message: String, nextStep: String? = nil) {
        self.code = code
        self.message = message
        self.nextStep = nextStep
    }
}
