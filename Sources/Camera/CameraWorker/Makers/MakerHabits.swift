import FrameFastModel

/// What a maker's cameras need beyond what the driver does by itself. Data; ``CameraSession`` acts on it.
struct MakerHabits: Sendable {
    /// Where the camera puts photos.
    enum Target: Sendable {
        /// The driver's own setting decides, given when the camera was opened. It cannot be read back.
        ///
        /// - `widget`: value that must be written as well, for the setting to reach the camera; `nil` when the driver
        ///   sends it before the first photo.
        case inDriver(widget: String?)
        /// The camera keeps it under this name and shows it in its menu.
        case inCamera(TargetWidget)
    }

    /// A camera's own setting for where photos go, in the driver's words.
    struct TargetWidget: Sendable {
        /// The driver's name for it.
        var name: String
        /// The word to set for what is wanted. What is missing cannot be had: `card` is set in its place.
        var words: [CaptureTarget: String]
        /// What the camera's words mean.
        var readings: [String: CaptureTarget]
    }

    /// Who is in command: the body's dials and buttons, or this computer.
    struct Priority: Sendable {
        /// When the computer must have the command for the shutter to be released from here.
        enum ForRelease: Sendable { case always, whenRefused }

        /// The driver's name for it.
        var name: String
        /// Word for the body.
        var body: String
        /// Word for the computer.
        var host: String
        /// When it is taken for a moment to release the shutter.
        var forRelease: ForRelease
    }

    /// Where the camera puts photos; `nil` for a camera without a choice.
    var target: Target?
    /// Who is in command. The driver takes it when it opens the camera; the person at the camera gets it back.
    var priority: Priority?
    /// What is written after the shutter was released from here, to give the body back to whoever holds it.
    var handBack: (name: String, value: String)?
    /// Whether the shutter may be released from here at all.
    var mayTrigger = true
    /// Whether older photos can be listed.
    var canList = true
    /// Whether photos lie in a memory of the camera's own, in this mode, until they are deleted; its size in bytes.
    var memoryBytes: UInt64?
    /// Whether the driver throws announcements away that wait when the shutter is released.
    var losesEventsAtRelease = false
    /// Models that are not ready for a release directly after they were opened, as DeviceInfo names them.
    var slowStarters: Set<String> = []

    /// Time that ``slowStarters`` need, in milliseconds (camera_sony_capture in camlibs/ptp2/library.c).
    static let slowStartMs: UInt64 = 2_500

    /// Nothing is known of the maker: the standard, and the driver's ways.
    static let none = MakerHabits()

    /// The habits of the camera that is open.
    static func of(_ camera: OpenedCamera) -> MakerHabits {
        let maker = camera.maker.lowercased()
        if camera.vendorExtension == 0x11 || maker.hasPrefix("sony") { return sony(camera) }
        if maker.hasPrefix("canon") { return canon }
        if maker.hasPrefix("nikon") { return nikon }
        if maker.hasPrefix("fujifilm") { return fujifilm(camera) }
        if maker.hasPrefix("panasonic") { return panasonic }
        return none
    }
}

/// What habits are chosen by.
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
}
