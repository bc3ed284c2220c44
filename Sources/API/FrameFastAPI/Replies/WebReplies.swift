public import FoundationEssentials

/// What a device may do on the page.
public struct WebRole: WireWord {
    /// The word.
    public let rawValue: String
    /// Takes any word.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Everything that is looked at; with `[web] control` also cameras, mode and session.
    public static let owner = Self(rawValue: "owner")
    /// One session: look, rate, pick, comment.
    public static let client = Self(rawValue: "client")
    /// One session: look.
    public static let screen = Self(rawValue: "screen")
    /// Every word of this build.
    public static let all = [owner, client, screen]
}

/// `POST /v1/web/pair`.
public struct WebPairRequest: WireRequest {
    /// Devices that one code lets in, at most.
    public static let usesMax = 50

    /// What the devices may do.
    public var role: WebRole
    /// The session that clients and screens see; the running one when left out.
    public var session: SessionID?
    /// How many devices may use the code; one when left out.
    public var uses: Int?

    /// What the document says of its fields.
    public static var fields: [WireField] {
        [
            .init(CodingKeys.session, range: 1...Int64.max),
            .init(CodingKeys.uses, range: 1...Int64(usesMax), standard: 1),
        ]
    }

    /// Creates a request.
    public init(role: WebRole, session: SessionID? = nil, uses: Int? = nil) {
        self.role = role
        self.session = session
        self.uses = uses
    }

    /// The request, when it is within bounds.
    public func checked() throws(ControlError) -> Self {
        guard WebRole.all.contains(role) else {
            throw ControlError(.invalid, "there is no role '\(role)'", nextStep: WebRole.choice)
        }
        guard (1...Self.usesMax).contains(uses ?? 1) else {
            throw ControlError(.invalid, "cannot let in \(uses ?? 0) devices: say 1 to \(Self.usesMax)")
        }
        return self
    }
}

/// A code that is open.
public struct WebPairReply: WireValue {
    /// What a browser opens: the code stands behind the `#`, which goes to no server and into no log.
    public var url: String
    /// The code.
    public var code: String
    /// What it lets in as.
    public var role: WebRole
    /// Until when it is good.
    public var expiresAt: Date
    /// SHA-256 of the page's certificate, as browsers show it; `nil` without TLS.
    @OrNull public var fingerprint: String?

    /// Creates a reply.
    public init(url: String, code: String, role: WebRole, expiresAt: Date, fingerprint: String?) {
        self.url = url
        self.code = code
        self.role = role
        self.expiresAt = expiresAt
        self._fingerprint = OrNull(wrappedValue: fingerprint)
    }
}

/// A device that was let in.
public struct WebDeviceReply: WireValue {
    /// What tells it apart, to shut it out.
    public var id: String
    /// What its person is called.
    public var name: String
    /// What it may do.
    public var role: WebRole
    /// The session that it sees; `nil` for all.
    @OrNull public var session: SessionID?
    /// Whether its person said that they are done.
    public var isDone: Bool
    /// When it was let in.
    public var pairedAt: Date
    /// When it was heard of last, to some minutes.
    public var lastUsedAt: Date

    /// Creates a reply.
    public init(
        id: String, name: String, role: WebRole, session: SessionID?, isDone: Bool, pairedAt: Date,
        lastUsedAt: Date
    ) {
        self.id = id
        self.name = name
        self.role = role
        self._session = OrNull(wrappedValue: session)
        self.isDone = isDone
        self.pairedAt = pairedAt
        self.lastUsedAt = lastUsedAt
    }
}

/// `GET /v1/web/devices`.
public struct WebDevicesReply: WireValue {
    /// As they came.
    public var devices: [WebDeviceReply]

    /// Creates a list.
    public init(devices: [WebDeviceReply]) { self.devices = devices }
}
