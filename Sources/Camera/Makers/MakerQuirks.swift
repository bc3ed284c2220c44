public import FrameFastModel

/// What is peculiar to a maker's cameras, for the worker and for views.
public struct MakerQuirks: Codable, Hashable, Sendable {
    /// What its cameras need beyond what the driver does by itself; `nil` for nothing. Workers act on it.
    public let habits: CameraHabits?
    /// Number of the maker's vendor extension in DeviceInfo, where that tells as much as the name.
    public let vendorExtension: UInt32?
    /// What to know when shots that were taken while the camera was away cannot be fetched later; `nil` when they can.
    public let missedShots: AdviceText?
    /// What it means when a device has several USB configurations; `nil` for nothing.
    public let severalConfigurations: ModeSign?
    /// Signs in the interrupt endpoint of what mode it is.
    public let endpointHints: [EndpointHint]?
    /// Things to know that are none of the above.
    public let notes: [AdviceText]?

    /// A sign of a mode in the descriptors.
    public struct ModeSign: Codable, Hashable, Sendable {
        /// What it speaks for.
        public let mode: CameraMode
        /// How it is known.
        public let confidence: Confidence
    }

    /// A sign in the interrupt endpoint.
    public struct EndpointHint: Codable, Hashable, Sendable {
        /// Longest packet, in bytes.
        public let maxPacket: Int
        /// Polling interval, as in the descriptor.
        public let interval: Int
        /// What it speaks for. Not proof.
        public let mode: CameraMode
        /// How it is known.
        public let confidence: Confidence
    }
}
