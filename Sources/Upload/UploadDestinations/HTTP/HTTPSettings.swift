/// An HTTP server that takes files.
public struct HTTPSettings: Hashable, Sendable {
    /// How the photo goes there.
    public enum Way: Hashable, Sendable {
        /// `PUT` of the bare file.
        case put
        /// `POST` of a form (`multipart/form-data`) with the file in the field `file`, and other fields; their values
        /// are templates.
        case form(file: String, fields: [HTTPHeader])
        /// Asks for a URL first, puts the file there, and asks whether it came through, when that can be asked.
        case presigned(PresignSettings)
    }

    /// Address, a template: `{name}` is the whole remote name, `{file}` its last part, `{folder}` the part before, and
    /// a fact's name in capitals its value, each percent-encoded. For example `https://host/in/{SESSION}/{file}`.
    public var url: String
    /// How the photo goes there.
    public var way: Way
    /// Headers to send with it; their values are templates, not encoded.
    public var headers: [HTTPHeader]
    /// Who we are.
    public var credentials: HTTPCredentials
    /// The secret as a field of the form, or `nil` if it goes elsewhere.
    var secretField: SecretField?
    /// Whether a PUT asks what is there first. Many servers ignore `If-None-Match`, which is sent in any case.
    public var looksFirst: Bool
    /// How the copy is verified.
    public var verification: Verification
    /// Trust, proxy, patience and speed.
    public var connection: ConnectionSettings

    /// Creates settings.
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

/// A field of a form with a secret.
struct SecretField: Hashable, Sendable {
    var name: String
    var secret: Secret
}

/// How a URL to upload to is asked for: `POST` to the destination's address with a JSON object of the photo's name,
/// size, SHA-256, media type and facts; the answer is a JSON object.
public struct PresignSettings: Hashable, Sendable {
    /// Where in the answer the URL is; dots go into objects: `upload.url`.
    public var urlField: String
    /// Where in the answer headers for the PUT are, an object of texts; may be missing there.
    public var headersField: String
    /// Where in the answer the upload's id is; may be missing there.
    public var idField: String
    /// Address that tells how far it is, a template with `{id}`; `nil` when the server says no more.
    public var statusURL: String?
    /// Where in that answer the state is.
    public var stateField: String
    /// States that mean that it came through.
    public var doneStates: [String]
    /// States that mean that it never will.
    public var failedStates: [String]
    /// Seconds between two questions.
    public var pollSeconds: Double
    /// Seconds after which the photo is tried again.
    public var pollMostSeconds: Double

    /// Creates settings.
    public init(
        urlField: String = "url", headersField: String = "headers", idField: String = "id",
        statusURL: String? = nil, stateField: String = "state", doneStates: [String] = ["completed"],
        failedStates: [String] = ["failed"], pollSeconds: Double = 2, pollMostSeconds: Double = 120
    ) {
        self.urlField = urlField
        self.headersField = headersField
        self.idField = idField
        self.statusURL = statusURL
        self.stateField = stateField
        self.doneStates = doneStates
        self.failedStates = failedStates
        self.pollSeconds = pollSeconds
        self.pollMostSeconds = pollMostSeconds
    }
}
