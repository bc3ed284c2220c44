/// A property of an EOS: its value and its allowed values.
struct CanonSetting: Hashable, Sendable {
    var value: CanonValue
    var choices: CanonChoices
    /// Whether clients can set the property at all. A property that the mode controls stays writable, but its
    /// list is empty.
    var isWritable: Bool

    /// Returns a read-only number.
    static func readOnly(_ number: UInt32) -> CanonSetting {
        CanonSetting(value: .number(number), choices: .none(isText: false), isWritable: false)
    }

    /// Returns a number with a list of allowed values.
    static func choice(_ number: UInt32, of numbers: [UInt32]) -> CanonSetting {
        CanonSetting(value: .number(number), choices: .list(numbers.map(CanonValue.number)), isWritable: true)
    }

    func allows(_ value: CanonValue) -> Bool {
        guard case .list(let values) = choices else { return true }
        return values.contains(value)
    }
}

extension Camera {
    /// Returns the current state of the property, or `nil` for a code that an EOS doesn't have.
    func canonSetting(_ code: UInt16, at now: WallTime) -> CanonSetting? {
        switch code {
        case CanonProperty.batteryPower: .readOnly(canonBattery)
        case CanonProperty.cameraTime: canonClock(now.ahead(by: clockOffsetSeconds).cameraSeconds)
        case CanonProperty.utcTime: canonClock(now.hostMs / 1000 + Int64(clockOffsetSeconds))
        case CanonProperty.availableShots:
            .readOnly(memoryIsTarget ? 9999 : UInt32(clamping: min(shotsLeft, 9999)))
        case CanonProperty.captureDestination:
            .choice(
                memoryIsTarget ? CanonDestination.host : CanonDestination.card,
                of: [CanonDestination.card, CanonDestination.host])
        case CanonProperty.currentStorage: .readOnly(Card.storageID)
        case CanonProperty.bracketMode: .readOnly(0)
        case CanonProperty.olcVersion: .readOnly(identity.eosDisplayVersion)
        case CanonProperty.temperatureStatus: .readOnly(canon.isHot ? Self.tooHot : 0)
        case CanonProperty.shutterCounter: .readOnly(UInt32(clamping: photoCount))
        case CanonProperty.serialNumber: canonText(identity.serial, isWritable: false)
        case CanonProperty.lensName: canonText(Self.canonLens, isWritable: false)
        default: canonDial(code) ?? canonOwnSetting(code)
        }
    }

    /// Returns the writable numeric settings as a line of JSON: `{"d101":32,…}`.
    func canonControls(at now: WallTime) -> String {
        let numbers = canonPropertyCodes.compactMap { code -> String? in
            guard let setting = canonSetting(code, at: now), setting.isWritable,
                case .number(let value) = setting.value
            else { return nil }
            return "\"\(String(code, radix: 16))\":\(value)"
        }
        return "{\(numbers.joined(separator: ","))}"
    }

    /// The value for "no live view", as Canon's SDK defines the levels of overheating.
    private static let tooHot: UInt32 = 3

    private static let canonLens = "RF50mm F1.8 STM"

    private func canonClock(_ seconds: Int64) -> CanonSetting {
        CanonSetting(
            value: .number(UInt32(truncatingIfNeeded: seconds)), choices: .none(isText: true),
            isWritable: true)
    }

    private func canonText(_ text: String, isWritable: Bool) -> CanonSetting {
        CanonSetting(value: .text(text), choices: .none(isText: true), isWritable: isWritable)
    }

    private func canonDial(_ code: UInt16) -> CanonSetting? {
        switch code {
        case CanonProperty.exposureMode, CanonProperty.exposureModeDial:
            // "Enumeration for AEM is never provided, but is available to set" (libgphoto2).
            CanonSetting(
                value: .number(canon.dials.mode.rawValue), choices: .none(isText: false), isWritable: true)
        case CanonProperty.imageFormat:
            CanonSetting(
                value: .imageFormat(canon.dials.imageFormat),
                choices: .list(CanonDials.imageFormats.map(CanonValue.imageFormat)), isWritable: true)
        default: canon.dials[code].map { .choice($0, of: canon.dials.choices(of: code)) }
        }
    }

    /// Returns a setting without a dial.
    private func canonOwnSetting(_ code: UInt16) -> CanonSetting? {
        guard let value = canon.settings[code] else { return nil }
        let choices: CanonChoices
        if case .text = value {
            choices = .none(isText: true)
        } else if let numbers = CanonBody.choices[code] {
            choices = .list(numbers.map(CanonValue.number))
        } else {
            choices = .none(isText: false)
        }
        return CanonSetting(value: value, choices: choices, isWritable: true)
    }

    /// The battery level as an EOS reports it, in five steps.
    private var canonBattery: UInt32 {
        switch battery {
        case 88...: 2
        case 63..<88: 4
        case 38..<63: 1
        case 13..<38: 5
        default: 0
        }
    }
}
