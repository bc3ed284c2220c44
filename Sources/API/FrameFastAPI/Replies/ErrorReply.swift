/// Body of every answer that is not a success.
public struct ErrorReply: WireValue {
    /// What went wrong.
    public var error: Detail

    /// Wraps a detail.
    public init(error: Detail) {
        self.error = error
    }

    /// Wraps the reason for a refusal.
    public init(_ error: ControlError) {
        self.init(error: Detail(code: error.code, message: error.message, nextStep: error.nextStep))
    }

    /// What went wrong, for programs and for people.
    public struct Detail: WireValue {
        /// For programs: a stable word.
        public var code: Code
        /// For people: lower case, "cannot …", no full stop.
        public var message: String
        /// What the person can do about it; `nil` when there is nothing to do.
        @OrNull public var nextStep: String?

        /// What the document says of its fields.
        public static var fields: [WireField] {
            [
                .init(CodingKeys.code, "Each has one HTTP status"),
                .init(CodingKeys.message, "Lower case, no full stop"),
                .init(CodingKeys.nextStep, "What the person can do"),
            ]
        }

        /// Creates a detail.
        public init(code: Code, message: String, nextStep: String? = nil) {
            self.code = code
            self.message = message
            self._nextStep = OrNull(wrappedValue: nextStep)
        }
    }

    /// Stable words for what went wrong. Each has one HTTP status.
    public struct Code: WireWord {
        /// The word.
        public let rawValue: String
        /// Takes any word.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The request cannot be read: bad JSON, a bad parameter.
        public static let badRequest = Self(rawValue: "bad_request")
        /// The caller may not do this.
        public static let forbidden = Self(rawValue: "forbidden")
        /// No such path, camera, capture or session.
        public static let notFound = Self(rawValue: "not_found")
        /// The path exists, with other methods.
        public static let wrongMethod = Self(rawValue: "wrong_method")
        /// What was asked does not fit the present state: no session to stop, a camera that is away.
        public static let conflict = Self(rawValue: "conflict")
        /// The body is over the limit.
        public static let tooLong = Self(rawValue: "too_long")
        /// The request is well formed and asks for something that cannot be: a template with an unknown token.
        public static let invalid = Self(rawValue: "invalid")
        /// The camera refused or did not answer.
        public static let cameraFailed = Self(rawValue: "camera_failed")
        /// The camera or its driver cannot do this at all.
        public static let unsupported = Self(rawValue: "unsupported")
        /// Too many clients, or the daemon is starting or stopping.
        public static let unavailable = Self(rawValue: "unavailable")
        /// A fault of the daemon's own.
        public static let `internal` = Self(rawValue: "internal")

        /// Every code of this build with its HTTP status: the document lists the same.
        public static let statuses: [(code: Self, status: Int)] = [
            (.badRequest, 400), (.forbidden, 403), (.notFound, 404), (.wrongMethod, 405), (.conflict, 409),
            (.tooLong, 413), (.invalid, 422), (.internal, 500), (.unsupported, 501), (.cameraFailed, 502),
            (.unavailable, 503),
        ]

        /// HTTP status that carries this code; 500 for a code that this build does not know.
        public var httpStatus: Int { Self.statuses.first { $0.code == self }?.status ?? 500 }

        /// Every code of this build.
        public static let all = statuses.map(\.code)
    }
}
