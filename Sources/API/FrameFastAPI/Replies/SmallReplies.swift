/// `GET /v1/cameras`.
public struct CamerasReply: WireValue {
    /// The cameras, in the order of `status`.
    public var cameras: [CameraReply]

    /// Creates a reply.
    public init(cameras: [CameraReply]) {
        self.cameras = cameras
    }
}

/// `GET /v1/version`.
public struct VersionReply: WireValue {
    /// Version of the daemon.
    public var version: String
    /// Version of this interface.
    public var apiVersion: Int

    /// Creates a reply.
    public init(version: String, apiVersion: Int = APIVersion.current) {
        self.version = version
        self.apiVersion = apiVersion
    }
}

/// Answer to a trigger: whose shutter was released.
public struct TriggerReply: WireValue {
    /// Names of the cameras that released.
    public var triggered: [String]
    /// Cameras that did not, and why.
    public var refused: [Refusal]

    /// Creates a reply.
    public init(triggered: [String], refused: [Refusal] = []) {
        self.triggered = triggered
        self.refused = refused
    }

    /// A camera that did not release.
    public struct Refusal: WireValue {
        /// Name of the camera.
        public var camera: String
        /// Why, "cannot …".
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
    /// Longest template, in characters.
    public static let templateLengthMax = 500
    /// Most names that can be asked for.
    public static let countMax = 20
    /// Names shown when nothing is said.
    public static let countDefault = 3

    /// The template.
    public var template: String
    /// How many next names to show, 1...``countMax``; ``countDefault`` when left out.
    public var count: Int?

    /// What the document says of its fields.
    public static var fields: [WireField] {
        [
            .init(CodingKeys.template, length: 0...templateLengthMax),
            .init(CodingKeys.count, range: 1...Int64(countMax), standard: countDefault),
        ]
    }

    /// Creates a request.
    public init(template: String, count: Int? = nil) {
        self.template = template
        self.count = count
    }
}

/// The next names that a template would give.
public struct TemplateTestReply: WireValue {
    /// The template.
    public var template: String
    /// Paths below the capture directory; a single one if the template has no counter.
    public var names: [String]

    /// Creates a reply.
    public init(template: String, names: [String]) {
        self.template = template
        self.names = names
    }
}
