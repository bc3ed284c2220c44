/// Records in the answer to the EOS operation GetEvent (0x9116), as libgphoto2 names them.
enum CanonRecord: UInt32, CaseIterable {
    case objectAdded = 0xC181
    case objectRemoved = 0xC182
    case requestObjectTransfer = 0xC186
    case propertyChanged = 0xC189
    case availableListChanged = 0xC18A
    case cameraStatusChanged = 0xC18B
    case olcInfoChanged = 0xC1A5
}

/// EOS property codes, as libgphoto2 names them.
enum CanonProperty {
    static let aperture: UInt16 = 0xD101
    static let shutterSpeed: UInt16 = 0xD102
    static let isoSpeed: UInt16 = 0xD103
    static let exposureMode: UInt16 = 0xD105
    static let focusMode: UInt16 = 0xD108
    static let batteryPower: UInt16 = 0xD111
    static let cameraTime: UInt16 = 0xD113
    static let owner: UInt16 = 0xD115
    static let availableShots: UInt16 = 0xD11B
    static let captureDestination: UInt16 = 0xD11C
    static let currentStorage: UInt16 = 0xD11E
    static let utcTime: UInt16 = 0xD17C
    static let shutterCounter: UInt16 = 0xD1AC
    static let serialNumber: UInt16 = 0xD1AF
    static let viewfinderOutput: UInt16 = 0xD1B0
    static let artist: UInt16 = 0xD1D0
    static let copyright: UInt16 = 0xD1D1
}

extension Camera {
    /// Focus is found: a record of its own kind, queued like any other.
    static let canonFocused = PTPEvent.event(code: 0xC1A5, parameters: [])

    /// The camera is busy: a status of its own, queued like any other.
    private static let canonBusy = PTPEvent.event(code: 0xC18B, parameters: [1])

    /// What comes before a photo: the half press that finds focus, and the exposure.
    static let canonBeforeShot = [canonFocused, canonBusy]

    /// EOS properties that clients may set, with their values at the start (EOS codes: f/2.8, 1/250, ISO 400, manual).
    static let canonFactorySettings: [UInt16: UInt32] = [
        CanonProperty.aperture: 0x20, CanonProperty.shutterSpeed: 0x78, CanonProperty.isoSpeed: 0x58,
        CanonProperty.exposureMode: 3, CanonProperty.focusMode: 0, CanonProperty.viewfinderOutput: 0,
    ]

    var canonPropertyCodes: [UInt16] {
        (canonSettings.keys + [
            CanonProperty.batteryPower, CanonProperty.cameraTime, CanonProperty.owner,
            CanonProperty.availableShots,
            CanonProperty.captureDestination, CanonProperty.currentStorage, CanonProperty.utcTime,
            CanonProperty.shutterCounter, CanonProperty.serialNumber, CanonProperty.artist,
            CanonProperty.copyright,
        ]).sorted()
    }

    /// Everything that has come up since the last call, and the end mark.
    mutating func canonEvents(at now: WallTime) -> ByteWriter {
        var out = ByteWriter(capacity: 1024)
        for case .event(let code, let parameters) in session?.polled ?? [] {
            let parameter = parameters.first ?? 0
            switch code {
            case 0x4002: addObject(parameter, to: &out)
            case 0x4003: Self.record(.objectRemoved, to: &out) { $0.u32(parameter) }
            case 0x4006: addProperty(canonCode(UInt16(truncatingIfNeeded: parameter)), at: now, to: &out)
            case 0xC18B: Self.record(.cameraStatusChanged, to: &out) { $0.u32(parameter) }
            case 0x400D: Self.record(.cameraStatusChanged, to: &out) { $0.u32(0) }
            case 0xC1A5: Self.addFocus(to: &out)
            default: break
            }
        }
        session?.polled = []
        out.u32(8)
        out.u32(0)
        return out
    }

    private func canonCode(_ code: UInt16) -> UInt16 {
        code == Property.battery ? CanonProperty.batteryPower : code
    }

    private static func record(
        _ kind: CanonRecord, to out: inout ByteWriter, _ fill: (inout ByteWriter) -> Void
    ) {
        let start = out.bytes.count
        out.u32(0)
        out.u32(kind.rawValue)
        fill(&out)
        out.zeros((4 - (out.bytes.count - start) % 4) % 4)
        out.patch32(at: start, UInt32(out.bytes.count - start))
    }

    private func addObject(_ handle: UInt32, to out: inout ByteWriter) {
        let object = card[handle]
        let name = Array((object?.name.string ?? "IMG_0000.JPG").utf8) + [0]
        let format = UInt32((object?.format ?? .jpeg).rawValue)
        let size = UInt32(clamping: object?.toldSize ?? 0)
        if object?.storage == 0 {
            Self.record(.requestObjectTransfer, to: &out) {
                $0.u32(handle)
                for value in [format, 0, size, 0] { $0.u32(value) }
                $0.raw(name)
            }
        } else {
            Self.record(.objectAdded, to: &out) {
                $0.u32(handle)
                for value in [Card.storageID, format, 0, 0, size, object?.parent ?? 0, handle] {
                    $0.u32(value)
                }
                $0.raw(name)
            }
        }
    }

    private func addProperty(_ code: UInt16, at now: WallTime, to out: inout ByteWriter) {
        let value = canonValue(code, at: now)
        Self.record(.propertyChanged, to: &out) {
            $0.u32(UInt32(code))
            $0.raw(value)
        }
        guard let choices = Self.canonChoices[code] else { return }
        Self.record(.availableListChanged, to: &out) {
            $0.u32(UInt32(code))
            $0.u32(3)
            $0.array32(choices)
        }
    }

    private static let canonChoices: [UInt16: [UInt32]] = [
        CanonProperty.captureDestination: [CanonDestination.card, CanonDestination.host],
        CanonProperty.aperture: [0x18, 0x20, 0x28, 0x30, 0x38, 0x40],
        CanonProperty.shutterSpeed: [0x60, 0x68, 0x70, 0x78, 0x80, 0x88],
        CanonProperty.isoSpeed: [0x48, 0x50, 0x58, 0x60, 0x68, 0x70],
    ]

    private func canonValue(_ code: UInt16, at now: WallTime) -> [UInt8] {
        var out = ByteWriter()
        switch code {
        case CanonProperty.batteryPower: out.u32(canonBattery)
        case CanonProperty.cameraTime:
            out.u32(UInt32(truncatingIfNeeded: now.ahead(by: clockOffsetSeconds).cameraSeconds))
        case CanonProperty.utcTime:
            out.u32(UInt32(truncatingIfNeeded: now.hostMs / 1000 + Int64(clockOffsetSeconds)))
        case CanonProperty.availableShots:
            out.u32(memoryIsTarget ? 9999 : UInt32(clamping: min(shotsLeft, 9999)))
        case CanonProperty.captureDestination:
            out.u32(memoryIsTarget ? CanonDestination.host : CanonDestination.card)
        case CanonProperty.currentStorage: out.u32(1)
        case CanonProperty.shutterCounter: out.u32(UInt32(clamping: photosMade))
        case CanonProperty.serialNumber: out.raw(Array(identity.serial.utf8) + [0])
        case CanonProperty.owner, CanonProperty.artist, CanonProperty.copyright: out.u32(0)
        default: out.u32(canonSettings[code] ?? 0)
        }
        return out.bytes
    }

    /// The battery as an EOS tells it, in five steps.
    private var canonBattery: UInt32 {
        switch battery {
        case 88...: 2
        case 63..<88: 4
        case 38..<63: 1
        case 13..<38: 5
        default: 0
        }
    }

    /// "In focus", as the driver waits for it after a half press: an OLC record with only the focus field.
    private static func addFocus(to out: inout ByteWriter) {
        record(.olcInfoChanged, to: &out) {
            $0.u32(16)
            $0.u16(0x0100)
            $0.u16(0)
            $0.raw([0, 0, 0, 0, 1, 0])
        }
    }
}
