public import FrameFastModel
import FrameFastSystem

/// How photos are taken in.
public struct CaptureSettings: Hashable, Sendable {
    /// What happens to photos that are on a card when its camera is met for the first time.
    public enum Existing: String, Hashable, Sendable {
        /// They are fetched like any other.
        case fetch
        /// They are noted and left alone.
        case skip
    }

    /// What must be known of a photo's bytes before it is uploaded and may be deleted on the camera.
    public enum Verify: String, Hashable, Sendable {
        /// Its size and structure are right.
        case structure
        /// A second reading gave the same bytes.
        case reread
    }

    /// Absolute path of the folder that photos go to.
    public var directory: String
    /// How files are named at first; see ``CaptureNaming/use(_:)``.
    public var template: NamingTemplate
    /// Bytes that stay free on the disk.
    public var minFreeBytes: UInt64
    /// How long the second file of a shot may come after the first when the camera gives no times.
    public var pairSettleSeconds: Double
    /// What happens to photos from before the first meeting.
    public var existing: Existing
    /// Most objects that one session with a camera enters in the ledger. The largest cards hold fewer: 1 TB of photos of
    /// 4 MB each.
    var newObjectsMax = 250_000
    /// How often a quiet moment is looked for; see ``QuietTime``.
    var quietTick = QuietTime.tick
    /// Where it is remembered on this computer which folder and disk ``directory`` is.
    public var folderMemory: String
    /// What must be known of a photo's bytes before they are relied upon.
    public var verify: Verify

    /// Creates settings.
    public init(
        directory: String, template: NamingTemplate, minFreeBytes: UInt64, pairSettleSeconds: Double,
        existing: Existing, folderMemory: String, verify: Verify = .structure
    ) {
        self.folderMemory = folderMemory
        self.verify = verify
        self.directory = directory
        self.template = template
        self.minFreeBytes = minFreeBytes
        self.pairSettleSeconds = pairSettleSeconds
        self.existing = existing
    }

    /// The file of the cameras that were lost with photos in their memory, in the folder of ``folderMemory``.
    var leftMemory: String { DurableFile.parent(of: folderMemory) + "/photos-left.json" }
    /// Our own folder in the capture directory: on the same file system, so that publishing is a rename.
    var workFolder: String { directory + "/.framefast" }
    /// Where photos grow.
    public var incomingFolder: String { workFolder + "/incoming" }
    /// Where photos wait that are damaged on the card itself.
    var setAsideFolder: String { workFolder + "/set-aside" }
}
