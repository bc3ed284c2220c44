/// The settings of an HTTP server that accepts files.
public struct HTTPSettings: Hashable, Sendable {
    /// The way to send a photo.
    public enum Way: Hashable, Sendable {
        /// `PUT` with the photo as the body.
        case put
        /// `POST` of a form (`multipart/form-data`) with the photo in the field `file`, and more fields whose
        /// values are templates.
        case form(file: String, fields: [HTTPHeader])
        /// Requests a URL first, puts the photo there, and then asks whether the server processed it, if it
        /// has a status URL.
        case presigned(PresignSettings)
    }

    /// The address, a template. `{name}` is the whole remote name, `{file}` its last component, and
    /// `{folder}` its folder. A fact's name in capitals is the fact's value. Values are percent-encoded. For
    /// example `https://host/in/{SESSION}/{file}`.
    public var url: String
    /// The way to send a photo.
    public var way: Way
    /// The headers to send with each photo. Their values are templates, filled in without encoding.
    public var headers: [HTTPHeader]
    /// The credentials for the server.
    public var credentials: HTTPCredentials
    /// The secret as a form field, or `nil` if the form carries no secret.
    var secretField: SecretField?
    /// Whether a PUT first checks its name. `If-None-Match` is sent too, but many servers ignore it.
    public var looksFirst: Bool
    /// The way to verify a copy.
    public var verification: Verification
    /// The trust, proxy, time limits and speed.
    public var connection: ConnectionSettings

    /// Creates the settings of an HTTP destination.
    public init(
        url: String, way: Way = .put, headers: [HTTPHeader] = [], credentials: HTTPCredentials = .none,
        looksFirst: Bool = true, verification: Verification = .automatic,
        connection: ConnectionSettings = ConnectionSettings()
    ) {
        self.url = url
        self.way = way
        self.headers = headers
        self.credentials = credentials
        self.looksFirst = looksFirst
        self.verification = verification
        self.connection = connection
    }
}

/// A form field that contains a secret.
struct SecretField: Hashable, Sendable {
    var name: String
    var secret: Secret
}

/// The settings for requesting an upload URL. The request is a `POST` to the destination's address with a
/// JSON object of the photo's name, size, SHA-256, media type and facts. The response is a JSON object.
public struct PresignSettings: Hashable, Sendable {
    /// The path of the URL in the response, with dots between object keys: `upload.url`.
    public var urlField: String
    /// The path of the headers for the PUT in the response, an object of texts. The response may omit it.
    public var headersField: String
    /// The path of the upload's id in the response. The response may omit it.
    public var idField: String
    /// The address that reports an upload's state, a template with `{id}`, or `nil` if the server has no such
    /// address.
    public var statusURL: String?
    /// The path of the state in the status response.
    public var stateField: String
    /// The states of a processed upload.
    public var doneStates: [String]
    /// The states of a failed upload.
    public var failedStates: [String]
    /// The time between two status requests, in seconds.
    public var pollSeconds: Double
    /// The time to wait for an end state before the upload is retried, in seconds.
    public var pollSecondsMax: Double

    /// Creates presign settings. The defaults are the field names and states of a common API.
    public init(
        urlField: String = "url", headersField: String = "headers", idField: String = "id",
        statusURL: String? = nil, stateField: String = "state", doneStates: [String] = ["completed"],
        failedStates: [String] = ["failed"], pollSeconds: Double = 2, pollSecondsMax: Double = 120
    ) {
        self.urlField = urlField
        self.headersField = headersField
        self.idField = idField
        self.statusURL = statusURL
        self.stateField = stateField
        self.doneStates = doneStates
        self.failedStates = failedStates
        self.pollSeconds = pollSeconds
        self.pollSecondsMax = pollSecondsMax
    }
}
