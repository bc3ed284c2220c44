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
        /// A photo is saved at every destination that it was meant for.
        case deliveredEverywhere = "delivered-everywhere"
        /// A camera can take photos.
        case cameraReady = "camera-ready"
        /// A camera has gone.
        case cameraGone = "camera-gone"
        /// Space for photos is running out.
        case diskLow = "disk-low"
        /// A destination cannot be reached.
        case destinationDown = "destination-down"
        /// A destination can be reached again.
        case destinationUp = "destination-up"
    }

    /// Name, for the log.
    public var name: String
    /// When it is run.
    public var on: Set<Moment>
    /// What is run. Its exit code is logged and means nothing else.
    public var command: CommandSettings

    /// Creates a hook.
    public init(name: String, on: Set<Moment>, command: CommandSettings) {
        self.name = name
        self.on = on
        self.command = command
    }
}

/// Something that happened, for hooks.
public struct HookEvent: Hashable, Sendable {
    /// What happened.
    public var moment: Hook.Moment
    /// What is known of it: names in upper case, for example `FILE`, `CAMERA`, `DESTINATION`. Given to the program as
    /// `FRAMEFAST_FILE` and so on, with `FRAMEFAST_EVENT` for the moment.
    public var facts: [String: String]

    /// Creates an event.
    public init(_ moment: Hook.Moment, facts: [String: String] = [:]) {
        self.moment = moment
        self.facts = facts
    }
}
