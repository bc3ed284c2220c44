/// A camera setting, with one name for all makers.
///
/// The cases are in the order in which the worker applies them. A setting comes before the settings whose
/// available values depend on it.
public enum CameraSettingKey: String, Codable, CaseIterable, CodingKeyRepresentable, Hashable, Sendable {
    /// The exposure mode. The mode determines whether the camera or the person sets the aperture and the
    /// shutter speed.
    case mode
    case drive
    case focusMode = "focus_mode"
    case metering
    /// The file formats and the JPEG compression.
    case quality
    case imageSize = "image_size"
    case whiteBalance = "white_balance"
    /// The color temperature in kelvin, if the white balance is `kelvin`.
    case kelvin
    case iso
    case aperture
    case shutter
    case exposureCompensation = "exposure_compensation"
    case flash
    /// The storage for photos: the card, the computer, or both.
    case captureTarget = "capture_target"
    case liveViewSize = "live_view_size"

    /// The kind of values that a setting has.
    public enum Form: Hashable, Sendable {
        /// A keyword in FrameFast's format. The maker's profile translates the keyword to the driver's value.
        case word
        /// A whole number, or a keyword such as `auto`.
        case number
        /// An f-number.
        case aperture
        /// An exposure time.
        case time
        /// A signed number of stops.
        case stops
    }

    /// The kind of values that the setting has.
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

    /// Example values for help and for error messages.
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
