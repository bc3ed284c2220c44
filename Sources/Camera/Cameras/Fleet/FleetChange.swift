import FrameFastModel

/// What another configuration changes about the cameras that it names.
struct FleetChange: Hashable {
    /// Cameras that are not named any more.
    private(set) var released: [CameraID] = []
    /// Cameras that are named now.
    private(set) var entered: [ConfiguredCamera] = []
    /// Cameras whose table is another one.
    private(set) var changed: [ConfiguredCamera] = []
    /// Names of tables that only a restart can bring into force.
    private(set) var late: [String] = []

    /// - Parameter isKnown: Whether there is a camera of an id, one that the configuration does not name.
    init(
        from old: [ConfiguredCamera], to new: [ConfiguredCamera], isKnown: (CameraID) -> Bool
    ) {
        released = old.map(\.id).filter { id in !new.contains { $0.id == id } }
        for camera in new {
            let before = old.first { $0.id == camera.id }
            guard before != camera else { continue }
            if let before {
                let isSamePlace = before.port == camera.port || (before.isNetwork && camera.isNetwork)
                if isSamePlace { changed.append(camera) } else { late.append(camera.name) }
            } else if isKnown(camera.id) {
                // Somebody has asked for a camera under this name: it is one, and changes its nature with the next start.
                late.append(camera.name)
            } else {
                entered.append(camera)
            }
        }
    }
}
