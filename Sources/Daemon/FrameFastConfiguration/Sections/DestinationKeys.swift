// The description of a key is its documentation.
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
    public static let title = "Where photos are uploaded to, one table each"
    public static let keys = DestinationKeys()
    public static let all = declarations + DestinationKind.keys

    public let name = SettingKey(
        "name", required: .name, example: "\"nas\"",
        "What the destination is called. Required, and different for each. Jobs are kept under this name.")
    public let kind = SettingKey(
        "kind", required: .choice(DestinationKind.allCases), example: "\"s3\"",
        "What it is. Required. The keys below say for which kinds they are.")
    public let remoteName = SettingKey(
        "remote_name", optional: .template, example: "\"{session}/{original}.{ext}\"",
        """
        How photos are named there: a template as in `capture.template`. Without it, as below the capture \
        directory; and where the server replaces what has a name already, with content and station in the name.
        """)
    public let order = SettingKey(
        "order", optional: .choice(Order.allCases), example: "\"newest\"",
        "Which photo goes first: the oldest (`capture`, the default) or the newest.")
    public let concurrency = SettingKey(
        "concurrency", optional: .number(1...32), example: "4",
        """
        Uploads at a time. Without it, 16 for `s3`, `sftp`, `webdav` and `http`, 1 for `ftp`, because many servers \
        lose data otherwise, and 4 for the others.
        """)
    public let bandwidth = SettingKey(
        "bandwidth", optional: .size, example: "\"5 MB\"",
        """
        Highest rate in bytes per second, over all uploads there. Without it, no limit. A `command` gets the limit as \
        `FRAMEFAST_BANDWIDTH` and must respect it itself.
        """)
    public let metered = SettingKey(
        "metered", optional: .choice(Metered.allCases), example: "\"hold\"",
        "What to do while the network is metered: `send` (the default) or `hold`.")
    public let types = SettingKey(
        "types", optional: .texts("file types: picture, raw, movie, or extensions"),
        example: "[\"picture\"]", "Only these files. Without it, all.")
    public let cameras = SettingKey(
        "cameras", optional: .texts("camera names"), example: "[\"studio-a\"]",
        "Only photos of these cameras.")
    public let sessions = SettingKey(
        "sessions", optional: .texts("session names"), example: "[\"Wedding\"]",
        "Only photos of these sessions.")
    public let maxSize = SettingKey(
        "max_size", optional: .size, example: "\"100 MB\"", "Only files up to this size.")
    public let minimumRating = SettingKey(
        "minimum_rating", optional: .number(1...5), example: "3",
        "Only photos with so many stars, or protected in the camera.")
}
