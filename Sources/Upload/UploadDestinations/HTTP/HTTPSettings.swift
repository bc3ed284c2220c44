/// The settings of an HTTP server that accepts files.
public struct HTTPSettings: Hashable, Sendable {
    /// The method for sending a photo.
    public enum Method: Hashable, Sendable {
        /// `PUT` with the photo as the body.
        case put
        /// `POST` of a form (`multipart/form-data`) with the photo in the field `file`. The values of the
        /// other fields are templates.
        case form(file: String, fields: [HTTPHeader])
        /// Requests an upload URL and sends the photo to this URL. If the settings contain a status URL, the
        /// upload then waits until the server has processed the photo.
        case presigned(PresignSettings)
    }

    /// The URL template. `{name}` is the whole remote name, `{file}` its last component, and `{folder}` its
    /// folder. A placeholder in capitals is the fact with that name. Values are percent-encoded. Example:
    /// `https://host/in/{SESSION}/{file}`.
    public var url: String
    /// The method for sending a photo.
    public var method: Method
    /// The headers to send with each photo. Their values are templates without percent-encoding.
    public var headers: [HTTPHeader]
    /// The credentials for the server.
    public var credentials: HTTPCredentials
    /// The form field with the secret, or `nil` if the form contains no secret.
    var secretField: SecretField?
    /// Whether to check a name before each PUT. The PUT also contains `If-None-Match`, which many servers
    /// ignore.
    public var looksFirst: Bool
    /// The method that verifies a copy.
    public var verification: Verification
    /// The trust, proxy, time limits and speed.
    public var connection: ConnectionSettings

    /// Creates the settings of an HTTP destination.
    public init(
        url: String, method: Method = .put, headers: [HTTPHeader] = [], credentials: HTTPCredentials = .none,
        looksFirst: Bool = true, verification: Verification = .automatic,
        connection: ConnectionSettings = ConnectionSettings()
    ) {
        self.url = url
        self.method = method
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

/// The settings for requesting an upload URL. A request is a `POST` to the destination's URL. Its body is a
/// JSON object with the photo's name, size, SHA-256, media type and facts. The response is a JSON object.
public struct PresignSettings: Hashable, Sendable {
    /// The path of the upload URL in the response. Dots separate nested keys, for example `upload.url`.
    public var urlField: String
    /// The path of the headers for the PUT in the response. The headers are a JSON object with text values.
    /// The object may be missing.
    public var headersField: String
    /// The path of the upload's ID in the response. The ID may be missing.
    public var idField: String
    /// The URL template for the state of an upload, with `{id}`. `nil` if the server reports no states.
    public var statusURL: String?
    /// The path of the state in the status response.
    public var stateField: String
    /// The states that mean success.
    public var doneStates: [String]
    /// The states that mean failure.
    public var failedStates: [String]
    /// The interval between two status requests, in seconds.
    public var pollSeconds: Double
    /// The longest time to wait for a final state, in seconds. After this time, the upload is retried.
    public var pollSecondsMax: Double

    /// Creates the settings. The defaults are the field names and states of common APIs.
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
