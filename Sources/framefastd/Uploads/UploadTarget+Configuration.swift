import CaptureEngine
import FrameFastModel
import Logging
import Store
import UploadDestinations
import UploadEngine

extension UploadTarget {
    /// Workers of a destination that does not say.
    private static let workersUsual = 4

    /// From the configuration's words to a destination at work.
    ///
    /// - Throws: ``SecretFileError`` when a password cannot be read, ``NamingTemplateError`` for a bad name.
    init(
        _ configured: Configuration.Destination, stateDirectory: String, captureDirectory: String,
        naming: CaptureNaming, logger: Logger
    ) throws {
        let workers =
            configured.numbers["concurrency"] ?? (configured.kind == "ftp" ? 1 : Self.workersUsual)
        let template = try configured.texts["remote_name"].map(NamingTemplate.init)
        self.init(
            name: configured.name,
            destination: try configured.place(
                stateDirectory: stateDirectory, workers: workers, logger: logger),
            workers: workers, order: configured.texts["order"] == "newest" ? .newestFirst : .capture,
            rule: UploadRule(configured),
            bytesPerSecond: configured.bandwidth,
            holdsWhenMetered: configured.texts["metered"] == "hold"
        ) { photo in
            if let template {
                return template.path(for: naming.facts(photo.capture, counter: photo.capture.counter ?? 0))
            }
            return Self.relativeName(photo.capture, below: captureDirectory)
        }
    }

    /// The photo's path below the capture directory; its own name when it lies elsewhere by now.
    private static func relativeName(_ record: CaptureRecord, below directory: String) -> String {
        let path = record.path ?? record.object.name
        guard path.hasPrefix(directory + "/") else { return SafeName.component(record.object.name) }
        return String(path.dropFirst(directory.count + 1))
    }
}

extension UploadRule {
    init(_ configured: Configuration.Destination) {
        self.init(
            types: configured.lists["types"].map { Set($0.map(FileType.init)) },
            cameras: configured.lists["cameras"].map(Set.init),
            sessions: configured.lists["sessions"].map(Set.init),
            bytesMax: configured.numbers["max_size"].map(UInt64.init(clamping:)),
            minimumRating: configured.numbers["minimum_rating"])
    }
}

extension Configuration.Destination {
    /// Longest run of a command that does not say, in seconds.
    private static let commandSecondsUsual = 300.0

    /// Most bytes a second; `nil` for no limit.
    fileprivate var bandwidth: UInt64? { numbers["bandwidth"].map(UInt64.init(clamping:)) }

    /// The place itself.
    fileprivate func place(
        stateDirectory: String, workers: Int, logger: Logger
    ) throws -> any UploadDestination {
        let connection = ConnectionSettings(
            caFile: texts["ca_file"], insecure: isInsecure,
            bytesPerSecond: bandwidth)
        func secret() throws -> Secret { Secret(try SecretFile.read(texts["password_file"] ?? "")) }
        func credentials() throws -> HTTPCredentials {
            guard texts["password_file"] != nil else { return .none }
            return try texts["user"].map { .password(user: $0, password: try secret()) }
                ?? .bearer(try secret())
        }
        switch kind {
        case "s3":
            return S3Destination(
                S3Settings(
                    endpoint: texts["url"] ?? "", region: texts["region"] ?? "us-east-1",
                    bucket: texts["bucket"] ?? "", prefix: texts["prefix"] ?? "",
                    accessKey: texts["user"] ?? "", secretKey: try secret(), connection: connection))
        case "sftp":
            return SFTPDestination(
                SFTPSettings(
                    name: name, host: texts["host"] ?? "", port: numbers["port"], user: texts["user"],
                    folder: texts["path"] ?? "", identityFile: texts["key_file"],
                    knownHostsFile: texts["known_hosts"],
                    hostKeys: texts["host_keys"] == "accept-new" ? .acceptNew : .known,
                    home: stateDirectory, bytesPerSecondMax: numbers["bandwidth"]))
        case "ftp":
            let encryption: FTPSettings.Encryption =
                switch texts["encryption"] {
                case "none": .none
                case "implicit": .implicit
                default: .explicit
                }
            return FTPDestination(
                FTPSettings(
                    host: texts["host"] ?? "", port: numbers["port"], encryption: encryption,
                    path: texts["path"] ?? "", user: texts["user"] ?? "", password: try secret(),
                    connections: workers, connection: connection))
        case "webdav":
            return WebDAVDestination(
                WebDAVSettings(
                    url: texts["url"] ?? "", credentials: try credentials(), connection: connection))
        case "http":
            let way: HTTPSettings.Way =
                switch texts["method"] {
                case "post": .form(file: "file", fields: [])
                case "presigned": .presigned(PresignSettings())
                default: .put
                }
            return HTTPDestination(
                HTTPSettings(
                    url: texts["url"] ?? "", way: way, credentials: try credentials(), connection: connection)
            )
        case "rclone":
            let parts = (texts["remote"] ?? "").split(separator: ":", maxSplits: 1).map(String.init)
            return RcloneDestination(
                RcloneSettings(
                    name: name, remote: parts.first ?? "", folder: parts.count > 1 ? parts[1] : "",
                    configFile: texts["rclone_config"] ?? "/etc/framefast/rclone.conf",
                    bytesPerSecond: bandwidth))
        case "command":
            let line = lists["command"] ?? []
            return CommandDestination(
                name: name,
                settings: CommandSettings(
                    program: line.first ?? "", arguments: Array(line.dropFirst()),
                    timeoutSeconds: timeout.map { $0 / .seconds(1) } ?? Self.commandSecondsUsual,
                    bytesPerSecond: bandwidth),
                logger: logger)
        default:
            return DirectoryDestination(
                name: name, folder: texts["path"] ?? "", stateDirectory: stateDirectory, workers: workers)
        }
    }
}

extension UploadModePolicy {
    init(_ upload: Configuration.Upload) {
        self.init(
            defaultMode: upload.mode, minimumRating: upload.minimumRating, schedule: upload.schedule)
    }
}
