import Cameras
import FrameFastAPI
import FrameFastModel
import Makers

/// From words that a request gives to values, or a refusal.
extension Maker {
    /// - Parameter word: `nil` for no maker.
    static func given(_ word: String?) throws(ControlError) -> Maker? {
        guard let word else { return nil }
        guard let maker = Maker(rawValue: word) else {
            throw ControlError(
                .invalid, "there is no maker '\(word)'", nextStep: "See 'framefast connect', or leave it out."
            )
        }
        return maker
    }
}

extension NetworkAddress {
    static func given(_ text: String) throws(ControlError) -> NetworkAddress {
        do throws(NetworkAddressError) { return try NetworkAddress(text) } catch {
            throw ControlError(
                .invalid, error.description, nextStep: "Write it like 192.168.1.5 or 192.168.1.5:15740.")
        }
    }
}

extension Identity where RawValue == Int64 {
    /// The row before which a page begins; `nil` for the first page.
    static func before(_ cursor: String?) throws(ControlError) -> Self? {
        guard let cursor else { return nil }
        guard let id = Int64(cursor) else {
            throw ControlError(
                .invalid, "the cursor '\(cursor)' is not one of this service",
                nextStep: "Start without a cursor.")
        }
        return Self(rawValue: id)
    }
}
