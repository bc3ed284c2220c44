import FrameFastModel

/// The texts of the condition ``FrameFastModel/ConditionKind/photosOnly``.
enum PhotosOnly {
    /// The functions that are unavailable while the worker cannot see the camera's packets.
    private static let missing =
        "settings, the clock, live view, focus, long exposures, intervals and other operations, camera groups, and files of 4.3 GB "
        + "and more"

    /// The effect of long driver calls: the driver performs one call at a time.
    private static let waiting =
        "The shutter and new photos wait while the card is listed or a large movie is fetched."

    /// Returns the sentence of the condition.
    ///
    /// - Parameters:
    ///   - name: The name of the camera.
    ///   - maker: The maker, or `nil` if unknown.
    ///   - version: The version of libgphoto2, or `nil` if unknown.
    static func sentence(name: String, maker: Maker?, version: String?) -> String {
        let library = "libgphoto2" + (version.map { " \($0)" } ?? "")
        let sentence =
            "\(name) supports photos only: FrameFast does not support the packet format of \(library). "
            + "Not available: \(missing). \(waiting)"
        return [sentence, limits(of: maker)].compactMap(\.self).joined(separator: " ")
    }

    /// Returns the limits that depend on the maker, or `nil` if the maker has no such limits.
    private static func limits(of maker: Maker?) -> String? {
        let lost =
            "If the announcement of a photo is lost, FrameFast fetches the photo after a minute without photos, or after ten "
            + "times the duration of a card listing if that is longer."
        let card = "Photos are not deleted from its card. \(lost)"
        return switch maker {
        case .sony: "Photos from its memory get libgphoto2's names and this computer's time."
        case .fujifilm: nil
        case .nikon: card + " A busy camera may ignore a shutter release without reporting an error."
        default: card
        }
    }

    static let nextStep =
        "FrameFast still fetches photos. For the other functions, install a newer FrameFast or a libgphoto2 version that FrameFast supports. "
        + "Then reconnect the camera."
}
