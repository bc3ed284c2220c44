import FrameFastModel

/// The texts of the condition ``FrameFastModel/ConditionKind/photosOnly``.
enum PhotosOnly {
    /// The functions that are missing while the worker can't see the camera's packets.
    private static let missing =
        "settings, the clock, live view, focus, long exposures, intervals and other operations, groups, and files of 4.3 GB "
        + "and more"

    /// The calls that delay the shutter: the driver runs one call at a time, and these take long.
    private static let waiting =
        "The shutter and new photos wait while the card is listed, and while a large movie is fetched."

    /// Returns the sentence of the condition.
    ///
    /// - Parameters:
    ///   - name: The name of the camera.
    ///   - maker: The maker, or `nil` if unknown.
    ///   - version: The version of libgphoto2, or `nil` if unknown.
    static func sentence(name: String, maker: Maker?, version: String?) -> String {
        let library = "libgphoto2" + (version.map { " \($0)" } ?? "")
        let sentence =
            "\(name) gives photos only: \(library) does not show its packets in a form that FrameFast knows. "
            + "Not available: \(missing). \(waiting)"
        return [sentence, limits(of: maker)].compactMap(\.self).joined(separator: " ")
    }

    /// Returns the limits that depend on the maker, or `nil` without such limits.
    private static func limits(of maker: Maker?) -> String? {
        let lost =
            "A photo whose announcement is lost is fetched when no photo has come for a minute, or for ten times as long as "
            + "the card takes to be listed."
        let card = "Photos are not deleted on its card. \(lost)"
        return switch maker {
        case .sony: "Photos from its memory have libgphoto2's names and this computer's time."
        case .fujifilm: nil
        case .nikon: card + " A busy body may ignore a release without an error."
        default: card
        }
    }

    static let nextStep =
        "Photos need nothing. For the rest, install a newer FrameFast, or a libgphoto2 that this one knows, and connect the "
        + "camera again."
}
