/// The result of setting a camera's clock. Drifts are the camera's clock minus the host's, in milliseconds.
/// Cameras report whole seconds, so a more exact value needs the moment at which a second changes.
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
