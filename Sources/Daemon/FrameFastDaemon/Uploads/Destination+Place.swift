import Foundation
import Logging
import UploadDestinations
import UploadEngine

/// From the configuration's words to the place itself. What is not said is left to the kind's own careful defaults.
extension Configuration.Destination {
    /// The place.
    ///
    /// - Throws: ``SecretFileError`` when a password cannot be read, or others can read it.
    func place(stateDirectory: String, workers: Int, logger: Logger) throws -> any UploadDestination {
        switch kind {
        case "s3": try s3
        case "sftp": try sftp(home: stateDirectory)
        case "ftp": try ftp(connections: workers)
        case "webdav": try webDAV
        case "http": try http
        case "rclone": try rclone
        case "command": command(logger)
        default:
            DirectoryDestination(
                name: name, folder: texts["path"] ?? "", stateDirectory: stateDirectory,
                mustBeMount: flags["mount"] ?? false, workers: workers)
        }
    }

    private var s3: S3Destination {
        get throws {
            var settings = S3Settings(
                endpoint: texts["url"] ?? "", bucket: texts["bucket"] ?? "", accessKey: texts["user"] ?? "",
                secretKey: try secret("password_file"), connection: connection)
            give("region", to: &settings.region)
            give("prefix", to: &settings.prefix)
            give("address_style", to: &settings.style)
            give("key_check", to: &settings.keyCheck)
            if texts["session_token_file"] != nil { settings.sessionToken = try secret("session_token_file") }
            if let sends = flags["send_checksum"] { settings.sendsChecksum = sends }
            if let bytes = numbers["part_size"] {
                settings.partBytes = UInt64(clamping: bytes)
                settings.multipartFromBytes = max(settings.multipartFromBytes, settings.partBytes)
            }
            return S3Destination(settings)
        }
    }

    private func sftp(home: String) throws -> SFTPDestination {
        // ssh asks only about keys that are its user's own.
        if let key = texts["key_file"] { try SecretFile.check(key) }
        var settings = SFTPSettings(
            name: name, host: texts["host"] ?? "", port: numbers["port"], user: texts["user"],
            identityFile: texts["key_file"], agentSocket: texts["agent_socket"],
            knownHostsFile: texts["known_hosts"], home: home, bytesPerSecondMax: numbers["bandwidth"])
        give("path", to: &settings.folder)
        give("host_keys", to: &settings.hostKeys)
        give("connect_timeout", to: &settings.connectTimeoutSeconds)
        give("stall_timeout", to: &settings.stallSeconds)
        if texts["verify"] == "read-back" { settings.verification = .readBack }
        if let program = texts["verify_command"] { settings.verification = .command(program) }
        return SFTPDestination(settings)
    }

    private func ftp(connections: Int) throws -> FTPDestination {
        var settings = FTPSettings(
            host: texts["host"] ?? "", port: numbers["port"], path: texts["path"] ?? "",
            user: texts["user"] ?? "", password: try secret("password_file"), connections: connections,
            allowsTLS13: flags["tls13"] ?? false, connection: connection)
        give("encryption", to: &settings.encryption)
        give("verify", to: &settings.verification)
        return FTPDestination(settings)
    }

    private var webDAV: WebDAVDestination {
        get throws {
            var settings = WebDAVSettings(
                url: texts["url"] ?? "", credentials: try credentials, connection: connection)
            give("verify", to: &settings.verification)
            return WebDAVDestination(settings)
        }
    }

    private var http: HTTPDestination {
        get throws {
            var settings = HTTPSettings(
                url: texts["url"] ?? "", headers: fields("headers", ":"), credentials: try credentials,
                connection: connection)
            give("verify", to: &settings.verification)
            if let looks = flags["look_first"] { settings.looksFirst = looks }
            switch texts["method"] {
            case "post":
                settings.way = .form(file: texts["form_file"] ?? "file", fields: fields("form_fields", "="))
            case "presigned": settings.way = .presigned(presign)
            default: break
            }
            return HTTPDestination(settings)
        }
    }

    private var presign: PresignSettings {
        var settings = PresignSettings()
        settings.statusURL = texts["status_url"]
        give("answer_url", to: &settings.urlField)
        give("answer_headers", to: &settings.headersField)
        give("answer_id", to: &settings.idField)
        give("answer_state", to: &settings.stateField)
        if let states = lists["done_states"] { settings.doneStates = states }
        if let states = lists["failed_states"] { settings.failedStates = states }
        return settings
    }

    /// Where rclone's configuration is when nothing is said of it.
    private static let rcloneConfigDefault = "/etc/framefast/rclone.conf"

    private var rclone: RcloneDestination {
        get throws {
            let parts = (texts["remote"] ?? "").split(separator: ":", maxSplits: 1).map(String.init)
            let configFile = texts["rclone_config"] ?? Self.rcloneConfigDefault
            // It holds the remotes' passwords and tokens; rclone itself does not ask who can read it.
            try SecretFile.check(configFile)
            return RcloneDestination(
                RcloneSettings(
                    name: name, remote: parts.first ?? "", folder: parts.count > 1 ? parts[1] : "",
                    configFile: configFile, bytesPerSecond: bandwidth))
        }
    }

    private func command(_ logger: Logger) -> CommandDestination {
        let line = lists["command"] ?? []
        var settings = CommandSettings(program: line.first ?? "", arguments: Array(line.dropFirst()))
        settings.bytesPerSecond = bandwidth
        settings.retryCodes = Set((lists["retry_codes"] ?? []).compactMap(Int32.init))
        if let seconds = seconds["timeout"] { settings.timeoutSeconds = seconds }
        return CommandDestination(name: name, settings: settings, logger: logger)
    }

    // MARK: Parts

    /// Most bytes a second; `nil` for no limit.
    var bandwidth: UInt64? { numbers["bandwidth"].map(UInt64.init(clamping:)) }

    private var connection: ConnectionSettings {
        var settings = ConnectionSettings(
            caFile: texts["ca_file"], insecure: flags["insecure"] ?? false, proxy: texts["proxy"],
            bytesPerSecond: bandwidth)
        give("connect_timeout", to: &settings.connectSeconds)
        give("stall_timeout", to: &settings.stallSeconds)
        return settings
    }

    private func secret(_ key: String) throws -> Secret { Secret(try SecretFile.read(texts[key] ?? "")) }

    private var credentials: HTTPCredentials {
        get throws {
            guard texts["password_file"] != nil else { return .none }
            let secret = try secret("password_file")
            guard texts["auth"] != "bearer", let user = texts["user"] else { return .bearer(secret) }
            return .password(user: user, password: secret, digest: texts["auth"] == "digest")
        }
    }

    /// Fields of a list: a name, a separator, a value.
    private func fields(_ key: String, _ separator: Character) -> [HTTPHeader] {
        (lists[key] ?? []).map { text in
            let parts = text.split(separator: separator, maxSplits: 1, omittingEmptySubsequences: false)
            let value = parts.count > 1 ? parts[1] : ""
            return HTTPHeader(String(parts[0]), value.trimmingCharacters(in: .whitespaces))
        }
    }

    private func give(_ key: String, to setting: inout String) {
        if let text = texts[key] { setting = text }
    }

    private func give<Word: RawRepresentable<String>>(_ key: String, to setting: inout Word) {
        if let word = texts[key].flatMap(Word.init(rawValue:)) { setting = word }
    }

    /// A time in whole seconds, at least one.
    private func give(_ key: String, to setting: inout Int) {
        if let seconds = seconds[key] { setting = max(Int(seconds.rounded(.up)), 1) }
    }
}
