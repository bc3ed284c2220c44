/// `POST /v1/web/codes`: opens a code with which devices can pair.
public struct WebPairRequest: WireRequest {
    /// The maximum number of devices that one code can pair.
    public static let usesMax = 100
    /// The value of ``session`` that means the running session.
    public static let currentSession = "current"

    /// The role of the devices.
    @Word public var role: WebRole?
    /// The name or number of the session that the devices may see. `current` and `nil` mean the running
    /// session. An owner sees all sessions, so the value must be `nil`.
    public var session: String?
    /// The number of devices that the code can pair, 1...``usesMax``, or `nil` for one.
    public var uses: Int?

    /// The descriptions of the fields in the OpenAPI document.
    public static var fields: [WireField] {
        [
            .init(CodingKeys.role, "Role of the devices"),
            .init(
                CodingKeys.session,
                "Name or number of the session that a client or screen may see. Default: current, the running session",
                length: 1...SessionStartRequest.nameLengthMax, examples: [currentSession, "Wedding"]),
            .init(
                CodingKeys.uses, "Number of devices that the code can pair. Default: 1",
                range: 1...Int64(usesMax)),
        ]
    }

    /// Creates a request.
    public init(role: WebRole, session: String? = nil, uses: Int? = nil) {
        self._role = Word(role)
        self.session = session
        self.uses = uses
    }

    /// Returns the request, or throws if a value is invalid.
    public func checked() throws(ControlError) -> Self {
        guard let role else {
            throw ControlError(
                .invalid, "cannot pair a device with role '\($role)'", nextStep: Word<WebRole>.choice)
        }
        guard (1...Self.usesMax).contains(uses ?? 1) else {
            throw ControlError(
                .invalid, "cannot open a code for \(uses ?? 0) devices",
                nextStep: "Give 1 to \(Self.usesMax) uses.")
        }
        if let session {
            guard role != .owner else {
                throw ControlError(
                    .invalid, "cannot limit an owner to session '\(session)'",
                    nextStep: "Omit the session, or use role client or screen.")
            }
            guard (1...SessionStartRequest.nameLengthMax).contains(session.count) else {
                throw ControlError(
                    .invalid, "cannot find a session with a name of \(session.count) characters",
                    nextStep: "Give the name of a session. See 'framefast session list'.")
            }
        }
        return self
    }
}
