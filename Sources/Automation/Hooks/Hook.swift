public import ChildProcesses
public import FrameFastModel

/// A hook: a program that the service runs for events.
public struct Hook: Hashable, Sendable {
    /// The kind of an event. Raw values are the names in the configuration.
    public enum EventKind: String, Hashable, Sendable, CaseIterable {
        /// A photo was saved under its final name.
        case saved
        /// A photo was delivered to a destination and verified.
        case delivered
        /// An upload of a photo failed permanently.
        case failed
        /// A photo was delivered to all its destinations.
        case deliveredEverywhere = "delivered-everywhere"
        /// A camera connected and is ready.
        case cameraReady = "camera-ready"
        /// A camera disconnected.
        case cameraGone = "camera-gone"
        /// A session started.
        case sessionStarted = "session-started"
        /// A session stopped.
        case sessionStopped = "session-stopped"
        /// The disk space for photos is low.
        case diskLow = "disk-low"
        /// A destination is unreachable or refuses uploads.
        case destinationDown = "destination-down"
        /// A destination is available again.
        case destinationUp = "destination-up"
        /// A condition above severity `info` began.
        case attention
        /// A condition above severity `info` ended.
        case resolved
    }

    /// The unique name of the hook.
    public var name: String
    /// The events for which the hook runs.
    public var on: Set<EventKind>
    /// The program. An exit code other than 0 is a failure.
    public var command: CommandSettings
    /// The filter for photo events. The camera and session filters also apply to other events.
    public var rule: UploadRule
    /// The destinations for which the hook runs, or `nil` for all.
    public var destinations: Set<DestinationName>?
    /// The largest number of concurrent runs, at least 1.
    public var parallel: Int
    /// The number of retries after a failed run; 0 for none.
    public var retries: Int

    /// Creates a hook.
    public init(
        name: String, on: Set<EventKind>, command: CommandSettings, rule: UploadRule = UploadRule(),
        destinations: Set<DestinationName>? = nil, parallel: Int = 1, retries: Int = 0
    ) {
        self.name = name
        self.on = on
        self.command = command
        self.rule = rule
        self.destinations = destinations
        self.parallel = max(parallel, 1)
        self.retries = retries
    }

    /// Returns whether the hook runs for an event. A filter has no effect on an event without the filtered
    /// fact.
    public func matches(_ event: HookEvent) -> Bool {
        guard on.contains(event.kind) else { return false }
        if let photo = event.photo, rule.refusal(of: photo) != nil { return false }
        func passes(_ fact: FactName, _ allowed: Set<String>?) -> Bool {
            guard let allowed, let value = event.facts[fact] else { return true }
            return allowed.contains(value)
        }
        return passes(.camera, rule.cameras) && passes(.session, rule.sessions)
            && passes(.destination, destinations.map { Set($0.map(\.rawValue)) })
    }
}

/// An event for hooks.
public struct HookEvent: Hashable, Sendable {
    /// The kind of event.
    public var kind: Hook.EventKind
    /// The facts about the event.
    public var facts: Facts
    /// The upload that the event describes, or `nil` if the event does not describe an upload.
    public var job: UploadJob?
    /// The photo that the event describes. `nil` before the photo is looked up, and for an event that does
    /// not describe a photo.
    public var photo: Photo?

    /// Creates an event.
    public init(
        _ kind: Hook.EventKind, facts: Facts = [:], job: UploadJob? = nil, photo: Photo? = nil
    ) {
        self.kind = kind
        self.facts = facts
        self.job = job
        self.photo = photo
    }
}
