/// A camera's exposure in one line, in the usual notation: `1/125 f/5.6 ISO 400 AWB RAW+J`.
public struct ExposureLine: Hashable, Sendable {
    /// The maximum length of a value, in characters. Longer driver values are truncated.
    private static let partLengthMax = 16

    private let settings: [CameraSettingKey: CameraSetting]

    /// - Parameter settings: The settings from the camera's status.
    /// - Returns: `nil` if shutter, aperture and ISO are all unknown.
    public init?(_ settings: [CameraSettingKey: CameraSetting]) {
        guard [.shutter, .aperture, .iso].contains(where: { settings[$0] != nil }) else { return nil }
        self.settings = settings
    }

    /// Returns the value in FrameFast's format. If the driver's value has no translation, returns the
    /// driver's value. Returns `nil` if the camera does not have the setting.
    public func value(_ key: CameraSettingKey) -> String? {
        settings[key].map { $0.value?.text ?? $0.word }
    }

    /// The line. Omits a shutter speed or aperture that the camera chooses automatically and does not report.
    public var text: String {
        let parts = [
            shutter, value(.aperture).flatMap { $0 == "auto" ? nil : "f/\($0)" },
            value(.iso).map { "ISO \($0)" }, compensation, whiteBalance, quality,
        ]
        return parts.compactMap { $0.map { String($0.prefix(Self.partLengthMax)) } }.joined(separator: " ")
    }

    private var shutter: String? {
        guard let shutter = value(.shutter), shutter != "auto" else { return nil }
        return shutter.allSatisfy { $0.isNumber || $0 == "." } ? shutter + "s" : shutter
    }

    private var compensation: String? {
        value(.exposureCompensation).flatMap { $0 == "0" ? nil : "\($0) EV" }
    }

    private var whiteBalance: String? {
        switch value(.whiteBalance) {
        case "auto": "AWB"
        case "kelvin": value(.kelvin).map { "\($0) K" } ?? "kelvin"
        case let other: other
        }
    }

    /// The formats without the compression level: `raw+jpeg-fine` is RAW+J, and `jpeg-normal-m` is JPEG.
    private var quality: String? {
        guard let quality = value(.quality) else { return nil }
        let formats = quality.split(separator: "+").map { format in
            format.prefix { $0 != "-" }.uppercased()
        }
        return formats.count > 1
            ? formats.map { $0 == "JPEG" ? "J" : $0 }.joined(separator: "+") : formats.first
    }
}
