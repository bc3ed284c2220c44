// The description text of each key replaces its doc comment.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import FrameFastModel
public import SettingKeys

/// The keys of photo transfer and storage.
public struct CaptureKeys: ConfigurationSection {
    public static let section = "capture"
    public static let title = "Saving photos"
    public static let keys = CaptureKeys()

    public let directory = SettingKey(
        "directory", .path, default: "\"/var/lib/framefast/captures\"", change: .restart,
        "The folder for photos. FrameFast creates the folder if it is missing.")
    public let template = SettingKey(
        "template", .template, default: "\"{session}/{date}/{camera}-{counter:05}.{ext}\"",
        "The template for file names in the directory. `framefast template test` previews a template.")
    public let deletesAfterSave = SettingKey(
        "delete_after_save", .flag, default: "false",
        "Whether to delete a photo from the camera after it is safely saved here.")
    public let minFreeBytes = SettingKey(
        "min_free", .size, default: "\"2 GB\"",
        "The free space to keep. If less space is free, photos wait on the camera."
    )
    public let pairSettle = SettingKey(
        "pair_settle", .duration(max: .seconds(60)), default: "\"2 s\"", change: .restart,
        "How long to wait for the other file of a RAW+JPEG pair before a file is treated as a single shot.")
    public let captureTarget = SettingKey(
        "capture_target", .choice(CaptureTarget.allCases), default: "\"card\"",
        """
        Where connected cameras store new photos. `card`: on the card. `card+host`: on the card, with a \
        copy in the camera's memory for this computer. `host`: only in the camera's memory, where a photo \
        is lost if the cable is unplugged too early. `leave`: as set on the camera. The original setting is restored when the camera disconnects.
        """)
    public let shutterWait = SettingKey(
        "wait_for_shutter", .choice(ShutterWait.allCases), default: "\"auto\"",
        """
        Whether photos wait on the card during a burst, because some cameras cannot shoot during a \
        transfer. `auto`: for models with this known problem, and for cameras that refused a release \
        during a transfer; `always`: for every camera; `never`: for no camera. Photos wait until there is \
        no shot for a second, and at most 10 s. Photos in a camera's internal memory never wait.
        """)
    public let clock = SettingKey(
        "set_clock", .choice(ClockPolicy.allCases), default: "\"ask\"",
        """
        What to do if a camera's clock differs from this computer's clock: `ask` shows a condition with \
        the command that sets the camera's clock, `always` sets the clock when the camera is connected, \
        and `never` ignores the difference. If the camera is an hour or more ahead, this computer may \
        have started with an old time. `always` then sets the clock only if the kernel or \
        systemd-timesyncd reports that this computer's clock is synchronized. If the state is unknown, \
        `always` sets the clock only if the difference looks like another time zone.
        """)
    public let existing = SettingKey(
        "existing", .choice(ExistingPhotos.allCases), default: "\"fetch\"", change: .restart,
        "What to do with photos on the card when FrameFast connects to a camera for the first time: `fetch` or `skip` them."
    )
    public let verify = SettingKey(
        "verify", .choice(RequiredVerification.allCases), default: "\"structure\"", change: .restart,
        """
        How photos are verified. `structure`: FrameFast checks size and structure. `reread`: FrameFast \
        also reads each photo on a card a second time when its camera is idle. Uploads, hooks and deletion on the camera wait until \
        two readings are equal, and FrameFast replaces a corrupted file. `reread` uses more of the camera's \
        battery and doubles the transfer time.
        """)
    public let keepsAwake = SettingKey(
        "keep_awake", .flag, default: "true",
        """
        Whether this computer stays awake while a session runs. An inhibitor lock of systemd-logind prevents \
        sleep; `systemd-inhibit --list` shows this lock. The system service needs polkit to get the lock. Closing \
        the lid of a laptop usually still suspends the computer, and `systemctl suspend -i` always suspends the \
        computer.
        """)
}
