/// The body of every answer that is not a success.
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
        public var code: Code
        /// The message for people: lower case, "cannot …", without a full stop.
        public var message: String
        /// The next step for a person, or `nil` if no action is needed.
        @OrNull public var nextStep: String?

        /// The descriptions of the fields in the OpenAPI document.
        public static var fields: [WireField] {
            [
                .init(CodingKeys.code, "Each code has one HTTP status"),
                .init(CodingKeys.message, "Lower case, without a period"),
                .init(CodingKeys.nextStep, "What the user can do"),
            ]
        }

        /// Creates a detail.
        public init(code: Code, message: String, nextStep: String? = nil) {
            self.code = code
            self.message = message
            self._nextStep = OrNull(wrappedValue: nextStep)
        }
    }

    /// A stable code of an error. Each code has one HTTP status.
    public struct Code: WireWord {
        /// The word on the wire.
        public let rawValue: String
        /// Creates a word, known or not.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The request cannot be parsed: invalid JSON or an invalid parameter.
        public static let badRequest = Self(rawValue: "bad_request")
        /// The caller lacks permission.
        public static let forbidden = Self(rawValue: "forbidden")
        /// The path, camera, capture or session does not exist.
        public static let notFound = Self(rawValue: "not_found")
        /// The path exists, but not with this method.
        public static let wrongMethod = Self(rawValue: "wrong_method")
        /// The request does not fit the current state: no session to stop, or a camera that is not connected.
        public static let conflict = Self(rawValue: "conflict")
        /// The body exceeds the size limit.
        public static let tooLong = Self(rawValue: "too_long")
        /// The request is well formed but asks for something impossible, such as a template with an unknown
        /// token.
        public static let invalid = Self(rawValue: "invalid")
        /// The camera refused or did not answer.
        public static let cameraFailed = Self(rawValue: "camera_failed")
        /// The camera or its driver does not support the request.
        public static let unsupported = Self(rawValue: "unsupported")
        /// Too many clients are connected, or the daemon is starting or stopping.
        public static let unavailable = Self(rawValue: "unavailable")
        /// The daemon itself failed.
        public static let `internal` = Self(rawValue: "internal")

        /// All codes of this build with their HTTP status, as in the OpenAPI document.
        public static let statuses: [(code: Self, status: Int)] = [
            (.badRequest, 400), (.forbidden, 403), (.notFound, 404), (.wrongMethod, 405), (.conflict, 409),
            (.tooLong, 413), (.invalid, 422), (.internal, 500), (.unsupported, 501), (.cameraFailed, 502),
            (.unavailable, 503),
        ]

        /// The HTTP status of this code, or 500 for a code that this build does not know.
        public var httpStatus: Int { Self.statuses.first { $0.code == self }?.status ?? 500 }

        /// All codes of this build.
        public static let all = statuses.map(\.code)
    }
}
