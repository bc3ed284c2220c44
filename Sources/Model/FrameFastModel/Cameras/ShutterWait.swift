/// A setting that decides whether transfers wait while a person is shooting with the camera.
public enum ShutterWait: String, CaseIterable, Codable, Hashable, Sendable {
    /// Waits for models that are known to refuse a release during a transfer, and for cameras that have
    /// refused a release.
    case auto
    /// Waits for every camera.
    case always
    /// Never waits. The worker fetches photos immediately.
    case never
}
