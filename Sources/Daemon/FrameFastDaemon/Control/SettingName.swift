import FrameFastAPI
import FrameFastConfiguration
import FrameFastModel

/// What a person calls a setting: one of our keys, or `raw.` and the driver's own name.
struct SettingName {
    /// What stands before a name of the driver's.
    static let rawPrefix = "raw."

    /// As workers are told.
    let name: String

    /// Reads what somebody wrote; one that is none is refused with the nearest key.
    ///
    /// - Parameter refusal: What a name that is none is to the caller.
    init(_ written: String, refusal: ErrorReply.Code = .invalid) throws(ControlError) {
        if written.hasPrefix(Self.rawPrefix), written.count > Self.rawPrefix.count {
            name = String(written.dropFirst(Self.rawPrefix.count))
        } else if CameraSettingKey(rawValue: written) != nil {
            name = written
        } else {
            throw ControlError(
                refusal, "there is no setting '\(written)'", nextStep: Self.choice(insteadOf: written))
        }
    }

    private static func choice(insteadOf written: String) -> String {
        let keys = CameraSettingKey.allCases.map(\.rawValue)
        let guess = Suggestion.nearest(to: written, in: keys).map { "Did you mean '\($0)'? " } ?? ""
        return guess
            + "The settings are \(keys.joined(separator: ", ")), and raw.NAME for a name of the driver's."
    }

    /// As people are told.
    static func written(key: CameraSettingKey?, name: String) -> String {
        key?.rawValue ?? rawPrefix + name
    }

    /// Changes in the order in which a camera takes them: what decides on the choices of others comes first, names of the
    /// driver's come last.
    static func changes(_ values: [String: String]) throws(ControlError) -> [CameraSettingChange] {
        var changes: [CameraSettingChange] = []
        for (written, value) in values.sorted(by: { $0.key < $1.key }) {
            let change = CameraSettingChange(name: try SettingName(written).name, value: value)
            changes.append(try change.spelled())
        }
        let order = CameraSettingKey.allCases
        let place = { (change: CameraSettingChange) in
            change.key.flatMap(order.firstIndex(of:)) ?? order.count
        }
        return changes.sorted { (place($0), $0.name) < (place($1), $1.name) }
    }
}

extension CameraSettingChange {
    /// The change with its value in our spelling; refused where it cannot be a value of its key.
    fileprivate func spelled() throws(ControlError) -> Self {
        guard let key else { return self }
        guard let value = CameraSettingValue(value, for: key) else {
            throw ControlError(
                .invalid, "cannot set \(key.rawValue) to '\(value)'",
                nextStep: "Write it like \(key.example).")
        }
        return Self(name: name, value: value.text)
    }
}
