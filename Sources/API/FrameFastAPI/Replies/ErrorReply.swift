/// The body of every error response.
public struct ErrorReply: WireValue {
    /// The error.
    public var error: Detail

    /// Wraps an error.
    public init(error: Detail) {
        self.error = error
    }

    /// Creates the body for an error of the daemon.
    public init(_ error: ControlError) {
        self.init(error: Detail(code: error.code, message: error.message, nextStep: error.nextStep))
    }

    /// An error, for programs and for people.
    public struct Detail: WireValue {
        /// The stable code, for programs.
        @Word public var code: Code?
        /// The message for people, in lower case and without a period, such as "cannot …".
        public var message: String
        /// The next step for a person, or `nil` if no action is needed.
        @OrNull public var nextStep: String?

        /// The descriptions of the fields in the OpenAPI document.
        public static var fields: [WireField] {
            [
                .init(CodingKeys.code, "Each code has one HTTP status"),
                .init(CodingKeys.message, "Message in lower case, without a period"),
                .init(CodingKeys.nextStep, "Next step for the user"),
            ]
        }

        /// Creates a detail.
        public init(code: Code, message: String, nextStep: String? = nil) {
            self._code = Word(code)
            self.message = message
            self._nextStep = OrNull(wrappedValue: nextStep)
        }
    }

    /// A stable code of an error. Each code has one HTTP status.
    public typealias Code = ErrorCode
}

extension ErrorCode {
    /// The HTTP status of the code.
    public var httpStatus: Int {
        switch self {
        case .badRequest: 400
        case .unauthorized: 401
        case .forbidden: 403
        case .notFound: 404
        case .wrongMethod: 405
        case .conflict: 409
        case .tooLong: 413
        case .misdirected: 421
        case .invalid: 422
        case .tooMany: 429
        case .internal: 500
        case .unsupported: 501
        case .cameraFailed: 502
        case .unavailable: 503
        }
    }
}
