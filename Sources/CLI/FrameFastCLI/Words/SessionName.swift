import FrameFastAPI

/// Validates names of sessions.
enum SessionName {
    /// An example of a valid name.
    static let example = "Bangkok Wedding"

    /// Returns why a name is invalid, as a sentence, or `nil` if the name is valid. Uses the daemon's rule.
    static func validationError(for name: String) -> String? {
        do throws(ControlError) {
            _ = try SessionStartRequest(name: name).checked()
            return nil
        } catch {
            return "A name must have 1 to \(SessionStartRequest.nameLengthMax) characters."
        }
    }
}
