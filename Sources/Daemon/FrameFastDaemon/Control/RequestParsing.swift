import Cameras
import FrameFastAPI
import FrameFastModel

/// Functions that parse values of requests. They throw the error that the client receives.
extension Maker {
    /// Parses the identifier of a maker.
    ///
    /// - Parameter word: The identifier, or `nil` for no maker.
    static func parsing(_ word: String?) throws(ControlError) -> Maker? {
        guard let word else { return nil }
        guard let maker = Maker(rawValue: word) else {
            throw ControlError(
                .invalid, "there is no maker '\(word)'",
                nextStep: "See 'framefast connect', or omit the maker."
            )
        }
        return maker
    }
}

extension NetworkAddress {
    static func parsing(_ text: String) throws(ControlError) -> NetworkAddress {
        do throws(NetworkAddressError) { return try NetworkAddress(text) } catch {
            throw ControlError(
                .invalid, error.description, nextStep: "Write it like 192.168.1.5 or 192.168.1.5:15740.")
        }
    }
}

extension Identity where RawValue == Int64 {
    /// Parses the cursor of a page: the id of the last row on the previous page.
    ///
    /// - Parameter cursor: The cursor, or `nil` for the first page.
    static func parsing(cursor: String?) throws(ControlError) -> Self? {
        guard let cursor else { return nil }
        guard let id = Int64(cursor) else {
            throw ControlError(
                .invalid, "the cursor '\(cursor)' is invalid",
                nextStep: "Start without a cursor.")
        }
        return Self(rawValue: id)
    }
}
