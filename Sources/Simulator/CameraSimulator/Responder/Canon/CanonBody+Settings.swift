extension CanonBody {
    /// Returns the current state of the property, or `nil` for a code that an EOS does not have.
    func setting(_ code: UInt16, of camera: CameraCore, at now: WallTime) -> CanonSetting? {
        switch code {
        case CanonProperty.batteryPower: .readOnly(Self.batterySteps(camera.battery))
        case CanonProperty.cameraTime:
            Self.clock(now.ahead(by: camera.clockOffsetSeconds).cameraSeconds)
        case CanonProperty.utcTime: Self.clock(now.hostMs / 1000 + Int64(camera.clockOffsetSeconds))
        case CanonProperty.availableShots:
            .readOnly(destination == .host ? 9999 : UInt32(clamping: min(camera.shotsLeft, 9999)))
        case CanonProperty.captureDestination:
            .choice(
                destination == .host ? CanonDestination.host : CanonDestination.card,
                of: [CanonDestination.card, CanonDestination.host])
        case CanonProperty.currentStorage: .readOnly(Card.storageID)
        case CanonProperty.bracketMode: .readOnly(0)
        case CanonProperty.olcVersion: .readOnly(camera.identity.eosDisplayVersion)
        case CanonProperty.temperatureStatus: .readOnly(isHot ? Self.tooHot : 0)
        case CanonProperty.shutterCounter: .readOnly(UInt32(clamping: camera.photoCount))
        case CanonProperty.serialNumber: Self.readOnly(camera.identity.serial)
        case CanonProperty.lensName: Self.readOnly(Self.lens)
        default: dial(code) ?? ownSetting(code)
        }
    }

    func controls(of camera: CameraCore, at now: WallTime) -> [UInt16: Int64] {
        var numbers: [UInt16: Int64] = [:]
        for code in ownPropertyCodes {
            guard let setting = setting(code, of: camera, at: now), setting.isWritable,
                case .number(let value) = setting.value
            else { continue }
            numbers[code] = Int64(value)
        }
        return numbers
    }

    /// The overheating level at which live view is unavailable. Canon's SDK defines the levels.
    private static let tooHot: UInt32 = 3

    private static let lens = "RF50mm F1.8 STM"

    private static func clock(_ seconds: Int64) -> CanonSetting {
        CanonSetting(
            value: .number(UInt32(truncatingIfNeeded: seconds)), choices: .none(isText: true),
            isWritable: true)
    }

    private static func readOnly(_ text: String) -> CanonSetting {
        CanonSetting(value: .text(text), choices: .none(isText: true), isWritable: false)
    }

    private func dial(_ code: UInt16) -> CanonSetting? {
        switch code {
        case CanonProperty.exposureMode, CanonProperty.exposureModeDial:
            // "Enumeration for AEM is never provided, but is available to set" (libgphoto2).
            CanonSetting(
                value: .number(dials.mode.rawValue), choices: .none(isText: false), isWritable: true)
        case CanonProperty.imageFormat:
            CanonSetting(
                value: .imageFormat(dials.imageFormat),
                choices: .list(CanonDials.imageFormats.map(CanonValue.imageFormat)), isWritable: true)
        default: dials[code].map { .choice($0, of: dials.choices(of: code)) }
        }
    }

    /// Returns a setting without a dial.
    private func ownSetting(_ code: UInt16) -> CanonSetting? {
        guard let value = settings[code] else { return nil }
        let choices: CanonChoices
        if case .text = value {
            choices = .none(isText: true)
        } else if let numbers = Self.choices[code] {
            choices = .list(numbers.map(CanonValue.number))
        } else {
            choices = .none(isText: false)
        }
        return CanonSetting(value: value, choices: choices, isWritable: true)
    }

    /// Returns the battery level as an EOS reports it, in five steps.
    private static func batterySteps(_ percent: UInt8) -> UInt32 {
        switch percent {
        case 88...: 2
        case 63..<88: 4
        case 38..<63: 1
        case 13..<38: 5
        default: 0
        }
    }
}
