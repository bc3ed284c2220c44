/// The settings of an HTTP server that accepts files.
struct HTTPSettings: Hashable, Sendable {
    /// The method for sending a photo.
    enum Method: Hashable, Sendable {
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
    var url: String
    /// The method for sending a photo.
    var method = Method.put
    /// The headers to send with each photo. Their values are templates without percent-encoding.
    var headers: [HTTPHeader] = []
    /// The credentials for the server.
    var credentials = HTTPCredentials.none
    /// The form field with the secret, or `nil` if the form contains no secret.
    var secretField: SecretField?
    /// Whether to check a name before each PUT. The PUT also contains `If-None-Match`, which many servers
    /// ignore.
    var checksNameFirst = true
    /// The method that verifies a copy.
    var verification = Verification.automatic
    /// The trusted certificates, proxy, time limits and bandwidth limit.
    var connection = ConnectionSettings()
}

/// A form field that contains a secret.
struct SecretField: Hashable, Sendable {
    var name: String
    var secret: Secret
}

/// The settings for requesting an upload URL. A request is a `POST` to the destination's URL. Its body is a
/// JSON object with the photo's name, size, SHA-256, media type and facts. The response is a JSON object.
struct PresignSettings: Hashable, Sendable {
    /// The path of the upload URL in the response. Dots separate nested keys, for example `upload.url`.
    var urlField = "url"
    /// The path of the headers for the PUT in the response. The headers are a JSON object with text values.
    /// The object may be missing.
    var headersField = "headers"
    /// The path of the upload's ID in the response. The ID may be missing.
    var idField = "id"
    /// The URL template for the state of an upload, with `{id}`. `nil` if the server reports no states.
    var statusURL: String?
    /// The path of the state in the status response.
    var stateField = "state"
    /// The states that mean success.
    var doneStates = ["completed"]
    /// The states that mean failure.
    var failedStates = ["failed"]
    /// The interval between two status requests, in seconds.
    var pollSeconds = 2.0
    /// The longest time to wait for a final state, in seconds. After this time, the upload is retried.
    var pollSecondsMax = 120.0
}
