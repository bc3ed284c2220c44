/// What became of setting a camera's clock. Drifts are the camera's clock minus the host's, in milliseconds; cameras
/// tell whole seconds, and only the moment at which one changes says more.
public struct CameraClockSetting: Codable, Hashable, Sendable {
    /// Before; `nil` when the camera did not tell.
    public var driftBeforeMs: Int?
    /// After; `nil` when the camera did not tell.
    public var driftAfterMs: Int?

    /// Creates a result.
    public init(driftBeforeMs: Int?, driftAfterMs: Int?) {
        self.driftBeforeMs = driftBeforeMs
        self.driftAfterMs = driftAfterMs
    }
}
