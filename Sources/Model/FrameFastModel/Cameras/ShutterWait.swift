/// A setting that decides whether transfers wait while a person is shooting with the camera.
public enum ShutterWait: String, CaseIterable, Codable, Hashable, Sendable {
    /// Waits for cameras that refuse to release the shutter during a transfer, or have done so.
    case auto
    /// Waits for every camera.
    case always
    /// Never waits. The worker fetches photos immediately.
    case never
}
