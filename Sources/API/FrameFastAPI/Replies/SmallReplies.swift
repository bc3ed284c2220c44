/// `GET /v1/cameras`.
public struct CamerasReply: WireValue {
    /// The cameras, in the order of the status.
    public var cameras: [CameraReply]

    /// Creates a reply.
    public init(cameras: [CameraReply]) {
        self.cameras = cameras
    }
}

/// `GET /v1/version`.
public struct VersionReply: WireValue {
    /// The version of the daemon.
    public var version: String
    /// The version of the API.
    public var apiVersion: Int

    /// Creates a reply.
    public init(version: String, apiVersion: Int = APIVersion.current) {
        self.version = version
        self.apiVersion = apiVersion
    }
}

/// The reply to a trigger.
public struct TriggerReply: WireValue {
    /// The names of the cameras that released.
    public var triggered: [String]
    /// The cameras that did not release, with the reason.
    public var refused: [Refusal]

    /// Creates a reply.
    public init(triggered: [String], refused: [Refusal] = []) {
        self.triggered = triggered
        self.refused = refused
    }

    /// A camera that did not release, or whose clock could not be read or set.
    public struct Refusal: WireValue {
        /// The name of the camera.
        public var camera: String
        /// The reason, as a text for people.
        public var message: String

        /// Creates a refusal.
        public init(camera: String, message: String) {
            self.camera = camera
            self.message = message
        }
    }
}

/// `POST /v1/template/test`.
public struct TemplateTestRequest: WireRequest {
    /// The longest template, in characters.
    public static let templateLengthMax = 500
    /// The largest number of names in a request.
    public static let countMax = 20
    /// The default number of names.
    public static let countDefault = 3

    /// The naming template.
    public var template: String
    /// The number of next names to return, 1...``countMax``, or `nil` for ``countDefault``.
    public var count: Int?

    /// The descriptions of the fields in the OpenAPI document.
    public static var fields: [WireField] {
        [
            .init(CodingKeys.template, length: 0...templateLengthMax),
            .init(CodingKeys.count, range: 1...Int64(countMax), defaultValue: countDefault),
        ]
    }

    /// Creates a request.
    public init(template: String, count: Int? = nil) {
        self.template = template
        self.count = count
    }
}

/// The next names that a template would produce.
public struct TemplateTestReply: WireValue {
    /// The naming template.
    public var template: String
    /// The paths below the capture directory. A template without a counter produces only one path.
    public var names: [String]

    /// Creates a reply.
    public init(template: String, names: [String]) {
        self.template = template
        self.names = names
    }
}
