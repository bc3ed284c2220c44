import FrameFastModel

/// The differences between two configured lists of cameras.
struct FleetChange: Hashable {
    /// Cameras that were removed from the configuration.
    private(set) var removed: [CameraID] = []
    /// Cameras that were added to the configuration.
    private(set) var added: [ConfiguredCamera] = []
    /// Cameras whose new settings apply without a restart.
    private(set) var changed: [ConfiguredCamera] = []
    /// The names of the cameras whose new settings require a restart.
    private(set) var namesNeedingRestart: [String] = []

    /// Compares two configurations.
    ///
    /// - Parameter isKnown: Whether an unconfigured camera with this id exists.
    init(
        from old: [ConfiguredCamera], to new: [ConfiguredCamera], isKnown: (CameraID) -> Bool
    ) {
        removed = old.map(\.id).filter { id in !new.contains { $0.id == id } }
        for camera in new {
            let before = old.first { $0.id == camera.id }
            guard before != camera else { continue }
            if let before {
                let isSamePlace = before.port == camera.port || (before.isNetwork && camera.isNetwork)
                if isSamePlace { changed.append(camera) } else { namesNeedingRestart.append(camera.name) }
            } else if isKnown(camera.id) {
                // An unconfigured camera already has this id. The camera becomes a configured camera at the
                // next start.
                namesNeedingRestart.append(camera.name)
            } else {
                added.append(camera)
            }
        }
    }
}
