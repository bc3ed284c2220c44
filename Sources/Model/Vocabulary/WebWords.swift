/// The role of a person or device that rates photos or opens the web page.
public enum WebRole: String, Codable, CaseIterable, Sendable {
    /// The photographer, or a member of the group that controls the service. May see all sessions and the
    /// status. On the web page, control of cameras and sessions also requires `control` in `[web]`.
    case owner
    /// A client of one session. May see its photos, rate them and comment on them.
    case client
    /// A display. May only show photos.
    case screen
}
