/// Whether photos wait in a camera while somebody shoots with it.
public enum ShutterWait: String, CaseIterable, Codable, Hashable, Sendable {
    /// Where the camera is known to refuse its shutter while it is read, or has done so.
    case auto
    /// With every camera.
    case always
    /// They are read as they come.
    case never
}
