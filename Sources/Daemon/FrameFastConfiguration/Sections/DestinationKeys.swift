// The description text of each key replaces its doc comment.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import SettingKeys
public import UploadDestinations

/// The keys that all destinations have. Each kind declares its own keys.
public struct DestinationKeys: ConfigurationSection {
    /// The order of uploads.
    public enum Order: String, CaseIterable, Sendable { case capture, newest }

    /// The handling of uploads while the network is metered.
    public enum Metered: String, CaseIterable, Sendable { case send, hold }

    public static let section = "destination"
    public static let title = "Upload destinations, one table each"
    public static let keys = DestinationKeys()
    public static let all = declarations + DestinationKind.keys

    public let name = SettingKey(
        "name", required: .name, example: "\"nas\"",
        "The destination's name. Required, and unique. Uploads are recorded under this name.")
    public let kind = SettingKey(
        "kind", required: .choice(DestinationKind.allCases), example: "\"s3\"",
        "The kind of destination. Required. The keys below state which kinds they apply to.")
    public let remoteName = SettingKey(
        "remote_name", optional: .template, example: "\"{session}/{original}.{ext}\"",
        """
        The template for file names at the destination, as in `capture.template`. Default: the path in the \
        capture directory. If the server replaces existing files, FrameFast adds the photo's hash and an id \
        of this computer.
        """)
    public let order = SettingKey(
        "order", optional: .choice(Order.allCases), example: "\"newest\"",
        "Which photo is uploaded first: the oldest (`capture`, the default) or the newest.")
    public let concurrency = SettingKey(
        "concurrency", optional: .number(1...32), example: "4",
        """
        Number of parallel uploads. Default: 16 for `s3`, `sftp`, `webdav` and `http`, 1 for `ftp`, and 4 \
        for other kinds. Many FTP servers lose data during parallel uploads.
        """)
    public let bandwidth = SettingKey(
        "bandwidth", optional: .size, example: "\"5 MB\"",
        """
        Speed limit in bytes per second for all uploads to the destination. Default: no limit. A `command` receives the limit in \
        `FRAMEFAST_BANDWIDTH` and must enforce the limit itself.
        """)
    public let metered = SettingKey(
        "metered", optional: .choice(Metered.allCases), example: "\"hold\"",
        "What to do while the network is metered: `send` (the default) or `hold`.")
    public let types = SettingKey(
        "types", optional: .texts("file types: picture, raw, movie, or extensions"),
        example: "[\"picture\"]", "Only files of these types. Default: all files.")
    public let cameras = SettingKey(
        "cameras", optional: .texts("camera names"), example: "[\"studio-a\"]",
        "Only photos from these cameras.")
    public let sessions = SettingKey(
        "sessions", optional: .texts("session names"), example: "[\"Wedding\"]",
        "Only photos of these sessions.")
    public let maxSize = SettingKey(
        "max_size", optional: .size, example: "\"100 MB\"", "Only files up to this size.")
    public let minimumRating = SettingKey(
        "minimum_rating", optional: .number(1...5), example: "3",
        """
        Only photos with at least this many stars from the camera or a person, and photos that are protected in the \
        camera. Photos that an owner rejects are not sent.
        """)
}
