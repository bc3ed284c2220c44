/// How the cameras of a group differ in what they should have in common.
public struct GroupComparison: Sendable {
    /// A camera that is compared.
    public struct Member: Sendable {
        /// What people call it.
        public var name: String
        /// What it says of itself.
        public var facts: CameraFacts
        /// Its settings, of the keys that it has.
        public var settings: [CameraSettingKey: CameraSetting]
        /// Its shots in the running session.
        public var shots: Int

        /// Creates a member.
        public init(
            name: String, facts: CameraFacts, settings: [CameraSettingKey: CameraSetting] = [:],
            shots: Int = 0
        ) {
            self.name = name
            self.facts = facts
            self.settings = settings
            self.shots = shots
        }
    }

    /// What is compared.
    public enum What: String, CaseIterable, Sendable {
        /// It is not connected, or not ready: said by who asks, not compared here.
        case away
        case shots, clock, battery, room, model, firmware, settings
    }

    /// Something in which a camera is not like most of the others.
    public struct Oddity: Hashable, Sendable {
        /// What people call the camera.
        public var name: String
        /// What it is.
        public var what: What
        /// What it has.
        public var value: String
        /// What most of the others have; `nil` where they are not asked.
        public var others: String?

        /// Creates an oddity.
        public init(name: String, what: What, value: String, others: String? = nil) {
            self.name = name
            self.what = what
            self.value = value
            self.others = others
        }
    }

    /// Seconds that two clocks may be apart: they are read by the second.
    public static let clockSlackSeconds = 2
    /// What decides how a photo looks.
    public static let settings: [CameraSettingKey] = [
        .mode, .shutter, .aperture, .iso, .exposureCompensation, .whiteBalance, .kelvin, .quality,
    ]

    private let members: [Member]

    /// - Parameter members: In the order of the group.
    public init(_ members: [Member]) { self.members = members }

    /// Everything that is odd, by what it is, then in the order of the group.
    public var oddities: [Oddity] {
        different(.shots) { String($0.shots) } + clocks
            + low(.battery, unit: " %") { $0.facts.batteryPercent }
            + low(.room, unit: " shots") { $0.facts.shotsLeft }
            + different(.model) { $0.facts.model }
            // Bodies of another model have firmware of their own.
            + Dictionary(grouping: members, by: \.facts.model).sorted { $0.key < $1.key }.flatMap {
                GroupComparison($1).different(.firmware) { $0.facts.firmware }
            }
            + Self.settings.flatMap { key in
                different(.settings) { member in
                    member.settings[key].map { "\(key.rawValue)=\($0.value?.text ?? $0.word)" }
                }
            }
    }

    /// Members with another value than most have; of several values that are as frequent, that of the first member counts.
    private func different(_ what: What, _ value: (Member) -> String?) -> [Oddity] {
        let values = members.compactMap { member in value(member).map { (member.name, $0) } }
        let counts = Dictionary(values.map { ($0.1, 1) }, uniquingKeysWith: +)
        guard counts.count > 1, let most = counts.values.max(),
            let usual = values.first(where: { counts[$0.1] == most })?.1
        else { return [] }
        return values.filter { $0.1 != usual }.map { Oddity(name: $0, what: what, value: $1, others: usual) }
    }

    private var clocks: [Oddity] {
        guard let middle = median({ $0.facts.clockDriftSeconds }) else { return [] }
        func text(_ seconds: Int) -> String { "\(seconds > 0 ? "+" : "")\(seconds) s" }
        return members.compactMap { member in
            guard let drift = member.facts.clockDriftSeconds,
                UInt(bitPattern: max(drift, middle) &- min(drift, middle)) > UInt(Self.clockSlackSeconds)
            else { return nil }
            return Oddity(name: member.name, what: .clock, value: text(drift), others: text(middle))
        }
    }

    /// Members that have less than half of what is usual.
    private func low(_ what: What, unit: String, _ value: (Member) -> Int?) -> [Oddity] {
        guard let middle = median(value) else { return [] }
        return members.compactMap { member in
            guard let own = value(member), own < middle / 2 else { return nil }
            return Oddity(name: member.name, what: what, value: "\(own)\(unit)", others: "\(middle)\(unit)")
        }
    }

    private func median(_ value: (Member) -> Int?) -> Int? {
        let values = members.compactMap(value).sorted()
        return values.isEmpty ? nil : values[values.count / 2]
    }
}
