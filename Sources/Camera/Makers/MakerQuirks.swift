public import FrameFastModel

/// The peculiarities of a maker's cameras, for the worker and for user interfaces.
public struct MakerQuirks: Codable, Hashable, Sendable {
    /// The behaviour that the worker must add to the driver's; `nil` for no addition.
    public let profile: CameraProfile?
    /// The number of the maker's vendor extension in DeviceInfo, if it identifies the maker as well as the
    /// name does.
    public let vendorExtension: UInt32?
    /// A note about shots that were taken while the camera was away and can't be transferred later; `nil` if
    /// they can.
    public let missedShots: AdviceText?
    /// The meaning of several USB configurations; `nil` if they mean nothing.
    public let severalConfigurations: ModeSign?
    /// Signs of the mode in the interrupt endpoint.
    public let endpointHints: [EndpointHint]?
    /// Other notes.
    public let notes: [AdviceText]?

    private enum CodingKeys: String, CodingKey {
        case profile = "habits"
        case vendorExtension, missedShots, severalConfigurations, endpointHints, notes
    }

    /// A sign of a mode in the descriptors.
    public struct ModeSign: Codable, Hashable, Sendable {
        /// The mode that the sign indicates.
        public let mode: CameraMode
        /// The source of this fact.
        public let confidence: Confidence
    }

    /// A sign in the interrupt endpoint.
    public struct EndpointHint: Codable, Hashable, Sendable {
        /// The maximum packet size, in bytes.
        public let maxPacket: Int
        /// The polling interval, as in the descriptor.
        public let interval: Int
        /// The mode that the endpoint indicates. This is not proof.
        public let mode: CameraMode
        /// The source of this fact.
        public let confidence: Confidence
    }
}
