/// The clocks of cameras.
public struct ClocksReply: WireValue {
    /// The clocks that could be read.
    public var clocks: [ClockReply]
    /// The cameras whose clock could not be read or set, with the reason.
    public var refused: [TriggerReply.Refusal]

    /// Creates a reply.
    public init(clocks: [ClockReply], refused: [TriggerReply.Refusal] = []) {
        self.clocks = clocks
        self.refused = refused
    }
}

/// The clock of one camera. A drift is the camera's clock minus this computer's clock, in the computer's time
/// zone.
public struct ClockReply: WireValue {
    /// The largest drift of a correct clock, in milliseconds. Cameras report whole seconds, and some cameras
    /// report them late.
    public static let driftMaxMs = 2_000

    /// The camera.
    public var camera: CameraNameReply
    /// The current drift, in milliseconds. `nil` if the camera did not report its clock after the clock was
    /// set.
    @OrNull public var driftMs: Int?
    /// The drift before the clock was set, in milliseconds. `nil` if the clock was not set, or if the camera
    /// did not report its clock.
    @OrNull public var driftBeforeMs: Int?

    /// Creates a reply.
    public init(camera: CameraNameReply, driftMs: Int?, driftBeforeMs: Int? = nil) {
        self.camera = camera
        self._driftMs = OrNull(wrappedValue: driftMs)
        self._driftBeforeMs = OrNull(wrappedValue: driftBeforeMs)
    }

    /// Whether the clock is right, or the drift is not known.
    public var isCorrect: Bool { driftMs.map { abs($0) <= Self.driftMaxMs } ?? true }
}
