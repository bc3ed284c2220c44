// The description text of each key replaces its doc comment.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import FrameFastModel
public import SettingKeys

/// The keys of a named camera.
public struct CameraKeys: ConfigurationSection {
    public static let section = "camera"
    public static let title =
        "Network cameras, and cameras with a name or settings, one table each"
    public static let keys = CameraKeys()

    public let name = SettingKey(
        "name", required: .name, example: "\"studio-a\"",
        "The camera's name, in commands and in file names. Required, and unique.")
    public let address = SettingKey(
        "address", required: .address, example: "\"ptpip:192.168.1.5:15740\"",
        """
        The address of the camera. Required. The default port is 15740, the standard port of PTP/IP. \
        `usb:` is the first USB camera that no other table names, `usb:serial=NUMBER` the camera with this \
        serial number, and `usb:port=1-1.4` the camera at this USB port. NUMBER is the content of \
        `/sys/bus/usb/devices/PORT/serial`, which can differ from the camera's own number. Some cameras do \
        not have this file. `framefast doctor` shows the port.
        """)
    public let timeZone = SettingKey(
        "time_zone", optional: .timeZone, example: "\"Asia/Bangkok\"",
        "The time zone of the camera's clock. Default: this computer's time zone.")
    public let deletesAfterSave = SettingKey(
        overriding: \CaptureKeys.deletesAfterSave, example: "true", for: "this camera")
    public let captureTarget = SettingKey(
        overriding: \CaptureKeys.captureTarget, example: "\"card+host\"", for: "this camera")
    public let shutterWait = SettingKey(
        overriding: \CaptureKeys.shutterWait, example: "\"always\"", for: "this camera")
    public let clock = SettingKey(
        overriding: \CaptureKeys.clock, example: "\"always\"", for: "this camera")
    public let preset = SettingKey(
        "preset", optional: .name, example: "\"studio\"",
        """
        The preset to apply when this camera is connected. A camera that reconnects within a minute keeps its current \
        settings. See `framefast preset`.
        """)
}

/// The keys of a group of cameras.
public struct GroupKeys: ConfigurationSection {
    public static let section = "group"
    public static let title = "Groups of cameras that take photos together, one table each"
    public static let keys = GroupKeys()

    public let name = SettingKey(
        "name", required: .name, example: "\"ring\"",
        "The name of the group. Required, and unique. See `framefast shoot --group`.")
    public let cameras = SettingKey(
        "cameras", required: .texts("names of cameras"), example: "[\"studio-a\", \"studio-b\"]",
        "Names or ids of the cameras. Required.")
}

/// The keys of USB cameras.
public struct USBKeys: ConfigurationSection {
    public static let section = "usb"
    public static let title = "Cameras on USB"
    public static let keys = USBKeys()

    public let detects = SettingKey(
        "detect", .flag, default: "true",
        """
        Whether to use every USB camera that supports tethering. If false, only USB cameras with a \
        `[[camera]]` table are used.
        """)
    public let phones = SettingKey(
        "phones", .texts("serial numbers"), default: "[]",
        "Serial numbers of phones to use as cameras. FrameFast ignores all other phones.")
}
