/// The settings of an EOS's dials and buttons, and the allowed values in each mode.
///
/// The codes are from the tables in libgphoto2's config.c.
struct CanonDials: Hashable, Sendable {
    /// The exposure modes (0xD105, 0xD138).
    enum Mode: UInt32, Sendable, CaseIterable {
        case program = 0
        case shutterPriority = 1
        case aperturePriority = 2
        case manual = 3
        case bulb = 4
        case fullAuto = 9
        case movie = 0x14
        case flexible = 0x37
    }

    /// The values, by property.
    private var codes: [UInt16: UInt32] = [
        CanonProperty.aperture: 0x20, CanonProperty.shutterSpeed: 0x78, CanonProperty.isoSpeed: 0x58,
        CanonProperty.exposureCompensation: 0, CanonProperty.driveMode: 0, CanonProperty.meteringMode: 3,
        CanonProperty.focusMode: 0, CanonProperty.whiteBalance: 0, CanonProperty.colorTemperature: 5200,
    ]
    var mode = Mode.manual
    var imageFormat = CanonImageFormat(.raw, .largeFine)

    /// The properties of the dials, except the mode and the image format.
    static let properties: [UInt16] = CanonDials().codes.keys.sorted()

    /// The value of the property, or `nil` for a property without a dial. An aperture, shutter speed or
    /// exposure compensation that the mode controls is 0 ("auto"), but mode bulb has its own shutter speed.
    subscript(code: UInt16) -> UInt32? {
        get {
            guard let set = codes[code] else { return nil }
            switch code {
            case CanonProperty.shutterSpeed where mode == .bulb: return Self.bulb
            case CanonProperty.aperture, CanonProperty.shutterSpeed, CanonProperty.exposureCompensation:
                return choices(of: code).isEmpty ? 0 : set
            default: return set
            }
        }
        set { codes[code] = newValue }
    }

    /// Returns the allowed values of the property. The list is empty if the mode controls the property.
    func choices(of code: UInt16) -> [UInt32] {
        let isSettable =
            switch code {
            case CanonProperty.aperture:
                [.aperturePriority, .manual, .bulb, .flexible, .movie].contains(mode)
            case CanonProperty.shutterSpeed: [.shutterPriority, .manual, .flexible, .movie].contains(mode)
            case CanonProperty.exposureCompensation: ![.manual, .bulb, .fullAuto].contains(mode)
            default: mode != .fullAuto
            }
        guard isSettable else { return [] }
        // In manual mode, bulb is one of the shutter speeds.
        if code == CanonProperty.shutterSpeed, mode == .manual { return [Self.bulb] + Self.shutterSpeeds }
        return Self.lists[code] ?? []
    }

    /// Whether a full press holds the shutter open until the release.
    var isBulb: Bool { self[CanonProperty.shutterSpeed] == Self.bulb }

    /// Whether a half press starts autofocus, and a full press requires focus.
    var isAutofocus: Bool { codes[CanonProperty.focusMode] != Self.manualFocus }

    private static let bulb: UInt32 = 0x0C
    private static let manualFocus: UInt32 = 3

    /// 30 s to 1/8000 s in thirds of a stop.
    private static let shutterSpeeds = thirds(from: 0x10, through: 0xA0)

    private static let lists: [UInt16: [UInt32]] = [
        // The first four lists contain the apertures f/1.8 to f/22, the shutter speeds, ISO auto and 100 to
        // 25600, and compensations of up to three stops.
        CanonProperty.aperture: thirds(from: 0x15, through: 0x50),
        CanonProperty.shutterSpeed: shutterSpeeds,
        CanonProperty.isoSpeed: [0] + thirds(from: 0x48, through: 0x88),
        CanonProperty.exposureCompensation: thirds(from: 0, through: 0x18).reversed()
            + thirds(from: 3, through: 0x18).map { 0x100 - $0 },
        CanonProperty.driveMode: [0, 4, 5, 0x10, 0x11, 0x13],
        CanonProperty.meteringMode: [1, 3, 4, 5],
        CanonProperty.focusMode: [0, 1, 2, 3],
        CanonProperty.whiteBalance: [0, 23, 1, 8, 2, 3, 4, 5, 6, 9],
        CanonProperty.colorTemperature: (25...100).map { $0 * 100 },
    ]

    /// Returns the codes in thirds of a stop. Codes count eighths of a stop. The codes 0, 3 and 5 of each
    /// stop are the thirds.
    private static func thirds(from first: UInt32, through last: UInt32) -> [UInt32] {
        (first...last).filter { [0, 3, 5].contains($0 % 8) }
    }

    static let imageFormats: [CanonImageFormat] = {
        let jpegs: [CanonImageFormat.File] = [
            .largeFine, .init(kind: 1, size: 0, compression: 2), .init(kind: 1, size: 1, compression: 3),
            .init(kind: 1, size: 14, compression: 3),
        ]
        return [CanonImageFormat(.raw)] + jpegs.map { CanonImageFormat($0) }
            + jpegs.map { CanonImageFormat(.raw, $0) }
    }()
}
