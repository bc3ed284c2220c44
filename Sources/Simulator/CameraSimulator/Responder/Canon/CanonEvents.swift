extension Camera {
    /// Returns all records since the last call, followed by the end record.
    mutating func canonEvents(at now: WallTime) -> ByteWriter {
        var records = CanonRecords()
        reportBulbSeconds(at: now)
        reportLateFocus(at: now)
        for case .event(let code, let parameters) in session?.polled ?? [] {
            let parameter = parameters.first ?? 0
            switch code {
            case 0x4002: add(object: parameter, to: &records)
            case 0x4003: records.add(.objectRemoved, words: [parameter])
            case 0x4006:
                let code = canonCode(UInt16(truncatingIfNeeded: parameter))
                guard let setting = canonSetting(code, at: now) else { continue }
                records.add(property: code, setting.value)
            case 0x400D: records.add(.cameraStatusChanged, words: [canon.shutter.isOpen ? 1 : 0])
            default:
                guard let kind = CanonRecord(rawValue: UInt32(code)) else { continue }
                add(kind, parameters, at: now, to: &records)
            }
        }
        session?.polled = []
        return records.finished()
    }

    /// Appends the record of an event that only an EOS has.
    private func add(
        _ kind: CanonRecord, _ parameters: [UInt32], at now: WallTime, to records: inout CanonRecords
    ) {
        switch kind {
        case .availableListChanged:
            let code = UInt16(truncatingIfNeeded: parameters.first ?? 0)
            guard let setting = canonSetting(code, at: now) else { return }
            records.add(choicesOf: code, setting.choices)
        case .olcInfoChanged:
            let fields = CanonOLC.fields(parameters).filter { canon.displayMask >> $0.bit & 1 == 1 }
            guard !fields.isEmpty else { return }
            records.add(kind, CanonOLC(version: identity.eosDisplayVersion).content(fields))
        default: records.add(kind, words: parameters)
        }
    }
}

extension Camera {
    /// The properties of an EOS, sorted by code.
    var canonPropertyCodes: [UInt16] {
        let readOnlyCodes = [
            CanonProperty.batteryPower, CanonProperty.cameraTime, CanonProperty.availableShots,
            CanonProperty.captureDestination, CanonProperty.bracketMode, CanonProperty.currentStorage,
            CanonProperty.utcTime, CanonProperty.olcVersion, CanonProperty.temperatureStatus,
            CanonProperty.shutterCounter, CanonProperty.serialNumber, CanonProperty.lensName,
            CanonProperty.exposureMode, CanonProperty.exposureModeDial, CanonProperty.imageFormat,
        ]
        return (readOnlyCodes + CanonDials.properties + Array(canon.settings.keys)).sorted()
    }

    /// Returns an EOS's own code for the battery level, or the unchanged code of another property.
    private func canonCode(_ code: UInt16) -> UInt16 {
        code == Property.battery ? CanonProperty.batteryPower : code
    }

    private func add(object handle: UInt32, to records: inout CanonRecords) {
        let object = card[handle]
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

    /// The events before a photo: the half press that finds focus, and the exposure.
    static let canonEventsBeforeShot = [
        CanonOLC.event([.focus(1, 1)]), CanonRecord.cameraStatusChanged.event(1),
    ]
}
