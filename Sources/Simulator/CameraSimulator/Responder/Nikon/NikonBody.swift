/// The state of a Nikon. Codes and values are those of libgphoto2's tables and of the dumps of a Z 6.
struct NikonBody: PropertyBody {
    /// The settings except the shutter speed, by code.
    var settings = Self.defaultSettings
    /// The exposure time, or `nil` for bulb.
    var speed: NikonSpeed? = NikonSpeed(1, 250)
    var forcedResponses: [UInt16: PTPResponse] = [:]
    var destination = PhotoDestination.card
    let destinations: [PhotoDestination] = [.card, .host]
    let settingsAfterShot = [NikonProperty.exposuresRemaining]
    /// Whether the client controls the camera (0x90C2), which locks the body's buttons and dials. The lock
    /// remains after a lost connection.
    var isRemote = false
    var isLocked: Bool { isRemote }
    /// Whether live view is on.
    var isLiveViewOn = false
    var liveView = LiveViewFrames()
    /// The end of the busy period, by the host's clock in milliseconds. The first poll after this time
    /// returns `outcome`.
    var busyUntilMs: Int64 = 0
    var outcome = PTPResponse.ok
    var autofocus = Autofocus.succeeds
    var isHot = false
    var isRecording = false
    var shutter = BulbShutter()
    /// Whether the photo of the current bulb exposure goes to memory.
    var exposesToMemory = false
    /// The lens position, in steps from 0 to `lensEnd`.
    var lens = 2_000
    static let lensEnd = 4_000
    /// The smallest step that moves the lens.
    static let minimumStep = 2

    func isWritable(_ code: UInt16) -> Bool {
        switch code {
        case NikonProperty.shutterSpeed: isWritableInMode(StandardProperty.exposureTime)
        case StandardProperty.exposureCompensation: mode != .auto
        // While the client controls the camera, the client selects the mode. Otherwise, the dial selects the
        // mode.
        case StandardProperty.exposureMode: isRemote
        default: isWritableInMode(code)
        }
    }

    /// Removes a completely read photo from the memory, because some clients do not delete photos. All photos
    /// in memory share one handle, which then refers to the next photo.
    mutating func handleDelivery(of handle: UInt32, on camera: inout CameraCore) {
        if camera.card[handle]?.storage == 0 { _ = camera.card.remove(handle) }
    }

    mutating func perform(_ control: BodyControl, on camera: inout CameraCore, at now: WallTime) -> String? {
        switch control {
        case .busy(let time): setBusy(for: Int64(time), at: now)
        case .autofocus(let outcome): autofocus = outcome
        case .hot(let isHot): setHot(isHot)
        case .bulbState: return "ok {\(shutter.json)}"
        case .frames: return liveView.reply(isOn: isLiveViewOn)
        case .locked: return "ok {\"locked\":\(isLocked)}"
        default: return nil
        }
        return "ok"
    }

    private static let defaultSettings: [UInt16: DeviceProperty] = [
        StandardProperty.fNumber: .choice(.u16(280), StandardProperty.apertures.map(PropertyValue.u16)),
        StandardProperty.exposureIndex: .choice(
            .u16(400),
            [100, 125, 160, 200, 250, 320, 400, 500, 640, 800, 1000, 1250, 1600, 3200, 6400, 12_800].map(
                PropertyValue.u16)),
        StandardProperty.imageSize: .choice(
            .text("6048x4024"), ["6048x4024", "4528x3016", "3024x2016"].map { .text($0) }),
        StandardProperty.compression: .choice(.u8(2), [0, 1, 2, 4, 5, 6, 7].map(PropertyValue.u8)),
        StandardProperty.whiteBalance: .choice(
            .u16(2), [2, 4, 5, 6, 7, 0x8010, 0x8011, 0x8012, 0x8013].map(PropertyValue.u16)),
        StandardProperty.focusMode: .choice(.u16(0x8010), [1, 0x8010, 0x8011].map(PropertyValue.u16)),
        StandardProperty.meteringMode: .choice(.u16(3), [2, 3, 4, 0x8010].map(PropertyValue.u16)),
        StandardProperty.exposureMode: .choice(.u16(1), [1, 2, 3, 4, 0x8010].map(PropertyValue.u16)),
        StandardProperty.exposureCompensation: .choice(
            .i16(0),
            [
                -3000, -2666, -2333, -2000, -1666, -1333, -1000, -666, -333, 0, 333, 666, 1000, 1333, 1666,
                2000, 2333, 2666, 3000,
            ]
            .map(PropertyValue.i16)),
        StandardProperty.captureMode: .choice(.u16(1), [1, 2, 0x8010, 0x8011].map(PropertyValue.u16)),
        StandardProperty.burstNumber: DeviceProperty(
            isWritable: true, standard: .u16(1), current: .u16(1),
            form: .range(.u16(1), .u16(.max), step: .u16(1))),
        NikonProperty.autoISO: .choice(.u8(0), [0, 1].map(PropertyValue.u8)),
        NikonProperty.focusModeOfBody: .choice(.u8(0), [0, 1, 4].map(PropertyValue.u8)),
        // 1 small, 2 medium, 3 large. The default is medium.
        NikonProperty.liveViewSize: .choice(.u8(2), [1, 2, 3].map(PropertyValue.u8)),
        NikonProperty.applicationMode: DeviceProperty(
            isWritable: true, standard: .u8(0), current: .u8(0), form: .range(.u8(0), .u8(1), step: .u8(1))),
    ]
}

/// An exposure time in Nikon's two forms: a fraction (0xD100) and tenths of a millisecond (0x500D).
struct NikonSpeed: Hashable, Sendable {
    var numerator: UInt32
    var denominator: UInt32

    init(_ numerator: UInt32, _ denominator: UInt32) {
        (self.numerator, self.denominator) = (numerator, denominator)
    }

    var seconds: Double { Double(numerator) / Double(denominator) }
    var fraction: UInt32 { numerator << 16 | denominator }
    var tenthsOfMs: UInt32 { UInt32((seconds * 10_000).rounded()) }

    /// The value of bulb in both forms.
    static let bulb: UInt32 = 0xFFFF_FFFF

    /// 30 s to 1/8000 s in thirds of a stop.
    static let all: [NikonSpeed] =
        [30, 25, 20, 15, 13, 10, 8, 6, 5, 4, 3].map { NikonSpeed($0, 1) }
        + [25, 20, 16, 13, 10, 8, 6, 5, 4].map { NikonSpeed($0, 10) }
        + [
            3, 4, 5, 6, 8, 10, 13, 15, 20, 25, 30, 40, 50, 60, 80, 100, 125, 160, 200, 250, 320, 400, 500,
            640, 800, 1000, 1250, 1600, 2000, 2500, 3200, 4000, 5000, 6400, 8000,
        ].map { NikonSpeed(1, $0) }
}
