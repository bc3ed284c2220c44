public import FrameFastAPI
public import MQTT

extension FleetLink {
    /// Which broker, as whom, and what is accepted.
    public struct Options: Sendable {
        /// This computer.
        public var host: FleetHostName
        /// The broker.
        public var broker: MQTTSettings
        /// What others may have done here.
        public var accept: Set<FleetVerb>
        /// The largest error of the clock at which a moment can be kept, in milliseconds.
        public var clockErrorMaxMs: Double
        /// Whether Home Assistant shows this computer.
        public var isInHomeAssistant: Bool

        /// Creates options.
        public init(
            host: FleetHostName, broker: MQTTSettings, accept: Set<FleetVerb>, clockErrorMaxMs: Double,
            isInHomeAssistant: Bool = false
        ) {
            self.host = host
            self.isInHomeAssistant = isInHomeAssistant
            self.broker = broker
            self.accept = accept
            self.clockErrorMaxMs = clockErrorMaxMs
        }
    }

    /// What this computer is and does now.
    public struct Snapshot: Sendable {
        /// Of itself.
        public var status: FleetHostStatus
        /// Of its cameras.
        public var cameras: [FleetCameraStatus]

        /// Creates a value.
        public init(status: FleetHostStatus, cameras: [FleetCameraStatus]) {
            self.status = status
            self.cameras = cameras
        }
    }

    /// What the connection needs people to know.
    public enum Trouble: Hashable, Sendable {
        /// There is none.
        case away(reason: String)
        /// The broker does not take what this computer says.
        case refused
        /// Another computer has the same name.
        case nameTaken
    }

    /// What the rest of the service does for it.
    public struct Surroundings: Sendable {
        /// Tells what this computer is and does; `nil` while it cannot be told.
        public var snapshot: @Sendable () async -> Snapshot?
        /// Groups that have cameras here.
        public var groups: @Sendable () -> Set<GroupName>
        /// How wrong the clock may be, in milliseconds; `nil` where the system does not say.
        public var clockErrorMs: @Sendable () -> Double?
        /// Carries out an order.
        public var carryOut:
            @Sendable (FleetVerb, FleetOrder, GroupName?) async throws(ControlError) -> GroupShotReply?
        /// What is wrong with the connection, all of it.
        public var trouble: @Sendable (Set<Trouble>) -> Void
        /// Events that the broker does not have, and orders that were claimed.
        public var storage: FleetStorage

        /// Names all of it.
        public init(
            snapshot: @escaping @Sendable () async -> Snapshot?,
            groups: @escaping @Sendable () -> Set<GroupName>,
            clockErrorMs: @escaping @Sendable () -> Double?,
            carryOut:
                @escaping @Sendable (FleetVerb, FleetOrder, GroupName?) async throws(ControlError)
                -> GroupShotReply?,
            trouble: @escaping @Sendable (Set<Trouble>) -> Void, storage: FleetStorage
        ) {
            self.snapshot = snapshot
            self.groups = groups
            self.clockErrorMs = clockErrorMs
            self.carryOut = carryOut
            self.trouble = trouble
            self.storage = storage
        }
    }
}
