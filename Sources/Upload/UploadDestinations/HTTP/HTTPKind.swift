import Foundation
import SettingKeys
import UploadEngine

/// A destination kind for PUT or POST to a URL, or for uploads to presigned URLs.
enum HTTPKind: DestinationDescriptor {
    static let workersUsual = 16

    static func faults(_ settings: Settings<HTTPKeys>) -> [SettingFault] {
        CredentialKeys.faults(settings.credentials, takesForms: settings.method == .post)
    }

    static func warnings(_ settings: Settings<HTTPKeys>) -> [SettingFault] {
        func secretFaults(_ key: String, _ list: [String]?, _ separator: Character, _ part: String)
            -> [SettingFault]
        {
            (list ?? []).compactMap { text in
                let (name, value) = ClearTextSecrets.splitOnce(text, separator)
                guard ClearTextSecrets.isSecret(name, value) else { return nil }
                let reason =
                    "'\(name)' contains a secret in clear text: move it to a file that 'password_file' names, "
                    + "and set 'auth = \"\(part):\(name)\"'"
                return SettingFault(key, reason)
            }
        }
        return secretFaults("headers", settings.headers, ":", "header")
            + secretFaults("form_fields", settings.formFields, "=", "field")
            + ClearTextSecrets.warnings(
                ("url", settings.url), ("status_url", settings.statusURL), ("proxy", settings.proxy))
    }

    static func location(_ settings: Settings<HTTPKeys>) -> String {
        ClearTextSecrets.withoutUser(settings.url)
    }

    static func acceptsProbes(_ settings: Settings<HTTPKeys>) -> Bool { (settings.method ?? .put) == .put }

    /// Returns the features that a trial may test. Forms and presigned URLs have no such features, because
    /// the server defines how it stores files.
    static func features(_ settings: Settings<HTTPKeys>) -> [DestinationFeature] {
        (settings.method ?? .put) == .put ? [.md5Header, .condition, .size, .readBack] : []
    }

    static func silenceMax(_ settings: Settings<HTTPKeys>) -> Duration {
        ConnectionSettings.silenceMax(settings.connection)
    }

    static func make(
        _ settings: Settings<HTTPKeys>, at site: DestinationSite
    ) throws -> any UploadDestination {
        var http = HTTPSettings(
            url: settings.url, headers: fields(settings.headers, ":"),
            credentials: try HTTPCredentials(settings.credentials, at: site),
            connection: ConnectionSettings(settings.connection, proxy: settings.proxy, at: site))
        if let verification = settings.verify { http.verification = verification }
        if let checksFirst = settings.checksNameFirst { http.checksNameFirst = checksFirst }
        switch settings.method ?? .put {
        case .put: break
        case .post:
            if case .field(let name) = settings.credentials.auth, let file = settings.credentials.passwordFile
            {
                http.secretField = SecretField(name: name, secret: try site.secret(file))
            }
            http.method = .form(file: settings.formFile ?? "file", fields: fields(settings.formFields, "="))
        case .presigned: http.method = .presigned(PresignSettings(settings))
        }
        return HTTPDestination(http, memory: site.memory)
    }

    /// Returns the fields of a list of texts. Each text has a name, a separator and a value.
    private static func fields(_ list: [String]?, _ separator: Character) -> [HTTPHeader] {
        (list ?? []).map { text in
            let parts = text.split(separator: separator, maxSplits: 1, omittingEmptySubsequences: false)
            let value = parts.count > 1 ? parts[1] : ""
            return HTTPHeader(String(parts[0]), value.trimmingCharacters(in: .whitespaces))
        }
    }
}

extension PresignSettings {
    fileprivate init(_ settings: Settings<HTTPKeys>) {
        self.init()
        statusURL = settings.statusURL
        if let field = settings.answerURL { urlField = field }
        if let field = settings.answerHeaders { headersField = field }
        if let field = settings.answerID { idField = field }
        if let field = settings.answerState { stateField = field }
        if let states = settings.doneStates { doneStates = states }
        if let states = settings.failedStates { failedStates = states }
    }
}
