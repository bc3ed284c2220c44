/// A setting of a camera, under the one name that it has here for all makers.
///
/// The order is the one in which several are set: what decides on the choices of others comes first.
public enum CameraSettingKey: String, Codable, CaseIterable, CodingKeyRepresentable, Hashable, Sendable {
    /// Exposure mode: who chooses aperture and shutter speed.
    case mode
    case drive
    case focusMode = "focus_mode"
    case metering
    /// File formats and how much a JPEG is compressed.
    case quality
    case imageSize = "image_size"
    case whiteBalance = "white_balance"
    /// Colour temperature in kelvin, where the white balance is set to one.
    case kelvin
    case iso
    case aperture
    case shutter
    case exposureCompensation = "exposure_compensation"
    case flash
    /// Where photos go: to the card, to the computer, or to both.
    case captureTarget = "capture_target"
    case liveViewSize = "live_view_size"

    /// What its values are.
    public enum Form: Hashable, Sendable {
        /// Words of our own, translated by the maker's profile.
        case word
        /// A whole number, or a word such as `auto`.
        case number
        /// An f-number.
        case aperture
        /// An exposure time.
        case time
        /// Stops, with a sign.
        case stops
    }

    /// What its values are.
    public var form: Form {
        switch self {
        case .mode, .drive, .focusMode, .metering, .quality, .imageSize, .whiteBalance, .flash,
            .captureTarget,
            .liveViewSize:
            .word
        case .kelvin, .iso: .number
        case .aperture: .aperture
        case .shutter: .time
        case .exposureCompensation: .stops
        }
    }

    /// What a person may write for a value of it, for help and for sentences about what cannot be read.
    public var example: String {
        switch self {
        case .mode: "P, A, S, M, bulb or auto"
        case .drive: "single, continuous or timer-10"
        case .focusMode: "manual, af-s or af-c"
        case .metering: "matrix, center or spot"
        case .quality: "raw, jpeg-fine or raw+jpeg-fine"
        case .imageSize: "L, M or S"
        case .whiteBalance: "auto, daylight or kelvin"
        case .kelvin: "5200"
        case .iso: "400 or auto"
        case .aperture: "5.6"
        case .shutter: "1/125, 0.8, 30 or bulb"
        case .exposureCompensation: "+0.7, -1 or 0"
        case .flash: "off, fill or auto"
        case .captureTarget: "card, computer or both"
        case .liveViewSize: "large, medium or small"
        }
    }
}
