public import FrameFastModel

/// The name of a camera setting as people write it: a FrameFast key, or `raw.` and the driver's name.
public struct SettingName: Hashable, Sendable {
    /// The prefix of a driver name.
    static let rawPrefix = "raw."

    /// The name without prefix, as workers use it.
    public let name: String

    /// Parses a written name. Throws an error with the nearest key if the name is unknown.
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
            + "The settings are \(keys.joined(separator: ", ")), and raw.NAME for a driver's setting name."
    }

    /// Returns the name as people write it.
    public static func text(key: CameraSettingKey?, name: String) -> String {
        key?.rawValue ?? rawPrefix + name
    }

    /// Returns a change with the value in its canonical form. Throws if the value is invalid for its key.
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

    /// Returns the changes in the order in which a camera accepts them. Settings that determine the choices
    /// of other settings come first. Driver names come last.
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

/// An error in a setting or its value.
public struct CameraSettingFault: Error, Hashable, Sendable {
    /// The message, in lowercase and without a final period.
    public var message: String
    /// The next step for a person.
    public var nextStep: String
}
