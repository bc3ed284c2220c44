public import FrameFastModel

/// What is said of a device: what it is, what FrameFast does with it, and what the person should do.
public struct Verdict: Codable, Hashable, Sendable {
    /// The maker; `nil` when it is not known.
    public var maker: Maker?
    /// The model, as far as it can be told; a hint until a session says so.
    public var model: String?
    /// What the device shows itself as.
    public var mode: CameraMode
    /// How the mode is known; `nil` when nothing is.
    public var confidence: Confidence?
    /// What FrameFast does with it.
    public var action: DeviceAction
    /// The condition that it is; `nil` when there is nothing wrong, or it is no business of ours.
    public var condition: ConditionKind?
    /// What to tell the person; `nil` when there is nothing to tell.
    public var guidance: Guidance?

    /// Creates a verdict.
    public init(
        maker: Maker? = nil, model: String? = nil, mode: CameraMode, confidence: Confidence? = nil,
        action: DeviceAction, condition: ConditionKind? = nil, guidance: Guidance? = nil
    ) {
        self.maker = maker
        self.model = model
        self.mode = mode
        self.confidence = confidence
        self.action = action
        self.condition = condition
        self.guidance = guidance
    }
}
