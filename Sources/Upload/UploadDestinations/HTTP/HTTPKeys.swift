import Foundation
import SettingKeys

/// The configuration keys of an HTTP destination.
struct HTTPKeys: KeyTable {
    /// The method for sending a photo.
    enum Method: String, CaseIterable, Sendable { case put, post, presigned }

    static let section = "destination"
    static let keys = HTTPKeys()

    let url = SettingKey(
        "url", required: .text, example: nil,
        """
        `http`: the URL, which is a template with `{name}`, `{file}`, `{folder}`, or a fact such as `{SESSION}` or `{CAMERA}`. With \
        method `presigned`, the address that returns upload URLs.
        """)
    let method = SettingKey(
        "method", optional: .choice(Method.allCases), example: "\"put\"",
        "`http`: how the photo is sent. Default: `put`.")
    let headers = SettingKey(
        "headers",
        optional: .texts("header fields") {
            isHeader($0) ? nil : "'\($0)' is not like \"X-Studio: {CAMERA}\""
        }, example: "[\"X-Studio: {CAMERA}\"]", topic: .transfer,
        "`http`: headers of each photo's request. Values are templates, as in `url`. For secrets, use `password_file` and `auth`."
    )
    let checksNameFirst = SettingKey(
        "look_first", optional: .flag, example: "false", topic: .transfer,
        "`http`, method `put`: whether to check first that the name is free. Default: `true`, because many servers replace files silently."
    )
    let formFile = SettingKey(
        "form_file", optional: .text, example: "\"photo\"", topic: .transfer,
        "`http`, method `post`: the form's field for the file. Default: `file`.")
    let formFields = SettingKey(
        "form_fields",
        optional: .texts("fields with values") {
            $0.dropFirst().contains("=") ? nil : "'\($0)' is not like \"event={SESSION}\""
        }, example: "[\"event={SESSION}\"]", topic: .transfer,
        "`http`, method `post`: additional form fields. Values are templates, as in `url`.")
    let answerURL = SettingKey(
        "answer_url", optional: .text, example: "\"upload.url\"", topic: .transfer,
        """
        `http`, method `presigned`: the key of the upload URL in the JSON response. Dots separate nested keys. Default: `url`. The \
        request is a POST of a JSON object with the photo's name, size, SHA-256, media type and facts.
        """)
    let answerHeaders = SettingKey(
        "answer_headers", optional: .text, example: "\"upload.headers\"", topic: .transfer,
        "`http`, method `presigned`: the key of the PUT's headers in the JSON response. Default: `headers`.")
    let answerID = SettingKey(
        "answer_id", optional: .text, example: "\"upload.id\"", topic: .transfer,
        "`http`, method `presigned`: the key of the upload's id in the JSON response. Default: `id`.")
    let statusURL = SettingKey(
        "status_url", optional: .text, example: "\"https://gallery.example.com/uploads/{id}\"",
        topic: .transfer,
        "`http`, method `presigned`: the URL that returns an upload's state. Default: none, and the upload is complete after the PUT."
    )
    let answerState = SettingKey(
        "answer_state", optional: .text, example: "\"status\"", topic: .transfer,
        "`http`, method `presigned`: the key of the state in the response of `status_url`. Default: `state`.")
    let doneStates = SettingKey(
        "done_states", optional: .texts("states"), example: "[\"completed\"]", topic: .transfer,
        "`http`, method `presigned`: states that mean success. Default: `completed`.")
    let failedStates = SettingKey(
        "failed_states", optional: .texts("states"), example: "[\"failed\", \"rejected\"]", topic: .transfer,
        "`http`, method `presigned`: states that mean failure. Default: `failed`.")
    let credentials = CredentialKeys()
    let verify = SharedKeys.verify
    let connection = ConnectionKeys()
    let proxy = SharedKeys.proxy

    /// Returns whether a text is a header. A header consists of a name (RFC 9110), a colon, and a value
    /// without control characters.
    private static func isHeader(_ text: String) -> Bool {
        guard let colon = text.firstIndex(of: ":"), colon > text.startIndex else { return false }
        return isToken(text[..<colon])
            && !text.unicodeScalars.contains { CharacterSet.controlCharacters.contains($0) }
    }

    /// Returns whether a text is a valid header name (RFC 9110, 5.6.2).
    static func isToken(_ name: Substring) -> Bool {
        let token = CharacterSet(charactersIn: "!#$%&'*+-.^_`|~").union(.alphanumerics)
        return !name.isEmpty && name.unicodeScalars.allSatisfy { $0.isASCII && token.contains($0) }
    }
}
