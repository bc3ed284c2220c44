import FrameFastModel

/// The facts about an open camera that determine its profile.
struct OpenedCamera: Sendable {
    /// The manufacturer, as in DeviceInfo.
    var maker: String
    /// The PTP vendor extension id, or `nil` if unknown.
    var vendorExtension: UInt32?
    /// Whether the camera supports the PTP standard's capture operation.
    var hasGenericCapture: Bool
    /// Whether the camera supports Sony's remote operations.
    var hasSonyCapture: Bool
    /// Whether the camera has storages, and all of them are built-in memory.
    var hasOnlyBuiltInMemory: Bool

    /// Returns the profile that applies to the camera in its current mode.
    func profile(among known: [MakerProfile]) -> CameraProfile {
        let maker = maker.lowercased()
        let own = known.first { row in
            row.vendorExtension.map { $0 == vendorExtension } == true
                || row.names.contains { maker.hasPrefix($0.lowercased()) }
        }
        guard var profile = own?.profile else { return CameraProfile() }
        if profile.onlyInRemoteMode == true, !hasSonyCapture {
            profile = CameraProfile()
            profile.neverTriggers = true
        }
        // A camera whose profile has `memoryBytes` also has a card mode, in which it can't release the
        // shutter. In that mode, the worker must leave photos on the card.
        if !(hasGenericCapture && hasOnlyBuiltInMemory) { profile.memoryBytes = nil }
        return profile
    }
}
