import FrameFastModel

/// The keys about uploads, in the order of the commented file and the reference.
enum UploadKeys {
    static let all: [ConfigurationKey] = modes + common + places + ways + trust

    /// A key of `[[destination]]`, with an example in TOML.
    static func key(
        _ name: String, _ kind: ConfigurationKey.Kind, _ example: String, _ doc: String
    ) -> ConfigurationKey {
        .init(
            section: "destination", name: name, kind: kind, defaultTOML: nil, exampleTOML: example, doc: doc)
    }

    private static let modes: [ConfigurationKey] = [
        .init(
            section: "upload", name: "mode", kind: .choice(UploadMode.allCases.map(\.rawValue)),
            defaultTOML: "\"realtime\"",
            doc: "How photos without a session are uploaded; a session says so itself (`framefast mode`)."),
        .init(
            section: "upload", name: "minimum_rating", kind: .number(1...5), defaultTOML: "1",
            doc: "Fewest stars in mode `rated`. A photo that is protected in the camera counts as rated."),
        .init(
            section: "upload", name: "windows", kind: .texts("times of day, such as \"22:00-06:00\""),
            defaultTOML: "[\"22:00-06:00\"]", doc: "When mode `scheduled` uploads."),
        .init(
            section: "upload", name: "after_photos", kind: .number(0...100_000), defaultTOML: "0",
            doc: "In mode `scheduled`, photos go at any time when so many of a session wait; 0 for never."),
        .init(
            section: "upload", name: "metered_command", kind: .texts("program and arguments"),
            defaultTOML: "[]",
            doc: """
                A program that says whether the network costs money, for destinations with `metered = "hold"`: it exits \
                with 0 when it does, with 1 when it does not, within 5 seconds. Without one, NetworkManager is asked.
                """),
        .init(
            section: "upload", name: "metered_interval", kind: .duration(max: .seconds(3600)),
            defaultTOML: "\"15 s\"", doc: "Time between two such questions."),
    ]

    /// Kinds of destination.
    static let kinds = ["directory", "s3", "sftp", "ftp", "webdav", "http", "rclone", "command"]

    private static let common: [ConfigurationKey] = [
        key(
            "name", .cameraName, "\"nas\"",
            "What the destination is called. Required, and different for each. Jobs are kept under this name."
        ),
        key(
            "kind", .choice(kinds), "\"s3\"",
            "What it is. Required. The keys below say for which kinds they are."),
        key(
            "remote_name", .text, "\"{session}/{original}.{ext}\"",
            """
            How photos are named there: a template as in `capture.template`. Without it, as below the capture \
            directory; and where the server replaces what has a name already, with content and station in the name.
            """),
        key(
            "order", .choice(["capture", "newest"]), "\"newest\"",
            "Which photo goes first: the oldest (`capture`, the default) or the newest."),
        key(
            "concurrency", .number(1...32), "4",
            """
            Uploads at a time. Without it, 16 for `s3`, `sftp`, `webdav` and `http`, 1 for `ftp`, because many servers \
            lose data otherwise, and 4 for the others.
            """),
        key(
            "bandwidth", .size, "\"5 MB\"",
            """
            Most bytes a second, over all uploads there. Without it, no limit. A `command` is told the limit as \
            `FRAMEFAST_BANDWIDTH` and has to hold it itself.
            """),
        key(
            "metered", .choice(["send", "hold"]), "\"hold\"",
            "What to do while the network costs money: `send` (the default) or `hold`."),
        key(
            "types", .texts("file types: picture, raw, movie, or extensions"), "[\"picture\"]",
            "Only these files. Without it, all."),
        key(
            "cameras", .texts("camera names"), "[\"studio-a\"]",
            "Only photos of these cameras."),
        key(
            "sessions", .texts("session names"), "[\"Wedding\"]",
            "Only photos of these sessions."),
        key(
            "max_size", .size, "\"100 MB\"",
            "Only files up to this size."),
        key(
            "minimum_rating", .number(1...5), "3",
            "Only photos with so many stars, or protected in the camera."),
    ]

    private static let places: [ConfigurationKey] = [
        key(
            "path", .text, "\"/mnt/nas/photos\"",
            """
            `directory`: the folder, absolute. `sftp`, `ftp`: the folder on the server; relative ones begin where the \
            login does.
            """),
        key(
            "mount", .flag, "true",
            """
            `directory`: whether the folder lies on a disk or share of its own. Then photos wait until that is mounted \
            for the first time, too. A mount that goes away later is noticed in any case.
            """),
        key(
            "url", .text, "\"https://dav.example.com/photos\"",
            """
            `webdav`: the folder. `s3`: the service's address. `http`: a template with `{name}`, `{file}`, `{folder}`, \
            or a fact such as `{SESSION}` or `{CAMERA}`; with method `presigned`, the address that is asked.
            """),
        key(
            "bucket", .text, "\"weddings\"",
            "`s3`: the bucket. It must be there."),
        key(
            "region", .text, "\"eu-central-1\"",
            "`s3`: the region. Without it, `us-east-1`."),
        key(
            "prefix", .text, "\"studio1/\"",
            "`s3`: put before every name."),
        key(
            "host", .text, "\"nas.local\"",
            "`sftp`, `ftp`: the server. For `sftp` also an alias of the ssh configuration."),
        key(
            "port", .number(1...65535), "22",
            "`sftp`, `ftp`: the server's port, where it is not the usual one."),
        key(
            "encryption", .choice(["explicit", "implicit", "none"]), "\"explicit\"",
            "`ftp`: TLS after connecting (`explicit`, the default), from the first byte, or none."),
        key(
            "method", .choice(["put", "post", "presigned"]), "\"put\"",
            "`http`: how the photo goes there. Without it, `put`."),
        key(
            "remote", .text, "\"drive:photos\"",
            "`rclone`: a remote of rclone's own configuration, with a folder."),
        key(
            "rclone_config", .path, "\"/etc/framefast/rclone.conf\"",
            "`rclone`: its configuration, which other users must not be able to read. Without it, `/etc/framefast/rclone.conf`."
        ),
        key(
            "command", .texts("program and arguments"), "[\"/usr/local/bin/deliver\", \"{file}\"]",
            "`command`: the program, absolute, and its arguments. Never a shell line."),
        key(
            "timeout", .duration(max: .seconds(86_400)), "\"10 min\"",
            "`command`: longest run. Without it, 5 minutes."),
    ]
}
