import FrameFastModel

/// The saved form of a running exposure or movie, for example `bulb eosremoterelease=Release Full`. The saved
/// setting ends the exposure or movie. The next worker can therefore end the exposure or movie before it
/// queries the driver for the supported methods.
struct SavedOperation: Hashable {
    let kind: CameraOperation.Kind
    /// The setting that ends the exposure or movie, in the form `name=value`, or `nil` if none was saved.
    private let end: String?

    /// Creates the saved form of an exposure or movie that `toggle` ends.
    init(_ kind: CameraOperation.Kind, endedBy toggle: CameraProfile.Toggle) {
        self.kind = kind
        end = Self.endSetting(of: toggle)
    }

    /// Parses a saved text. Returns `nil` if the kind is unknown.
    init?(_ text: String) {
        let parts = text.split(separator: " ", maxSplits: 1).map(String.init)
        guard let kind = parts.first.flatMap({ CameraOperation.Kind(rawValue: $0) }) else { return nil }
        self.kind = kind
        end = parts.count > 1 ? parts[1] : nil
    }

    /// The text to save.
    var text: String { end.map { "\(kind.rawValue) \($0)" } ?? kind.rawValue }

    /// Returns the profile's methods for this kind of operation, preferred first.
    func methods(in profile: CameraProfile) -> [CameraProfile.Toggle] {
        (kind == .movie ? profile.movie : profile.bulb) ?? []
    }

    /// Returns the method that started the exposure or movie. Returns `nil` if the profile does not have the
    /// method, or if the method does not work over this link.
    ///
    /// - Parameter isNetwork: Whether the camera is connected over the network.
    func method(in profile: CameraProfile, isNetwork: Bool) -> CameraProfile.Toggle? {
        guard end != nil else { return nil }
        return methods(in: profile).first { method in
            Self.endSetting(of: method) == end && !(isNetwork && method.onlyUSB == true)
        }
    }

    private static func endSetting(of toggle: CameraProfile.Toggle) -> String? {
        toggle.end.first.map { "\($0.setting)=\($0.value)" }
    }
}
