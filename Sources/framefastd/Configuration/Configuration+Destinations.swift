import FrameFastModel

extension Configuration {
    /// What upload modes do.
    struct Upload: Sendable, Hashable {
        /// How photos without a session are uploaded.
        var mode: UploadMode
        /// Fewest stars in mode `rated`.
        var minimumRating: Int
        /// When mode `scheduled` uploads.
        var schedule: UploadSchedule
        /// Program and arguments that know whether the network costs money; empty to ask NetworkManager.
        var meteredCommand: [String]
        /// Time between two questions.
        var meteredInterval: Duration
    }

    /// One configured destination.
    struct Destination: Sendable, Hashable {
        /// Its name; unique.
        var name: String
        /// One of ``UploadKeys/kinds``.
        var kind: String
        /// Text keys that were given.
        var texts: [String: String]
        /// List keys that were given.
        var lists: [String: [String]]
        /// Number and size keys that were given; sizes in bytes.
        var numbers: [String: Int]
        /// Longest run of a command; `nil` for the usual one.
        var timeout: Duration?
        /// Takes any certificate.
        var isInsecure: Bool
        /// Whether a folder lies on a disk or share of its own.
        var isMount: Bool
        /// Where it stands.
        var place: ConfigurationPlace

        /// Keys without which a kind is nothing.
        static let required: [String: [String]] = [
            "directory": ["path"], "s3": ["url", "bucket", "user", "password_file"], "sftp": ["host"],
            "ftp": ["host", "user", "password_file"], "webdav": ["url"], "http": ["url"],
            "rclone": ["remote"],
            "command": ["command"],
        ]

        /// Keys that every kind takes.
        static let common: Set<String> = [
            "name", "kind", "remote_name", "order", "concurrency", "bandwidth", "metered", "types", "cameras",
            "sessions", "max_size", "minimum_rating",
        ]

        /// Further keys that a kind takes.
        static let special: [String: Set<String>] = [
            "directory": ["path", "mount"],
            "s3": ["url", "bucket", "region", "prefix", "user", "password_file", "ca_file", "insecure"],
            "sftp": ["host", "port", "path", "user", "key_file", "known_hosts", "host_keys"],
            "ftp": ["host", "port", "path", "user", "password_file", "encryption", "ca_file", "insecure"],
            "webdav": ["url", "user", "password_file", "ca_file", "insecure"],
            "http": ["url", "method", "user", "password_file", "ca_file", "insecure"],
            "rclone": ["remote", "rclone_config"], "command": ["command", "timeout"],
        ]
    }
}

extension ConfigurationLayer {
    /// The checked `[upload]` section.
    func upload(errors: inout [ConfigurationError]) -> Configuration.Upload {
        var windows: [UploadSchedule.Window] = []
        if let entry = entries["upload.windows"], case .list(let texts) = entry.value {
            for text in texts {
                if let window = UploadSchedule.Window(text) {
                    windows.append(window)
                } else {
                    errors.append(
                        .init(
                            source: entry.source, line: entry.line,
                            message: "'upload.windows': \"\(text)\" is not a time of day like \"22:00-06:00\""
                        ))
                }
            }
        }
        let after = number("upload.after_photos")
        return .init(
            mode: UploadMode(rawValue: text("upload.mode")) ?? .realtime,
            minimumRating: number("upload.minimum_rating"),
            schedule: UploadSchedule(windows: windows, afterPhotos: after > 0 ? after : nil),
            meteredCommand: list("upload.metered_command"),
            meteredInterval: duration("upload.metered_interval"))
    }

    /// The checked `[[destination]]` tables.
    func destinations(
        checkTemplate: (String) -> String?, errors: inout [ConfigurationError]
    ) -> [Configuration.Destination] {
        var checked: [Configuration.Destination] = []
        for table in lists["destination"] ?? [] {
            guard let name = table.text("name"), let kind = table.text("kind") else {
                let missing = ["name", "kind"].filter { !table.keys.contains($0) }.map { "'\($0)'" }
                if !missing.isEmpty {
                    errors.append(
                        table.error(nil, "a destination needs " + missing.joined(separator: " and ")))
                }
                continue
            }
            if checked.contains(where: { $0.name == name }) {
                errors.append(
                    table.error("name", "destination name '\(name)' is taken by another destination"))
            }
            let missing = (Configuration.Destination.required[kind] ?? []).filter { !table.keys.contains($0) }
            if !missing.isEmpty {
                let words = missing.map { "'\($0)'" }.joined(separator: " and ")
                errors.append(table.error("kind", "a destination of kind '\(kind)' needs \(words)"))
            }
            let known = Configuration.Destination.common.union(Configuration.Destination.special[kind] ?? [])
            for key in table.keys.subtracting(known).sorted() {
                errors.append(table.error(key, "'\(key)' means nothing to a destination of kind '\(kind)'"))
            }
            if let template = table.text("remote_name"), let problem = checkTemplate(template) {
                errors.append(table.error("remote_name", "'destination.remote_name': \(problem)"))
            }
            checked.append(Configuration.Destination(table, name: name, kind: kind))
        }
        return checked
    }
}

extension Configuration.Destination {
    init(_ table: ConfigurationLayer.Table, name: String, kind: String) {
        self.init(
            name: name, kind: kind, texts: [:], lists: [:], numbers: [:], timeout: nil, isInsecure: false,
            isMount: false,
            place: table.place)
        for (key, entry) in table.entries {
            switch entry.value {
            case .text(let text): texts[key] = text
            case .list(let list): lists[key] = list
            case .number(let number): numbers[key] = number
            case .bytes(let bytes): numbers[key] = Int(bytes)
            case .duration(let duration): timeout = duration
            case .flag(let flag) where key == "insecure": isInsecure = flag
            case .flag(let flag): isMount = flag
            }
        }
    }
}
