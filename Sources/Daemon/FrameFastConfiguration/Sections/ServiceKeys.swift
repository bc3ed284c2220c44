// The description text of each key replaces its doc comment.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import FrameFastModel
public import SettingKeys

/// The keys of local retention.
public struct StorageKeys: ConfigurationSection {
    public static let section = "storage"
    public static let title = "How long photos stay here"
    public static let keys = StorageKeys()

    public let keep = SettingKey(
        "keep", SettingKind<RetentionRule>(.retention) { $0.text.flatMap(RetentionRule.init) },
        default: "\"forever\"",
        """
        How long photos stay on this computer. A session can have its own rule (`framefast session keep`). \
        After this time, FrameFast removes files that were delivered to all their destinations. FrameFast keeps \
        files with undelivered uploads, files that a destination has refused because of their rating, and \
        files without a destination.
        """)
}

/// The keys of the API socket.
public struct APIKeys: ConfigurationSection {
    public static let section = "api"
    public static let title = "The API socket"
    public static let keys = APIKeys()

    public let socket = SettingKey(
        "socket", .path, default: "\"/run/framefast/framefast.sock\"", change: .restart,
        variable: "FRAMEFAST_SOCKET", flag: "--socket",
        """
        The socket that `framefast` and scripts connect to. Without this key, a daemon that a regular user \
        starts, for example a user service, uses `$XDG_RUNTIME_DIR/framefast/framefast.sock`.
        """)
    public let isStatusPublic = SettingKey(
        "public_status", .flag, default: "false", change: .restart,
        "Whether every user of this computer may read the status. Only root and members of group `framefast` can control the service."
    )
}

/// The keys of Prometheus metrics.
public struct MetricsKeys: ConfigurationSection {
    public static let section = "metrics"
    public static let title = "Metrics for Prometheus"
    public static let keys = MetricsKeys()

    public let listen = SettingKey(
        "listen",
        SettingKind<LoopbackAddress?>(.loopback) { value in value.text.map { LoopbackAddress($0) } },
        default: "\"off\"", example: "\"127.0.0.1:9477\"", change: .restart,
        """
        The address that serves `/metrics`, in addition to the socket, for Prometheus and similar \
        programs. Every user of this computer can read the metrics at this address.
        """)
}

/// The keys of camera drivers.
public struct DriverKeys: ConfigurationSection {
    public static let section = "drivers"
    public static let title = "Camera drivers"
    public static let keys = DriverKeys()

    public let allowed = SettingKey(
        "allow", .drivers, default: "[\"ptp2\"]", change: .restart,
        "The libgphoto2 drivers that may be loaded. `ptp2` supports all current cameras.")
}

/// The keys of the daemon's own files.
public struct StateKeys: ConfigurationSection {
    public static let section = "state"
    public static let title = "The daemon's own files"
    public static let keys = StateKeys()

    public let directory = SettingKey(
        "directory", .path, default: "\"/var/lib/framefast\"", change: .restart, flag: "--state-dir",
        "The folder for the ledger (the service's database) and for the camera workers' files.")
}

/// The keys of the log.
public struct LogKeys: ConfigurationSection {
    public static let section = "log"
    public static let title = "Messages"
    public static let keys = LogKeys()

    public let level = SettingKey(
        "level", .choice(["trace", "debug", "info", "notice", "warning", "error", "critical"]),
        default: "\"info\"", "The lowest level of messages to log.")
}
