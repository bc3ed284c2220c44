public import Makers

extension CameraFleet {
    /// The options of a fleet.
    public struct Options: Sendable {
        /// The cameras in the configuration.
        public var configured: [ConfiguredCamera]
        /// The settings for a plugged-in camera that is not in the configuration, or `nil` if such cameras
        /// are not used.
        public var newcomer: ConfiguredCamera?
        /// The settings for a network camera that a user added over the daemon's socket.
        public var kept: ConfiguredCamera
        /// Additional devices that may be used.
        public var allowances: DeviceAllowances

        /// Creates options.
        public init(
            configured: [ConfiguredCamera], newcomer: ConfiguredCamera?, kept: ConfiguredCamera,
            allowances: DeviceAllowances
        ) {
            self.configured = configured
            self.newcomer = newcomer
            self.kept = kept
            self.allowances = allowances
        }
    }
}
