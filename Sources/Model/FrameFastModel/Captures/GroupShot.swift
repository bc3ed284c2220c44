public import FoundationEssentials

/// A shot of a group: a photo of each of its cameras, taken at one moment.
public struct GroupShot: Hashable, Sendable, Identifiable {
    /// How long after its moment a photo of it may be announced, in seconds: a camera whose cable was pulled is back by then,
    /// and what is announced later was taken by hand.
    public static let frameSecondsMax = 300.0

    /// Its number in the ledger.
    public var id: GroupShotID
    /// The group.
    public var group: GroupName
    /// The moment.
    public var at: Date
    /// What each camera has of it, in the order of the configuration.
    public var frames: [Frame]

    /// Creates a shot.
    public init(id: GroupShotID, group: GroupName, at: Date, frames: [Frame]) {
        self.id = id
        self.group = group
        self.at = at
        self.frames = frames
    }

    /// What one camera has of a shot.
    public struct Frame: Hashable, Sendable {
        /// What people call the camera.
        public var name: String
        /// Who it is in the ledger; `nil` for one that was not connected.
        public var bodyID: BodyID?
        /// The photo, a RAW or its JPEG; `nil` while none was announced.
        public var capture: CaptureID?
        /// Why no photo was taken, in words for a person; `nil` when one may come.
        public var missing: String?
        /// Whether the photos of the shot were counted: one that comes is late.
        public var isSettled: Bool

        /// Creates a frame.
        public init(
            name: String, bodyID: BodyID? = nil, capture: CaptureID? = nil, missing: String? = nil,
            isSettled: Bool = false
        ) {
            self.name = name
            self.bodyID = bodyID
            self.capture = capture
            self.missing = missing
            self.isSettled = isSettled
        }
    }

    /// Cameras without a photo of it.
    public var without: [Frame] { frames.filter { $0.capture == nil } }
}

extension GroupShot.Frame {
    /// Why there is no photo, in words for a person; `nil` when there is one, or none is missed yet.
    public var reason: String? {
        missing ?? (capture == nil && isSettled ? "No photo of it was announced." : nil)
    }
}

extension Condition {
    /// Cameras that the sentence names; the others are counted.
    private static let namedMax = 8

    /// What a shot lacks, once its photos were counted; `nil` when it lacks nothing.
    public init?(_ shot: GroupShot, since: Date) {
        let names = shot.without.map(\.name)
        guard let last = names.last else { return nil }
        let (first, rest) = (names.prefix(Self.namedMax), names.count - Self.namedMax)
        let cameras =
            rest > 0
            ? "\(first.joined(separator: ", ")) and \(rest) more"
            : names.count > 1 ? "\(names.dropLast().joined(separator: ", ")) and \(last)" : last
        self.init(
            .groupFrameMissing, since: since, subject: .group(shot.group),
            sentence: "Shot \(shot.id) of \(shot.group) has no photo from \(cameras).",
            nextStep:
                "Check \(names.count == 1 ? "this camera" : "these cameras") and take the shot again. "
                + "'framefast group shots \(shot.group)' says what happened.")
    }
}
