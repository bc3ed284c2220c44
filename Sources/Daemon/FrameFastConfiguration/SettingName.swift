public import FrameFastModel

/// What a person calls a setting: one of our keys, or `raw.` and the driver's own name.
public struct SettingName: Hashable, Sendable {
    /// What stands before a name of the driver's.
    static let rawPrefix = "raw."

    /// As workers are told.
    public let name: String

    /// Reads what somebody wrote; one that is none is refused with the nearest key.
    public init(_ written: String) throws(CameraSettingFault) {
        if written.hasPrefix(Self.rawPrefix), written.count > Self.rawPrefix.count {
            name = String(written.dropFirst(Self.rawPrefix.count))
        } else if CameraSettingKey(rawValue: written) != nil {
            name = written
        } else {
            throw CameraSettingFault(
                message: "there is no setting '\(written)'", nextStep: Self.choice(insteadOf: written))
        }
    }

    private static func choice(insteadOf written: String) -> String {
        let keys = CameraSettingKey.allCases.map(\.rawValue)
        let guess = Suggestion.nearest(to: written, in: keys).map { "Did you mean '\($0)'? " } ?? ""
        return guess
            + "The settings are \(keys.joined(separator: ", ")), and raw.NAME for a name of the driver's."
    }

    /// As people are told.
    public static func written(key: CameraSettingKey?, name: String) -> String {
        key?.rawValue ?? rawPrefix + name
    }

    /// A change with its value in our spelling; refused where it cannot be a value of its key.
    public static func change(_ written: String, to value: String) throws(CameraSettingFault)
        -> CameraSettingChange
    {
        let change = CameraSettingChange(name: try SettingName(written).name, value: value)
        guard let key = change.key else { return change }
        guard let value = CameraSettingValue(value, for: key) else {
            throw CameraSettingFault(
                message: "cannot set \(key.rawValue) to '\(change.value)'",
                nextStep: "Write it like \(key.example).")
        }
        return CameraSettingChange(name: change.name, value: value.text)
    }

    /// Changes in the order in which a camera takes them: what decides on the choices of others comes first, names of the
    /// driver's come last.
    public static func changes(_ values: [String: String]) throws(CameraSettingFault) -> [CameraSettingChange]
    {
        var changes: [CameraSettingChange] = []
        for (written, value) in values.sorted(by: { $0.key < $1.key }) {
            changes.append(try change(written, to: value))
        }
        let order = CameraSettingKey.allCases
        let place = { (change: CameraSettingChange) in
            change.key.flatMap(order.firstIndex(of:)) ?? order.count
        }
        return changes.sorted { (place($0), $0.name) < (place($1), $1.name) }
    }
}

/// What is wrong with a setting or its value.
public struct CameraSettingFault: Error, Hashable, Sendable {
    /// Lower case, no full stop.
    public var message: String
    /// What can be written instead.
    public var nextStep: String
}
