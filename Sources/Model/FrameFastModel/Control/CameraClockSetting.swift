/// The result of setting a camera's clock. A drift is the camera's clock minus the host's clock, in
/// milliseconds. Cameras report whole seconds. The worker therefore waits until the camera's second changes,
/// and measures the drift at that moment.
public struct CameraClockSetting: Codable, Hashable, Sendable {
    /// The drift before the change, or `nil` if the camera did not report its clock.
    public var driftBeforeMs: Int?
    /// The drift after the change, or `nil` if the camera did not report its clock.
    public var driftAfterMs: Int?

    /// Creates a result.
    public init(driftBeforeMs: Int?, driftAfterMs: Int?) {
        self.driftBeforeMs = driftBeforeMs
        self.driftAfterMs = driftAfterMs
    }
}
