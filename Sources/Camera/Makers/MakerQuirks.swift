public import FrameFastModel

/// What is peculiar to a maker's cameras, for the worker and for views.
public struct MakerQuirks: Codable, Hashable, Sendable {
    /// Photos must be deleted in the camera once they are safe, or it stops when so many bytes are waiting.
    public let buffer: Buffer?
    /// The camera announces nothing: only shots that FrameFast fires arrive.
    public let capturesOnlyByApp: Bool?
    /// Sessions are not to be opened and closed often.
    public let keepsOneSession: Bool?
    /// What to know when shots that were taken while the camera was away cannot be fetched later; `nil` when they can.
    public let missedShots: AdviceText?
    /// What it means when a device has several USB configurations; `nil` for nothing.
    public let severalConfigurations: ModeSign?
    /// Bodies that must be left in peace after the connection.
    public let settling: Settling?
    /// A setting to write after opening so that the body's own controls work.
    public let bodyControls: Setting?
    /// The driver's setting that says where photos go.
    public let captureTarget: CaptureTarget?
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

    /// The budget of a camera's buffer.
    public struct Buffer: Codable, Hashable, Sendable {
        /// About so many bytes fit.
        public let bytes: UInt64
        /// How it is known.
        public let confidence: Confidence
    }

    /// A pause after connecting.
    public struct Settling: Codable, Hashable, Sendable {
        /// In milliseconds.
        public let pauseMs: Int
        /// Models, as in DeviceInfo; compared without case, spaces and hyphens.
        public let models: [String]
        /// How it is known.
        public let confidence: Confidence

        /// Whether `model` is one of them.
        public func isFor(_ model: String) -> Bool {
            models.contains { ModelName.plain($0) == ModelName.plain(model) }
        }
    }

    /// A value of the driver's configuration.
    public struct Setting: Codable, Hashable, Sendable {
        /// The setting's name in the driver's tree.
        public let name: String
        /// The value to set.
        public let value: String
        /// How it is known.
        public let confidence: Confidence
    }

    /// Where photos go.
    public struct CaptureTarget: Codable, Hashable, Sendable {
        /// The setting's name in the driver's tree.
        public let name: String
        /// The value for the card; `nil` when it cannot be had.
        public let card: String?
        /// The value for card and computer.
        public let cardAndHost: String?
        /// The value for the computer.
        public let host: String?
        /// A second setting, for shots that the body fires.
        public let bodyFired: String?
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
