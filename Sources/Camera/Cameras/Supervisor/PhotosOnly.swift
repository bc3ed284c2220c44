import FrameFastModel

/// The words of the condition ``FrameFastModel/ConditionKind/photosOnly``.
enum PhotosOnly {
    /// What no camera does while the worker does not see its packets.
    private static let missing =
        "settings, the clock, live view, focus, long exposures, intervals and other operations, groups, and files of 4.3 GB "
        + "and more"

    /// What the shutter waits for: the driver has one call at a time, and these take long.
    private static let waiting =
        "The shutter and new photos wait while the card is listed, and while a large movie is fetched."

    /// - Parameters:
    ///   - name: What people call the camera.
    ///   - maker: Its maker; `nil` when it is not known.
    ///   - version: The version of libgphoto2; `nil` when it is not known.
    static func sentence(name: String, maker: Maker?, version: String?) -> String {
        let library = "libgphoto2" + (version.map { " \($0)" } ?? "")
        let sentence =
            "\(name) gives photos only: \(library) does not show its packets in a form that FrameFast knows. "
            + "Not available: \(missing). \(waiting)"
        return [sentence, limits(of: maker)].compactMap(\.self).joined(separator: " ")
    }

    /// Limits that differ between makers; `nil` for a maker without limits of its own.
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
