public import ChildProcesses
public import FrameFastModel

/// A program that is run when something happens.
public struct Hook: Hashable, Sendable {
    /// What can happen. Raw values are the words of the configuration.
    public enum Moment: String, Hashable, Sendable, CaseIterable {
        /// A photo is saved under its final name.
        case saved
        /// A photo is at a destination, verified.
        case delivered
        /// A photo's upload has failed for good.
        case failed
        /// A photo is at every destination that it was meant for.
        case deliveredEverywhere = "delivered-everywhere"
        /// A camera can take photos.
        case cameraReady = "camera-ready"
        /// A camera has gone.
        case cameraGone = "camera-gone"
        /// A session has begun.
        case sessionStarted = "session-started"
        /// A session has ended.
        case sessionStopped = "session-stopped"
        /// Space for photos is running out.
        case diskLow = "disk-low"
        /// A destination cannot be reached, or refuses us.
        case destinationDown = "destination-down"
        /// It takes photos again.
        case destinationUp = "destination-up"
        /// Something needs attention: a condition that is more than information.
        case attention
        /// It does not any more.
        case resolved
    }

    /// Name, for the log; unique.
    public var name: String
    /// When it is run.
    public var on: Set<Moment>
    /// What is run. An exit code other than 0 is a failure.
    public var command: CommandSettings
    /// For which photos it is run; cameras and sessions count in other moments as well.
    public var rule: UploadRule
    /// Only for these destinations; `nil` for all.
    public var destinations: Set<DestinationName>?
    /// Most runs of it at the same time, at least 1.
    public var parallel: Int
    /// How often a run that failed is repeated; 0 for never.
    public var retries: Int
    /// Whether what waits for it outlasts the service.
    public var isDurable: Bool

    /// Creates a hook.
    public init(
        name: String, on: Set<Moment>, command: CommandSettings, rule: UploadRule = UploadRule(),
        destinations: Set<DestinationName>? = nil, parallel: Int = 1, retries: Int = 0,
        isDurable: Bool = false
    ) {
        self.name = name
        self.on = on
        self.command = command
        self.rule = rule
        self.destinations = destinations
        self.parallel = max(parallel, 1)
        self.retries = retries
        self.isDurable = isDurable
    }

    /// Whether it is run for an event. What the event does not say cannot speak against it.
    public func wants(_ event: HookEvent) -> Bool {
        guard on.contains(event.moment) else { return false }
        if let photo = event.photo, rule.refusal(of: photo) != nil { return false }
        func fits(_ fact: FactName, _ wanted: Set<String>?) -> Bool {
            guard let wanted, let value = event.facts[fact] else { return true }
            return wanted.contains(value)
        }
        return fits(.camera, rule.cameras) && fits(.session, rule.sessions)
            && fits(.destination, destinations.map { Set($0.map(\.rawValue)) })
    }
}

/// Something that happened, for hooks.
public struct HookEvent: Hashable, Sendable {
    /// What happened.
    public var moment: Hook.Moment
    /// What is known of it.
    public var facts: Facts
    /// The upload that it happened to, while its photo is to be looked up.
    public var job: UploadJob?
    /// The photo that it happened to; `nil` while it is not known, and for what is not about a photo.
    public var photo: Photo?

    /// Creates an event.
    public init(
        _ moment: Hook.Moment, facts: Facts = [:], job: UploadJob? = nil, photo: Photo? = nil
    ) {
        self.moment = moment
        self.facts = facts
        self.job = job
        self.photo = photo
    }
}
