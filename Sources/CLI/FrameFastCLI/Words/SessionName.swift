import FrameFastAPI
import Localization

/// What people call a session.
enum SessionName {
    /// A name that is accepted.
    static let example = "Bangkok Wedding"

    /// Why a name is not accepted, as a sentence; `nil` when it is. The rule is the daemon's own.
    static func complaint(about name: String) -> String? {
        do throws(ControlError) {
            _ = try SessionStartRequest(name: name).checked()
            return nil
        } catch {
            return localized("A name has 1 to \(SessionStartRequest.nameLengthMax) characters.")
        }
    }
}
