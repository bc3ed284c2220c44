public import FoundationEssentials

/// The result of `POST /v1/web/codes`: a code with which devices can pair.
public struct WebCodeReply: WireValue {
    /// The page's URL with the code after `#`. Browsers never send this part of a URL to a server.
    public var url: String
    /// The code: `K7QM-4R2P`.
    public var code: String
    /// The time at which the code expires.
    public var expiresAt: Date
    /// The number of devices that the code can pair.
    public var uses: Int
    /// The role of the devices.
    @Word public var role: WebRole?
    /// The name of the session that the devices may see, or `nil` for an owner.
    @OrNull public var sessionName: String?
    /// The SHA-256 fingerprint of the page's certificate, or `nil` if the page does not use TLS.
    @OrNull public var fingerprint: String?

    /// The descriptions of the fields in the OpenAPI document.
    public static var fields: [WireField] {
        [
            .init(
                CodingKeys.url, "URL of the page with the code after #",
                examples: ["https://192.168.1.20:9480/#K7QM-4R2P"]),
            .init(CodingKeys.code, examples: ["K7QM-4R2P"]),
            .init(CodingKeys.sessionName, "Session that the devices may see; null for an owner"),
            .init(CodingKeys.fingerprint, "SHA-256 fingerprint of the page's certificate; null without TLS"),
        ]
    }

    /// Creates a reply.
    public init(
        url: String, code: String, expiresAt: Date, uses: Int, role: WebRole, sessionName: String? = nil,
        fingerprint: String? = nil
    ) {
        self.url = url
        self.code = code
        self.expiresAt = expiresAt
        self.uses = uses
        self._role = Word(role)
        self._sessionName = OrNull(wrappedValue: sessionName)
        self._fingerprint = OrNull(wrappedValue: fingerprint)
    }
}

/// `GET /v1/web/devices`.
public struct WebDevicesReply: WireValue {
    /// The devices that may use the web page, oldest first.
    public var devices: [WebDeviceReply]
    /// Whether the configuration turns the page on.
    public var isOn: Bool
    /// The page's URL without a path, or `nil` while no server listens.
    @OrNull public var url: String?
    /// Whether an owner's device may control cameras, sessions and uploads.
    public var control: Bool

    /// The descriptions of the fields in the OpenAPI document.
    public static var fields: [WireField] {
        [
            .init(CodingKeys.isOn, "True if the configuration turns the page on"),
            .init(
                CodingKeys.url, "URL of the page; null while no server listens",
                examples: ["https://192.168.1.20:9480"]),
            .init(CodingKeys.control, "True if an owner's device may control cameras"),
        ]
    }

    /// Creates a reply.
    public init(
        devices: [WebDeviceReply], isOn: Bool = false, url: String? = nil, control: Bool = false
    ) {
        self.devices = devices
        self.isOn = isOn
        self._url = OrNull(wrappedValue: url)
        self.control = control
    }
}

/// A device that may use the web page.
public struct WebDeviceReply: WireValue {
    /// The number of the device.
    public var id: WebDeviceID
    /// The name that the person entered on the device.
    public var name: String
    /// The role of the device.
    @Word public var role: WebRole?
    /// The name of the session that the device may see, or `nil` for an owner.
    @OrNull public var sessionName: String?
    /// The time at which the device was paired.
    public var createdAt: Date
    /// The time of the last request, with an error of at most an hour.
    public var lastUsedAt: Date
    /// The time at which the device loses access, or `nil` while its session runs.
    @OrNull public var expiresAt: Date?
    /// Whether the person has sent the final ratings.
    public var isDone: Bool

    /// The descriptions of the fields in the OpenAPI document.
    public static var fields: [WireField] {
        [
            .init(CodingKeys.sessionName, "Session that the device may see; null for an owner"),
            .init(CodingKeys.lastUsedAt, "Time of the last request, with an error of at most an hour"),
            .init(
                CodingKeys.expiresAt, "Time at which the device loses access; null while its session runs"),
            .init(CodingKeys.isDone, "True if the person has sent the final ratings"),
        ]
    }

    /// Creates a reply.
    public init(
        id: WebDeviceID, name: String, role: WebRole, sessionName: String? = nil, createdAt: Date,
        lastUsedAt: Date, expiresAt: Date? = nil, isDone: Bool = false
    ) {
        self.id = id
        self.name = name
        self._role = Word(role)
        self._sessionName = OrNull(wrappedValue: sessionName)
        self.createdAt = createdAt
        self.lastUsedAt = lastUsedAt
        self._expiresAt = OrNull(wrappedValue: expiresAt)
        self.isDone = isDone
    }
}
