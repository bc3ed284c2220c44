/// A rule that decides whether photos stay in a camera while a person is shooting with it.
public enum ShutterWait: String, CaseIterable, Codable, Hashable, Sendable {
    /// For cameras that are known to refuse a release while they are read, or have refused one.
    case auto
    /// For every camera.
    case always
    /// Never: the worker reads photos as they arrive.
    case never
}
