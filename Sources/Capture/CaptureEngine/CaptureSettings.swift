public import FrameFastModel
import FrameFastSystem

/// The settings for fetching and saving photos.
public struct CaptureSettings: Hashable, Sendable {
    /// The verification that a photo must pass before it is uploaded or deleted from the camera.
    public typealias Verify = RequiredVerification

    /// The absolute path of the folder that photos are saved to.
    public var directory: String
    /// The initial template for file names; see ``CaptureNaming/setTemplate(_:)``.
    public var template: NamingTemplate
    /// The disk space that stays free, in bytes.
    public var minFreeBytes: UInt64
    /// The maximum time, in seconds, between the two files of a RAW+JPEG shot. Used if the camera reports no
    /// times.
    public var pairSettleSeconds: Double
    /// The handling of photos that were on the card before the camera's first connection.
    public var existing: ExistingPhotos
    /// The maximum number of objects that one connection enters in the ledger. A card of 1 TB holds this
    /// number of photos of 4 MB.
    var newObjectsMax = 250_000
    /// The interval between the ticks of ``IdleSchedule``.
    var idleTick = IdleSchedule.tick
    /// The path of the file that records the disk of ``directory`` and the content of its marker file.
    public var folderRecordPath: String
    /// The verification that each photo must pass.
    public var verify: Verify

    /// Creates settings.
    public init(
        directory: String, template: NamingTemplate, minFreeBytes: UInt64, pairSettleSeconds: Double,
        existing: ExistingPhotos, folderRecordPath: String, verify: Verify = .structure
    ) {
        self.folderRecordPath = folderRecordPath
        self.verify = verify
        self.directory = directory
        self.template = template
        self.minFreeBytes = minFreeBytes
        self.pairSettleSeconds = pairSettleSeconds
        self.existing = existing
    }

    /// The path of the file that records the photos in the memories of disconnected cameras. The file is in
    /// the folder of ``folderRecordPath``.
    var leftPhotosPath: String { DurableFile.parent(of: folderRecordPath) + "/photos-left.json" }
    /// The service's own folder in the capture directory. The folder is on the same file system as the
    /// photos, so publishing is a rename.
    var workFolder: String { directory + "/.framefast" }
    /// The folder of part files.
    public var incomingFolder: String { workFolder + "/incoming" }
    /// The folder of photos that are damaged on the card itself.
    var setAsideFolder: String { workFolder + "/set-aside" }
}
