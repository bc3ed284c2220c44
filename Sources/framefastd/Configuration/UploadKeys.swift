import FrameFastModel

/// The keys about uploads, in the order of the commented file and the reference.
enum UploadKeys {
    static let all: [ConfigurationKey] = modes + common + places + trust

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
    ]

    /// Kinds of destination.
    static let kinds = ["directory", "s3", "sftp", "ftp", "webdav", "http", "rclone", "command"]

    private static let common: [ConfigurationKey] = [
        .init(
            section: "destination", name: "name", kind: .cameraName, defaultTOML: nil, exampleTOML: "\"nas\"",
            doc:
                "What the destination is called. Required, and different for each. Jobs are kept under this name."
        ),
        .init(
            section: "destination", name: "kind", kind: .choice(kinds), defaultTOML: nil,
            exampleTOML: "\"s3\"",
            doc: "What it is. Required. The keys below say for which kinds they are."),
        .init(
            section: "destination", name: "remote_name", kind: .text, defaultTOML: nil,
            exampleTOML: "\"{session}/{original}.{ext}\"",
            doc: """
                How photos are named there: a template as in `capture.template`. Without it, as below the capture \
                directory.
                """),
        .init(
            section: "destination", name: "order", kind: .choice(["capture", "newest"]), defaultTOML: nil,
            exampleTOML: "\"newest\"",
            doc: "Which photo goes first: the oldest (`capture`, the default) or the newest."),
        .init(
            section: "destination", name: "concurrency", kind: .number(1...32), defaultTOML: nil,
            exampleTOML: "4",
            doc: "Uploads at a time. Without it, 4; for `ftp` 1, because many servers lose data otherwise."),
        .init(
            section: "destination", name: "bandwidth", kind: .size, defaultTOML: nil, exampleTOML: "\"5 MB\"",
            doc: """
                Most bytes a second, over all uploads there. Without it, no limit. A `command` is told the limit as \
                `FRAMEFAST_BANDWIDTH` and has to hold it itself.
                """),
        .init(
            section: "destination", name: "metered", kind: .choice(["send", "hold"]), defaultTOML: nil,
            exampleTOML: "\"hold\"",
            doc: "What to do while the network costs money: `send` (the default) or `hold`."),
        .init(
            section: "destination", name: "types",
            kind: .texts("file types: picture, raw, movie, or extensions"),
            defaultTOML: nil, exampleTOML: "[\"picture\"]", doc: "Only these files. Without it, all."),
        .init(
            section: "destination", name: "cameras", kind: .texts("camera names"), defaultTOML: nil,
            exampleTOML: "[\"studio-a\"]", doc: "Only photos of these cameras."),
        .init(
            section: "destination", name: "sessions", kind: .texts("session names"), defaultTOML: nil,
            exampleTOML: "[\"Wedding\"]", doc: "Only photos of these sessions."),
        .init(
            section: "destination", name: "max_size", kind: .size, defaultTOML: nil,
            exampleTOML: "\"100 MB\"",
            doc: "Only files up to this size."),
        .init(
            section: "destination", name: "minimum_rating", kind: .number(1...5), defaultTOML: nil,
            exampleTOML: "3",
            doc: "Only photos with so many stars, or protected in the camera."),
    ]

    private static let places: [ConfigurationKey] = [
        .init(
            section: "destination", name: "path", kind: .text, defaultTOML: nil,
            exampleTOML: "\"/mnt/nas/photos\"",
            doc: """
                `directory`: the folder, absolute. `sftp`, `ftp`: the folder on the server; relative ones begin where the \
                login does.
                """),
        .init(
            section: "destination", name: "url", kind: .text, defaultTOML: nil,
            exampleTOML: "\"https://dav.example.com/photos\"",
            doc:
                "`webdav`: the folder. `http`: a template, see the uploads guide. `s3`: the service's address."
        ),
        .init(
            section: "destination", name: "bucket", kind: .text, defaultTOML: nil,
            exampleTOML: "\"weddings\"",
            doc: "`s3`: the bucket. It must be there."),
        .init(
            section: "destination", name: "region", kind: .text, defaultTOML: nil,
            exampleTOML: "\"eu-central-1\"",
            doc: "`s3`: the region. Without it, `us-east-1`."),
        .init(
            section: "destination", name: "prefix", kind: .text, defaultTOML: nil,
            exampleTOML: "\"studio1/\"",
            doc: "`s3`: put before every name."),
        .init(
            section: "destination", name: "host", kind: .text, defaultTOML: nil, exampleTOML: "\"nas.local\"",
            doc: "`sftp`, `ftp`: the server. For `sftp` also an alias of the ssh configuration."),
        .init(
            section: "destination", name: "port", kind: .number(1...65535), defaultTOML: nil,
            exampleTOML: "22",
            doc: "`sftp`, `ftp`: the server's port, where it is not the usual one."),
        .init(
            section: "destination", name: "encryption", kind: .choice(["explicit", "implicit", "none"]),
            defaultTOML: nil, exampleTOML: "\"explicit\"",
            doc: "`ftp`: TLS after connecting (`explicit`, the default), from the first byte, or none."),
        .init(
            section: "destination", name: "method", kind: .choice(["put", "post", "presigned"]),
            defaultTOML: nil,
            exampleTOML: "\"put\"", doc: "`http`: how the photo goes there. Without it, `put`."),
        .init(
            section: "destination", name: "remote", kind: .text, defaultTOML: nil,
            exampleTOML: "\"drive:photos\"",
            doc: "`rclone`: a remote of rclone's own configuration, with a folder."),
        .init(
            section: "destination", name: "rclone_config", kind: .path, defaultTOML: nil,
            exampleTOML: "\"/etc/framefast/rclone.conf\"",
            doc: "`rclone`: its configuration. Without it, `/etc/framefast/rclone.conf`."),
        .init(
            section: "destination", name: "command", kind: .texts("program and arguments"), defaultTOML: nil,
            exampleTOML: "[\"/usr/local/bin/deliver\", \"{file}\"]",
            doc: "`command`: the program, absolute, and its arguments. Never a shell line."),
        .init(
            section: "destination", name: "timeout", kind: .duration(max: .seconds(86_400)), defaultTOML: nil,
            exampleTOML: "\"10 min\"", doc: "`command`: longest run. Without it, 5 minutes."),
    ]

    private static let trust: [ConfigurationKey] = [
        .init(
            section: "destination", name: "user", kind: .text, defaultTOML: nil, exampleTOML: "\"photos\"",
            doc: "The user there; for `s3` the access key id."),
        .init(
            section: "destination", name: "password_file", kind: .text, defaultTOML: nil,
            exampleTOML: "\"credential:nas\"",
            doc: """
                File with the password, token or secret key: an absolute path, or `credential:NAME` for one that systemd \
                hands over (`LoadCredential=`). Nothing secret stands in this file.
                """),
        .init(
            section: "destination", name: "key_file", kind: .path, defaultTOML: nil,
            exampleTOML: "\"/etc/framefast/nas_key\"",
            doc: "`sftp`: the private key. Without it, as ssh has it."),
        .init(
            section: "destination", name: "known_hosts", kind: .path, defaultTOML: nil,
            exampleTOML: "\"/etc/framefast/known_hosts\"",
            doc: "`sftp`: host keys. Without it, ssh's own file."),
        .init(
            section: "destination", name: "host_keys", kind: .choice(["known", "accept-new"]),
            defaultTOML: nil,
            exampleTOML: "\"accept-new\"",
            doc:
                "`sftp`: a server that is not known is refused (`known`, the default), or taken the first time."
        ),
        .init(
            section: "destination", name: "ca_file", kind: .path, defaultTOML: nil,
            exampleTOML: "\"/etc/framefast/nas-ca.pem\"",
            doc: "Authorities that may vouch for the server. Without it, the system's."),
        .init(
            section: "destination", name: "insecure", kind: .flag, defaultTOML: nil, exampleTOML: "false",
            doc: "Takes any certificate: what is sent can be read and changed on the way. For tests only."),
    ]
}
