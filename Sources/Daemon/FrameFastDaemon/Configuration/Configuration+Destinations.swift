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
        /// Times that were given, in seconds.
        var seconds: [String: Double]
        /// Flags that were given.
        var flags: [String: Bool]
        /// Where it stands.
        var origin: ConfigurationOrigin

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

        /// Keys of every kind that goes over TLS.
        private static let secured: Set<String> = ["ca_file", "insecure", "connect_timeout", "stall_timeout"]

        /// Further keys that a kind takes.
        static let special: [String: Set<String>] = [
            "directory": ["path", "mount"],
            "s3": secured.union([
                "url", "bucket", "region", "prefix", "user", "password_file", "session_token_file", "proxy",
                "address_style", "key_check", "send_checksum", "part_size",
            ]),
            "sftp": [
                "host", "port", "path", "user", "key_file", "agent_socket", "known_hosts", "host_keys",
                "verify", "verify_command", "connect_timeout", "stall_timeout",
            ],
            "ftp": secured.union([
                "host", "port", "path", "user", "password_file", "encryption", "tls13", "verify",
            ]),
            "webdav": secured.union(["url", "user", "password_file", "auth", "proxy", "verify"]),
            "http": secured.union([
                "url", "method", "user", "password_file", "auth", "headers", "look_first", "form_file",
                "form_fields", "answer_url", "answer_headers", "answer_id", "answer_state", "status_url",
                "done_states", "failed_states", "proxy", "verify",
            ]),
            "rclone": ["remote", "rclone_config"], "command": ["command", "timeout", "retry_codes"],
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
            let destination = Configuration.Destination(table, name: name, kind: kind)
            errors += destination.faults.map { table.error($0.key, "'destination.\($0.key)': \($0.reason)") }
            checked.append(destination)
        }
        return checked
    }
}

extension Configuration.Destination {
    init(_ table: ConfigurationLayer.Table, name: String, kind: String) {
        self.init(
            name: name, kind: kind, texts: [:], lists: [:], numbers: [:], seconds: [:], flags: [:],
            origin: table.origin)
        for (key, entry) in table.entries {
            switch entry.value {
            case .text(let text): texts[key] = text
            case .list(let list): lists[key] = list
            case .number(let number): numbers[key] = number
            case .bytes(let bytes): numbers[key] = Int(bytes)
            case .duration(let duration): seconds[key] = duration / .seconds(1)
            case .flag(let flag): flags[key] = flag
            }
        }
    }
}
