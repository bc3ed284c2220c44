public import FrameFastAPI
public import WebPairing

/// The endpoints that a paired device may use on the web page. Every other endpoint is refused.
///
/// The Unix socket has its own policy, ``AccessPolicy``. The page can never pair or revoke devices, add
/// cameras, or remove photos.
public struct WebPolicy: Hashable, Sendable {
    /// Whether an owner's device may control cameras, the session and uploads: `[web] control`.
    public var allowsControl: Bool
    /// Whether a client's device may fetch originals: `[web] originals`.
    public var givesOriginals: Bool

    /// Creates a policy.
    public init(allowsControl: Bool = false, givesOriginals: Bool = false) {
        self.allowsControl = allowsControl
        self.givesOriginals = givesOriginals
    }

    /// Checks a request of a device.
    ///
    /// - Parameter endpoint: The endpoint's name, for example `shotsRate`.
    /// - Throws: The error for the device, if the device may not use the endpoint.
    public func check(_ device: WebDevice, uses endpoint: String) throws(ControlError) {
        if names(for: device.role).contains(endpoint) {
            guard endpoint == Self.rating, device.isDone else { return }
            throw ControlError(
                .conflict, "cannot change a rating: this device has sent its final ratings",
                nextStep: "Ask the photographer for a new code.")
        }
        if device.role == .owner, Self.control.contains(endpoint) {
            throw ControlError(
                .forbidden, "cannot control cameras from the web page: control is off",
                nextStep: "Set control = true in [web] of the configuration, then restart the service.")
        }
        throw ControlError(
            .forbidden, "cannot do this on the page: the role of this device is \(device.role.rawValue)",
            nextStep: "Use 'framefast' on the computer, or ask the photographer for a code with another role."
        )
    }

    /// Returns the names of the endpoints that a role may use.
    public func names(for role: WebRole) -> Set<String> {
        switch role {
        case .owner:
            Self.pictures.union(Self.reading).union([Self.rating, Self.original])
                .union(allowsControl ? Self.control : [])
        case .client: Self.pictures.union([Self.rating]).union(givesOriginals ? [Self.original] : [])
        case .screen: Self.pictures
        }
    }

    /// Returns the only session whose shots a device may see, or `nil` for all sessions. A screen sees its
    /// whole session, like a client.
    ///
    /// If the device of a client or screen has no session, returns a session id that no ledger contains. The
    /// device then sees no shots.
    public func sessionLimit(of device: WebDevice) -> SessionID? {
        switch device.role {
        case .owner: nil
        case .client, .screen: device.session ?? SessionID(rawValue: -1)
        }
    }

    /// The endpoint that opens the event stream.
    package static let events = "serviceEvents"
    /// The endpoint that replaces the caller's rating of a shot: stars, pick and comment.
    package static let rating = "shotsRate"
    /// The endpoint that returns the camera's JPEG, or the largest JPEG in its RAW file.
    package static let original = "shotsFull"

    /// Endpoints of every role. The server filters their replies for the role.
    static let pictures: Set<String> = [
        events, "shotsList", "shotsGet", "shotsThumbnail", "shotsScreen", "shotsHistogram",
    ]

    /// Endpoints that an owner may read. Their replies contain file paths, conditions and statistics.
    static let reading: Set<String> = [
        "serviceVersion", "serviceStatus", "serviceSummary", "serviceConditions", "camerasList", "camerasGet",
        "groupsList", "operationsGet", "capturesList", "capturesGet", "sessionsList", "destinationsList",
        "uploadsList", "uploadsMode", "storageSummary",
    ]

    /// Endpoints that an owner may use if control is on: shutter, live view, session, mode and queue.
    static let control: Set<String> = [
        "camerasTrigger", "camerasTriggerAll", "camerasLivePicture", "camerasLivePictures", "groupsShoot",
        "operationsStop", "sessionsStart", "sessionsStop", "uploadsSetMode", "uploadsPause", "uploadsResume",
        "uploadsRetry", "uploadsHold", "uploadsRelease", "uploadsFirst",
    ]
}
