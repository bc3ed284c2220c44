extension CanonBody {
    /// Returns all records since the last call, followed by the end record.
    mutating func events(on camera: inout CameraCore, at now: WallTime) -> ByteWriter {
        var records = CanonRecords()
        reportBulbSeconds(on: &camera, at: now)
        reportLateFocus(on: &camera, at: now)
        for case .event(let code, let parameters) in camera.session?.polled ?? [] {
            let parameter = parameters.first ?? 0
            switch code {
            case 0x4002:
                if camera.identity.eosLongNames {
                    Self.addWithLongName(camera.card[parameter], parameter, to: &records)
                } else {
                    Self.add(camera.card[parameter], parameter, to: &records)
                }
            case 0x4003: records.add(.objectRemoved, words: [parameter])
            case 0x4006:
                let code = Self.ownCode(UInt16(truncatingIfNeeded: parameter))
                guard let setting = setting(code, of: camera, at: now) else { continue }
                records.add(property: code, setting.value)
            case 0x400D: records.add(.cameraStatusChanged, words: [shutter.isOpen ? 1 : 0])
            default:
                guard let kind = CanonRecord(rawValue: UInt32(code)) else { continue }
                add(kind, parameters, of: camera, at: now, to: &records)
            }
        }
        camera.session?.polled = []
        return records.finished()
    }

    /// Appends the record of an event that only an EOS has.
    private func add(
        _ kind: CanonRecord, _ parameters: [UInt32], of camera: CameraCore, at now: WallTime,
        to records: inout CanonRecords
    ) {
        switch kind {
        case .availableListChanged:
            let code = UInt16(truncatingIfNeeded: parameters.first ?? 0)
            guard let setting = setting(code, of: camera, at: now) else { return }
            records.add(choicesOf: code, setting.choices)
        case .olcInfoChanged:
            let fields = CanonOLC.fields(parameters).filter { displayMask >> $0.bit & 1 == 1 }
            guard !fields.isEmpty else { return }
            records.add(kind, CanonOLC(version: camera.identity.eosDisplayVersion).content(fields))
        default: records.add(kind, words: parameters)
        }
    }

    /// The properties of an EOS, sorted by code.
    var ownPropertyCodes: [UInt16] {
        let readOnlyCodes = [
            CanonProperty.batteryPower, CanonProperty.cameraTime, CanonProperty.availableShots,
            CanonProperty.captureDestination, CanonProperty.bracketMode, CanonProperty.currentStorage,
            CanonProperty.utcTime, CanonProperty.olcVersion, CanonProperty.temperatureStatus,
            CanonProperty.shutterCounter, CanonProperty.serialNumber, CanonProperty.lensName,
            CanonProperty.exposureMode, CanonProperty.exposureModeDial, CanonProperty.imageFormat,
        ]
        return (readOnlyCodes + CanonDials.properties + Array(settings.keys)).sorted()
    }

    /// Replaces the standard's code of the battery level with Canon's code. Returns other codes unchanged.
    private static func ownCode(_ code: UInt16) -> UInt16 {
        code == StandardProperty.battery ? CanonProperty.batteryPower : code
    }

    private static func add(_ object: CardObject?, _ handle: UInt32, to records: inout CanonRecords) {
        let name = object?.name.string ?? "IMG_0000.JPG"
        let format = UInt32((object?.format ?? .jpeg).rawValue)
        let size = UInt32(clamping: object?.reportedSize ?? 0)
        if object?.storage == 0 {
            records.add(.requestObjectTransfer, words: [handle, format, 0, size, 0], name: name)
        } else {
            records.add(
                .objectAdded,
                words: [handle, Card.storageID, format, 0, 0, size, object?.parent ?? 0, handle], name: name)
        }
    }

    /// Appends the record that an EOS R1, R5 Mark II or R6 Mark III sends for a new object. The name of an
    /// object on the card follows the date. A photo in memory has no name (libgphoto2 issues 1028 and 1200).
    private static func addWithLongName(
        _ object: CardObject?, _ handle: UInt32, to records: inout CanonRecords
    ) {
        let format = UInt32((object?.format ?? .jpeg).rawValue)
        let size = UInt32(clamping: object?.reportedSize ?? 0)
        let parent = object?.parent ?? 0
        guard object?.storage != 0 else {
            return records.add(
                .requestObjectTransferWithoutName, words: [handle, format, 0, size, 0, parent, 6, 0])
        }
        let date = UInt32(truncatingIfNeeded: object?.reportedSeconds ?? 0)
        var content = ByteWriter(capacity: 128)
        for word in [handle, Card.storageID, format, 0, 0, size, 0, parent, handle, date] {
            content.u32(word)
        }
        content.text(object?.name ?? "IMG_0000.JPG")
        content.zeros((4 - content.bytes.count % 4) % 4)
        records.add(.objectAddedWithLongName, content.bytes)
    }

    /// The events before a photo: autofocus succeeded, and the exposure started.
    var eventsBeforeShot: [PTPEvent] {
        [CanonOLC.event([.focus(1, 1)]), CanonRecord.cameraStatusChanged.event(1)]
    }
}
