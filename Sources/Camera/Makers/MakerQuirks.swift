public import FrameFastModel

/// The peculiarities of a maker's cameras, for the worker and for user interfaces.
public struct MakerQuirks: Codable, Hashable, Sendable {
    /// The behavior that the worker adds to the driver's behavior, or `nil` for the general profile.
    public let profile: CameraProfile?
    /// The id of the maker's vendor extension in DeviceInfo, if it identifies the maker as reliably as the
    /// name.
    public let vendorExtension: UInt32?
    /// A note that shots taken while the camera is disconnected can't be transferred later, or `nil` if they
    /// can.
    public let missedShots: AdviceText?
    /// The mode of a device that has more than one USB configuration, or `nil` if the number of
    /// configurations indicates no mode.
    public let severalConfigurations: ModeIndicator?
    /// The modes that the interrupt endpoint indicates, or `nil` if the endpoint indicates no mode.
    public let endpointHints: [EndpointHint]?
    /// Other notes.
    public let notes: [AdviceText]?

    private enum CodingKeys: String, CodingKey {
        case profile = "habits"
        case vendorExtension, missedShots, severalConfigurations, endpointHints, notes
    }

    /// An indication of a mode in the descriptors.
    public struct ModeIndicator: Codable, Hashable, Sendable {
        /// The indicated mode.
        public let mode: CameraMode
        /// The source of this fact.
        public let confidence: Confidence
    }

    /// An indication of a mode in the interrupt endpoint.
    public struct EndpointHint: Codable, Hashable, Sendable {
        /// The maximum packet size, in bytes.
        public let maxPacket: Int
        /// The polling interval, as in the descriptor.
        public let interval: Int
        /// The indicated mode. The endpoint is not proof of the mode.
        public let mode: CameraMode
        /// The source of this fact.
        public let confidence: Confidence
    }
}
