import FrameFastModel

/// What an open camera says of itself, by which its habits are chosen.
struct OpenedCamera: Sendable {
    /// Manufacturer as in DeviceInfo.
    var maker: String
    /// Number of the vendor extension.
    var vendorExtension: UInt32?
    /// Whether it offers the standard's shutter operation.
    var hasGenericCapture: Bool
    /// Whether it offers Sony's remote operations.
    var hasSonyCapture: Bool
    /// Whether all its storages are memory that is built in, and there is one.
    var hasOnlyBuiltInMemory: Bool

    /// The habits that hold for it now, of those that the daemon knows.
    func habits(among known: [MakerHabits]) -> CameraHabits {
        let maker = maker.lowercased()
        let own = known.first { row in
            row.vendorExtension.map { $0 == vendorExtension } == true
                || row.names.contains { maker.hasPrefix($0.lowercased()) }
        }
        guard var habits = own?.habits else { return CameraHabits() }
        if habits.onlyInRemoteMode == true, !hasSonyCapture {
            habits = CameraHabits()
            habits.neverTriggers = true
        }
        // A body that shows its card shows no shutter: nothing may be deleted there.
        if !(hasGenericCapture && hasOnlyBuiltInMemory) { habits.memoryBytes = nil }
        return habits
    }
}
