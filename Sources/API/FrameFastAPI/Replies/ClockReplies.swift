/// The clocks of cameras.
public struct ClocksReply: WireValue {
    /// Cameras that tell the time.
    public var clocks: [ClockReply]
    /// Cameras that do not, or whose clock could not be set, and why.
    public var refused: [TriggerReply.Refusal]

    /// Creates a reply.
    public init(clocks: [ClockReply], refused: [TriggerReply.Refusal] = []) {
        self.clocks = clocks
        self.refused = refused
    }
}

/// The clock of one camera. Drifts are the camera's clock minus this computer's, in its own time zone.
public struct ClockReply: WireValue {
    /// Drift from which on a clock counts as wrong, in milliseconds: cameras tell whole seconds, some of them late.
    public static let driftMaxMs = 2_000

    /// Whose it is.
    public var camera: CameraNameReply
    /// Drift now, in milliseconds; `nil` when the camera did not tell after its clock was set.
    @OrNull public var driftMs: Int?
    /// Drift before the clock was set, in milliseconds; `nil` when it was not set, or the camera did not tell.
    @OrNull public var driftBeforeMs: Int?

    /// Creates a reply.
    public init(camera: CameraNameReply, driftMs: Int?, driftBeforeMs: Int? = nil) {
        self.camera = camera
        self._driftMs = OrNull(wrappedValue: driftMs)
        self._driftBeforeMs = OrNull(wrappedValue: driftBeforeMs)
    }

    /// Whether it is right, as far as the camera tells.
    public var isRight: Bool { driftMs.map { abs($0) <= Self.driftMaxMs } ?? true }
}
