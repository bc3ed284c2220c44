/// The state of a Sony of the α7 III generation. Codes and values are those of libgphoto2's tables.
struct SonyBody: SimulatedBody {
    /// The settings, by code.
    var settings: [UInt16: DeviceProperty]
    /// The duration of a dial step, or of a change of quality or focus mode, in milliseconds.
    var stepMs: Int64
    /// The change in progress and its end by the host's clock in milliseconds, or `nil`.
    var step: (code: UInt16, value: PropertyValue, atMs: Int64)?
    /// The photos that the camera holds in memory for the computer.
    var memory = SonyMemory()
    var isHalfPressed = false
    var isPressed = false
    /// Whether the computer's settings override the body's dials (PriorityMode).
    var computerHasPriority = false
    var destination = PhotoDestination.host
    let destinations = PhotoDestination.allCases
    let settingsAfterShot = [SonyProperty.focusFound, SonyProperty.objectInMemory]
    var shutter = BulbShutter()
    var isRecording = false
    /// The lens position, in steps from the initial position.
    var lens = 0
    var autofocus = Autofocus.succeeds
    /// The largest f-number of the lens, times 100, or `nil` for all of ``apertures``.
    var apertureLimit: UInt16?

    init(_ generation: SonyGeneration = .new, stepMs: Int64 = 0) {
        self.stepMs = stepMs
        settings = Self.defaultSettings
        guard generation == .old else { return }
        for (new, old) in Self.olderProperties { settings[old] = settings.removeValue(forKey: new) }
    }

    /// The codes of the older properties, by the codes of the newer properties that replaced them. The older
    /// properties change only in steps.
    static let olderProperties = [
        shutterSpeed: oldShutterSpeed, isoSpeed: oldISOSpeed, exposureCompensation: oldExposureCompensation,
    ]

    /// The older properties that a newer body has in addition to its settings, by code. Each older property
    /// has the value of the newer property.
    ///
    /// libgphoto2's camera reports show the older shutter speed on every body with the newer property: an
    /// ILCE-7RM4, 7RM4A, 7C and 1, a ZV-1 and ZV-E10, a DSC-RX0, RX0M2 and RX100M7. The older property has
    /// a range of all numbers instead of a list. libgphoto2 2.5.34 offers a shutter speed only for bodies
    /// with the older property. The driver then reads and sets the newer property.
    var mirroredSettings: [UInt16: DeviceProperty] {
        guard let time = settings[Self.shutterSpeed]?.current else { return [:] }
        return [Self.oldShutterSpeed: Self.range(time, .u32(0), .u32(.max), step: .u32(1))]
    }

    /// Returns the code of the setting that changes when a client steps the property, or `nil` if no setting
    /// changes.
    func steppedSetting(_ code: UInt16) -> UInt16? {
        if settings[code] != nil { return code }
        return mirroredSettings[code] == nil ? nil : Self.shutterSpeed
    }

    /// Whether the shutter speed is set to bulb.
    var isBulb: Bool { shutterSpeed == .u32(0) }

    var shutterSpeed: PropertyValue? {
        (settings[Self.shutterSpeed] ?? settings[Self.oldShutterSpeed])?.current
    }
    var isoSpeed: PropertyValue? { (settings[Self.isoSpeed] ?? settings[Self.oldISOSpeed])?.current }

    /// Returns the listed fraction that is equal to a shutter speed. For example, the list contains 10/10
    /// instead of 1/1. Returns other values unchanged.
    func listedValue(_ value: PropertyValue, of code: UInt16) -> PropertyValue {
        guard code == Self.shutterSpeed, case .u32(let time) = value, time > 0,
            case .choice(let values)? = settings[code]?.form
        else { return value }
        return values.first { listed in
            guard case .u32(let other) = listed, other > 0 else { return false }
            return (other >> 16) * (time & 0xFFFF) == (time >> 16) * (other & 0xFFFF)
        } ?? value
    }

    /// Returns whether the property changes only in steps.
    func changesInSteps(_ code: UInt16) -> Bool {
        [StandardProperty.fNumber, Self.oldShutterSpeed, Self.oldISOSpeed, Self.oldExposureCompensation]
            .contains(code)
    }

    /// Returns the value one step up or down, or `nil` at the end of the list or for a property without
    /// steps.
    func nextValue(of code: UInt16, isUp: Bool) -> PropertyValue? {
        if code == StandardProperty.fNumber, case .u16(let aperture)? = settings[code]?.current {
            let range = 0...(apertureLimit ?? .max)
            let next = isUp ? Self.apertures.first { $0 > aperture } : Self.apertures.last { $0 < aperture }
            return next.flatMap { range.contains($0) ? .u16($0) : nil }
        }
        guard let property = settings[code], case .choice(let values) = property.form,
            let place = values.firstIndex(of: property.current)
        else { return nil }
        // The lists go from the longest time to the shortest, the lowest ISO to the highest, and the
        // brightest picture to the darkest.
        let next = place + (isUp == (code != Self.oldExposureCompensation) ? 1 : -1)
        return values.indices.contains(next) ? values[next] : nil
    }
    var forcedResponses: [UInt16: PTPResponse] = [:]
    var liveView = LiveViewFrames()
    /// Whether the body is too hot for live view.
    var isHot = false

    /// The settings that stay unchanged when a client sets them, although the response is OK.
    ///
    /// The aperture changes only in steps, and a dial of the body selects the mode (gphoto2 issue 530).
    static let ignoredSettings: Set<UInt16> = [StandardProperty.fNumber, StandardProperty.exposureMode]

    /// The settings that change after a delay. The driver waits for the change (_put_Sony_ImageQuality,
    /// _put_Sony_FocusMode).
    static let slowSettings: Set<UInt16> = [StandardProperty.compression, StandardProperty.focusMode]

    /// Whether the camera ignores a release because autofocus found no focus.
    var lacksFocus: Bool {
        autofocus == .fails && settings[StandardProperty.focusMode]?.current != Self.manualFocus
    }

    /// Returns an empty list. Clients request the properties of a Sony with GetExtDeviceInfo.
    func propertyCodes(of camera: CameraCore) -> [UInt16] { [] }

    /// Empties the memory, releases the buttons, stops live view and cancels the change in progress.
    mutating func handleSessionEnd(on camera: inout CameraCore) {
        memory = SonyMemory()
        (isHalfPressed, isPressed, computerHasPriority) = (false, false, false)
        step = nil
        _ = liveView.updateIsReady(isOn: false, at: WallTime(hostMs: 0, offsetSeconds: 0))
    }

    /// The apertures in thirds of a stop, as f-numbers times 100.
    static let apertures: [UInt16] = [
        280, 320, 350, 400, 450, 500, 560, 630, 710, 800, 900, 1000, 1100, 1300, 1400, 1600, 1800, 2000, 2200,
    ]

    private static let manualFocus = PropertyValue.u16(1)
    private static let imageSize: UInt16 = 0xD203
    private static let colorTemperature: UInt16 = 0xD20F
    private static let exposureCompensation: UInt16 = 0xD224
    private static let oldShutterSpeed: UInt16 = 0xD20D
    private static let oldISOSpeed: UInt16 = 0xD21E
    static let oldExposureCompensation: UInt16 = 0x5010
    private static let isoSpeed: UInt16 = 0xD226
    private static let shutterSpeed: UInt16 = 0xD229

    /// Parses a dial setting into a property and its value, or returns `nil` if the text is not valid.
    static func setting(_ name: String, _ word: String) -> (code: UInt16, value: UInt32)? {
        switch name {
        case "shutter" where word == "bulb": (shutterSpeed, 0)
        case "shutter":
            DialText.number(word).map {
                (
                    shutterSpeed,
                    $0 < 0.3 ? 1 << 16 | UInt32((1 / $0).rounded()) : UInt32(($0 * 10).rounded()) << 16 | 10
                )
            }
        case "iso" where word == "auto": (isoSpeed, 0xFF_FFFF)
        case "iso": DialText.number(word).map { (isoSpeed, UInt32($0)) }
        case "ev":
            DialText.signed(word).map {
                (exposureCompensation, UInt32(UInt16(bitPattern: Int16(($0 * 10).rounded() * 100))))
            }
        default: DialText.standard(name, word)
        }
    }

    private static let defaultSettings: [UInt16: DeviceProperty] = [
        StandardProperty.fNumber: range(.u16(280), .u16(0), .u16(.max), step: .u16(1)),
        StandardProperty.compression: .choice(
            .u8(0x03), [0x10, 0x14, 0x13, 0x12, 0x04, 0x03, 0x02].map(PropertyValue.u8)),
        StandardProperty.whiteBalance: .choice(
            .u16(2),
            [2, 4, 0x8011, 0x8010, 6, 0x8001, 0x8002, 0x8003, 0x8004, 7, 0x8012].map(PropertyValue.u16)),
        StandardProperty.focusMode: .choice(.u16(2), [2, 0x8005, 0x8004, 0x8006, 1].map(PropertyValue.u16)),
        // A body with a mode dial has an empty list.
        StandardProperty.exposureMode: .choice(.u16(1), []),
        StandardProperty.captureMode: .choice(
            .u16(1), [1, 0x8012, 0x8015, 0x8010, 0x8004, 0x8005, 0x8337].map(PropertyValue.u16)),
        imageSize: .choice(.u8(1), [1, 2, 3].map(PropertyValue.u8)),
        colorTemperature: range(.u16(5500), .u16(2500), .u16(9900), step: .u16(100)),
        exposureCompensation: .choice(
            .i16(0),
            [
                3000, 2700, 2300, 2000, 1700, 1300, 1000, 700, 300, 0, -300, -700, -1000, -1300, -1700,
                -2000, -2300, -2700, -3000,
            ].map(PropertyValue.i16)),
        isoSpeed: .choice(
            .u32(400), [0xFF_FFFF, 100, 125, 160, 200, 400, 800, 1600, 3200, 6400].map(PropertyValue.u32)),
        // The value consists of a numerator and a denominator. Bulb is 0.
        shutterSpeed: .choice(
            .u32(1 << 16 | 125),
            [
                0, 300 << 16 | 10, 150 << 16 | 10, 80 << 16 | 10, 40 << 16 | 10, 20 << 16 | 10,
                10 << 16 | 10, 4 << 16 | 10, 1 << 16 | 4, 1 << 16 | 8, 1 << 16 | 15, 1 << 16 | 30,
                1 << 16 | 60, 1 << 16 | 125, 1 << 16 | 250, 1 << 16 | 500, 1 << 16 | 1000, 1 << 16 | 2000,
                1 << 16 | 4000, 1 << 16 | 8000,
            ].map(PropertyValue.u32)),
    ]

    private static func range(
        _ value: PropertyValue, _ low: PropertyValue, _ high: PropertyValue, step: PropertyValue
    ) -> DeviceProperty {
        DeviceProperty(isWritable: true, standard: value, current: value, form: .range(low, high, step: step))
    }
}
