// The description of a key is its documentation.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import FrameFastModel
public import SettingKeys

/// The keys of photo transfer and storage.
public struct CaptureKeys: ConfigurationSection {
    /// The handling of photos that are on the card when a camera connects for the first time.
    public enum Existing: String, CaseIterable, Sendable { case fetch, skip }

    /// The required verification of a photo's bytes.
    public enum Verify: String, CaseIterable, Sendable { case structure, reread }

    public static let section = "capture"
    public static let title = "Taking photos in"
    public static let keys = CaptureKeys()

    public let directory = SettingKey(
        "directory", .path, default: "\"/var/lib/framefast/captures\"", change: .restart,
        "Where photos go. It is created when it is missing.")
    public let template = SettingKey(
        "template", .template, default: "\"{session}/{date}/{camera}-{counter:05}.{ext}\"",
        "How photos are named below the directory. `framefast template test` shows what a template gives.")
    public let deletesAfterSave = SettingKey(
        "delete_after_save", .flag, default: "false",
        "Whether a photo is deleted on the camera once it is safely saved here.")
    public let minFreeBytes = SettingKey(
        "min_free", .size, default: "\"2 GB\"",
        "Below this much free space no photos are fetched; they wait on the camera until there is space again."
    )
    public let pairSettle = SettingKey(
        "pair_settle", .duration(max: .seconds(60)), default: "\"2 s\"", change: .restart,
        "How long to wait for the RAW or JPEG half of a shot before the other half counts as a single file.")
    public let captureTarget = SettingKey(
        "capture_target", .choice(CaptureTarget.allCases), default: "\"card\"",
        """
        Where cameras put new photos while they are connected: on the `card`, on `card+host` (the card, and a copy \
        in the memory that is read from here), on `host` only (lost if the cable is pulled too early), or `leave` \
        for what the camera is set to. The camera's own setting is restored at the end.
        """)
    public let shutterWait = SettingKey(
        "wait_for_shutter", .choice(ShutterWait.allCases), default: "\"auto\"",
        """
        Whether photos wait on the card during a burst, because a body may refuse its shutter while it is read. `auto`: \
        with bodies that are known for it or have refused a release meanwhile; `always`: with every camera; `never`: they \
        are read as they come. They wait until there was no shot for a second, and for 10 s at most. Photos in a camera's own \
        memory never wait.
        """)
    public let clock = SettingKey(
        "set_clock", .choice(ClockPolicy.allCases), default: "\"ask\"",
        """
        What is done about a camera whose clock is not this computer's: `ask` shows a condition with the command that \
        sets it, `always` sets it when the camera is connected, `never` leaves it alone.
        """)
    public let existing = SettingKey(
        "existing", .choice(Existing.allCases), default: "\"fetch\"", change: .restart,
        "What to do with photos that are on the card when a camera is connected for the very first time.")
    public let verify = SettingKey(
        "verify", .choice(Verify.allCases), default: "\"structure\"", change: .restart,
        """
        How sure a photo's bytes must be. `structure`: size and structure are right. `reread`: each photo on a card \
        is read a second time when its camera is quiet; uploads, hooks and deletion on the camera wait until two \
        readings are equal, and a file that arrived wrong is corrected. It uses more of the camera's battery and \
        doubles the transfer time.
        """)
    public let keepsAwake = SettingKey(
        "keep_awake", .flag, default: "true",
        """
        Whether this computer stays awake while a session runs. A lock of systemd-logind holds off sleep; \
        `systemd-inhibit --list` shows it. The system service needs polkit for it. Closing the lid of a laptop usually still suspends the computer, and \
        `systemctl suspend -i` always does.
        """)
}
