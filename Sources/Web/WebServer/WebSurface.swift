public import FrameFastAPI

/// What the page asks of the service, beside what the socket answers.
public protocol WebSurface: Sendable {
    /// Shots for a contact sheet.
    func list(_ query: ShotsQuery) async throws(ControlError) -> ShotsReply
    /// One shot, with what people say of it.
    func detail(_ id: ShotID, for device: WebDevice) async throws(ControlError) -> ShotReply
    /// The session that a shot is of; `nil` for none.
    func session(of id: ShotID) async throws(ControlError) -> SessionID?
    /// A picture of a shot.
    func picture(_ id: ShotID, _ size: ShotPictureSize) async throws(ControlError) -> StillPicture
    /// What somebody says of a shot.
    func rate(
        _ id: ShotID, _ request: RatingRequest, by device: WebDevice
    ) async throws(ControlError) -> ShotReply
    /// Tells every stream of a shot that was saved.
    func tell(_ id: ShotID) async
    /// What people call a session.
    func name(of session: SessionID) async -> String?
}

/// Sizes in which a shot is shown.
public enum ShotPictureSize: String, Sendable, CaseIterable {
    /// 512 pixels: contact sheets.
    case sheet = "512"
    /// 2,048 pixels.
    case screen
    /// All that there are.
    case full
}
