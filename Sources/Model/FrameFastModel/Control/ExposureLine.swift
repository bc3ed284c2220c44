/// How a camera exposes, in the line that photographers read: `1/125 f/5.6 ISO 400 AWB RAW+J`.
public struct ExposureLine: Hashable, Sendable {
    /// Letters of one part: a word that nobody has translated may be long.
    private static let partLengthMax = 16

    private let settings: [CameraSettingKey: CameraSetting]

    /// - Parameter settings: As a camera's status has them.
    /// - Returns: `nil` while neither shutter nor aperture nor ISO is known.
    public init?(_ settings: [CameraSettingKey: CameraSetting]) {
        guard [.shutter, .aperture, .iso].contains(where: { settings[$0] != nil }) else { return nil }
        self.settings = settings
    }

    /// A value in our spelling, or the camera's own word; `nil` where the camera has no such setting.
    public func value(_ key: CameraSettingKey) -> String? {
        settings[key].map { $0.value?.text ?? $0.word }
    }

    /// The line. What the camera chooses by itself and does not tell is left out.
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

    /// Formats without how much they are compressed: `raw+jpeg-fine` is RAW+J, `jpeg-normal-m` is JPEG.
    private var quality: String? {
        guard let quality = value(.quality) else { return nil }
        let formats = quality.split(separator: "+").map { format in
            format.prefix { $0 != "-" }.uppercased()
        }
        return formats.count > 1
            ? formats.map { $0 == "JPEG" ? "J" : $0 }.joined(separator: "+") : formats.first
    }
}
