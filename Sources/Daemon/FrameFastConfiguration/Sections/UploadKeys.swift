// The description text of each key replaces its doc comment.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import FrameFastModel
public import SettingKeys

/// The keys of the upload modes.
public struct UploadKeys: ConfigurationSection {
    public static let section = "upload"
    public static let title = "Upload modes"
    public static let keys = UploadKeys()

    public let mode = SettingKey(
        "mode", .choice(UploadMode.allCases), default: "\"realtime\"",
        "When photos without a session are uploaded. A session has its own mode (`framefast mode`).")
    public let minimumRating = SettingKey(
        "minimum_rating", .number(1...5), default: "1",
        "The minimum number of stars in mode `rated`. A photo that is protected in the camera is treated as rated."
    )
    public let windows = SettingKey(
        "windows",
        .texts("time ranges, such as \"22:00-06:00\"") {
            UploadSchedule.Window($0) == nil ? "\"\($0)\" is not a time range like \"22:00-06:00\"" : nil
        }, default: "[\"22:00-06:00\"]", "The times of day when mode `scheduled` uploads photos.")
    public let afterPhotos = SettingKey(
        "after_photos", .number(0...100_000), default: "0",
        "In mode `scheduled`, uploads also start when this many photos of a session are waiting. 0 turns this rule off."
    )
    public let meteredCommand = SettingKey(
        "metered_command", .texts("program and arguments"), default: "[]", change: .restartWithMeter,
        """
        A program that reports whether the network is metered, for destinations with `metered = "hold"`. \
        The program must exit within 5 seconds, with status 0 if the network is metered, and with status 1 \
        if not. Default: FrameFast queries NetworkManager.
        """)
    public let meteredInterval = SettingKey(
        "metered_interval", .duration(max: .seconds(3600)), default: "\"15 s\"", change: .restartWithMeter,
        "The time between two checks whether the network is metered.")
}

extension Settings<UploadKeys> {
    /// The schedule of mode `scheduled`.
    public var schedule: UploadSchedule {
        UploadSchedule(
            windows: self.windows.compactMap(UploadSchedule.Window.init),
            afterPhotos: self.afterPhotos > 0 ? self.afterPhotos : nil)
    }
}
