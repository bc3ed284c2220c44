/// The catalogue of conditions: each with its code, which is stable. A new one is a case, a line in ``facts``, and the
/// place that raises it.
public enum ConditionKind: String, Codable, CaseIterable, Hashable, Sendable {
    // Between a camera and its session.

    /// The camera is there, but another answer is needed in its USB menu.
    case wrongMode = "wrong-mode"
    /// Another program, or the kernel, holds the camera's USB interface.
    case held = "camera-held"
    /// This process may not open the device's node.
    case noPermission = "no-permission"
    /// Nothing answers: asleep, switched off or unplugged.
    case asleep = "camera-asleep"
    /// The camera is doing something else for long.
    case busy = "camera-busy"
    /// The camera, or its present mode, is not supported by the installed libgphoto2 or by any.
    case notSupported = "not-supported"
    /// The camera waits for this computer to be accepted on its screen.
    case pairingWanted = "pairing-wanted"
    /// The camera cannot be reached.
    case unreachable = "camera-unreachable"

    // What a connected camera says of itself.

    /// The card, or the camera's buffer, is full.
    case cardFull = "card-full"
    /// There is no card to write to: the camera refuses a session.
    case noCard = "no-card"
    /// The battery is nearly empty.
    case batteryLow = "battery-low"
    /// The camera's clock is not this computer's.
    case clockDrift = "clock-drift"
    /// The camera did not take its preset.
    case presetNotApplied = "preset-not-applied"
    /// Settings were changed for an operation, and the driver crashed when they were set back.
    case settingsNotRestored = "settings-not-restored"
    /// Only photos are taken from the camera: libgphoto2 does not show its packets in a form that is known.
    case photosOnly = "photos-only"
    /// A camera that keeps photos in a memory of its own is about to stop.
    case memoryFilling = "camera-memory-filling"
    /// A camera announces more files than any card holds.
    case cardOverfull = "card-overfull"

    // A camera's photos.

    /// Photos cannot be fetched, and are tried again.
    case photoFailing = "photo-failing"
    /// A photo does not fit on the disk.
    case tooLargeForDisk = "too-large-for-disk"
    /// An object that the driver cannot bring over this link.
    case tooLargeForLink = "too-large-for-link"
    /// A photo came damaged twice.
    case photoDamaged = "photo-damaged"
    /// An object makes the driver crash and is left alone.
    case objectSetAside = "object-set-aside"
    /// Photos were in a camera's memory when its connection broke, and went to its card.
    case photosLeftInCamera = "photos-left-in-camera"
    /// Two readings of one photo differed: a camera's link changes bytes.
    case linkCorrupts = "link-corrupts"
    /// Photos wait for their second reading, and the card is not there.
    case rereadWaits = "second-reading-waits"
    /// Cameras give one serial number, or none.
    case serialShared = "serial-shared"

    // This computer.

    /// The disk takes no more photos.
    case diskFull = "disk-full"
    /// The disk is getting full.
    case diskLow = "disk-low"
    /// The capture directory is away, or its disk is.
    case photosAway = "photos-away"
    /// A photo cannot be written.
    case saveFailing = "save-failing"
    /// The ledger cannot be written.
    case ledgerFailing = "ledger-failing"
    /// The capture disk does not offer to force data to it.
    case syncNotOffered = "sync-not-offered"
    /// A damaged ledger was kept aside, and a new one took its place.
    case ledgerReplaced = "ledger-replaced"
    /// The computer gives the service too few open files or processes, or too little memory.
    case fewDescriptors = "few-descriptors"
    /// Something in the working folder is not ours.
    case foreignFiles = "foreign-files"
    /// What was being saved when the service ended cannot be looked at.
    case repairWaits = "photo-unclear"
    /// The configuration cannot be used.
    case configurationFaulty = "configuration-faulty"
    /// Parts of the configuration wait for a restart.
    case configurationNeedsRestart = "configuration-needs-restart"
    /// This computer's clock is before the newest photo.
    case clockBehind = "clock-behind"
    /// The port for metrics cannot be opened.
    case metricsNotServed = "metrics-not-served"
    /// A hook is slower than its events.
    case hookBehind = "hook-behind"

    // Uploads.

    /// The destination cannot be reached, or refuses.
    case destinationAway = "destination-away"
    /// The network costs money.
    case destinationMetered = "destination-metered"
    /// A destination left the configuration and has uploads.
    case destinationRemoved = "destination-removed"
    /// Uploads to a destination fail again and again, each for a reason that may pass.
    case uploadsRepeating = "uploads-repeating"
    /// Uploads failed for good.
    case uploadFailed = "upload-failed"
    /// Uploads are held.
    case uploadHeld = "upload-held"
    /// Photos cannot be read for their upload.
    case photosUnreadable = "photos-unreadable"
    /// The upload queue cannot be written.
    case uploadQueueStuck = "upload-queue-stuck"
    /// Cannot tell whether the network is metered.
    case meteredUnknown = "metered-unknown"
}

extension ConditionKind {
    /// What a condition is about. When it goes, its conditions go along.
    public enum Subject: String, Codable, Hashable, Sendable, CaseIterable {
        case service, camera, destination, hook, folder
    }

    /// What ends a condition besides the one who raised it.
    public enum End: Hashable, Sendable {
        /// A session with the camera opens, or the camera goes: it stood in the way.
        case session
        /// The camera goes: it was said by it, or is tried again when it is back.
        case departure
        /// Nothing: it is about photos, and outlasts a cable.
        case none
    }

    /// The longest short form, in cells. A bar has 30 to 60.
    public static let shortMax = 24

    /// What it is about.
    public var subject: Subject { facts.subject }
    /// How bad it is, where nothing else is said when it is raised.
    public var severity: Condition.Severity { facts.severity }
    /// What ends it besides the one who raised it.
    public var end: End { facts.end }

    /// The condition in at most ``shortMax`` cells, for a bar.
    ///
    /// - Parameter name: what people call the subject; cut where both are too long.
    public func short(_ name: String?) -> String {
        guard let name, subject != .service, subject != .folder else { return facts.short }
        let room = Self.shortMax - facts.short.count - 1
        let cut = name.count > room ? name.prefix(max(room - 1, 1)) + "…" : name[...]
        return "\(cut) \(facts.short)"
    }

    /// What stands between a camera and its session.
    public static let obstacles = allCases.filter { $0.end == .session }

    /// What a person ends with the camera in hand: for these `common.json` has words.
    public static let explained = obstacles + [.cardFull]

    private struct Facts {
        var subject: Subject
        var severity: Condition.Severity
        /// Behind the subject's name, at most 15 characters; for the service and for folders the whole.
        var short: String
        var end = End.none
    }

    /// The lines of the catalogue.
    private var facts: Facts {
        switch self {
        case .wrongMode: Facts(subject: .camera, severity: .warning, short: "wrong mode", end: .session)
        case .held: Facts(subject: .camera, severity: .warning, short: "in use", end: .session)
        case .noPermission: Facts(subject: .camera, severity: .danger, short: "no permission", end: .session)
        case .asleep: Facts(subject: .camera, severity: .info, short: "asleep", end: .session)
        case .busy: Facts(subject: .camera, severity: .warning, short: "busy", end: .session)
        case .notSupported: Facts(subject: .camera, severity: .warning, short: "not supported", end: .session)
        case .pairingWanted:
            Facts(subject: .camera, severity: .warning, short: "wants pairing", end: .session)
        case .unreachable: Facts(subject: .camera, severity: .warning, short: "not reachable", end: .session)
        case .cardFull: Facts(subject: .camera, severity: .warning, short: "card full", end: .departure)
        case .noCard: Facts(subject: .camera, severity: .warning, short: "no card", end: .session)
        case .batteryLow: Facts(subject: .camera, severity: .warning, short: "battery low", end: .departure)
        case .clockDrift: Facts(subject: .camera, severity: .info, short: "clock differs", end: .departure)
        case .presetNotApplied:
            Facts(subject: .camera, severity: .warning, short: "preset differs", end: .departure)
        case .settingsNotRestored:
            Facts(subject: .camera, severity: .warning, short: "not set back", end: .departure)
        case .photosOnly: Facts(subject: .camera, severity: .warning, short: "photos only", end: .departure)
        case .memoryFilling:
            Facts(subject: .camera, severity: .warning, short: "memory filling", end: .departure)
        case .cardOverfull:
            Facts(subject: .camera, severity: .danger, short: "too many files", end: .departure)
        case .photoFailing:
            Facts(subject: .camera, severity: .warning, short: "fetch failing", end: .departure)
        case .tooLargeForDisk:
            Facts(subject: .camera, severity: .warning, short: "file too large", end: .departure)
        case .tooLargeForLink: Facts(subject: .camera, severity: .danger, short: "file too large")
        case .photoDamaged: Facts(subject: .camera, severity: .danger, short: "photo damaged")
        case .objectSetAside: Facts(subject: .camera, severity: .warning, short: "file set aside")
        case .photosLeftInCamera: Facts(subject: .camera, severity: .warning, short: "photos on card")
        case .linkCorrupts: Facts(subject: .camera, severity: .danger, short: "link corrupts")
        case .rereadWaits: Facts(subject: .camera, severity: .warning, short: "reread waits")
        case .serialShared: Facts(subject: .camera, severity: .info, short: "serial shared")
        case .diskFull: Facts(subject: .service, severity: .danger, short: "disk full")
        case .diskLow: Facts(subject: .service, severity: .warning, short: "disk nearly full")
        case .photosAway: Facts(subject: .service, severity: .danger, short: "photo folder away")
        case .saveFailing: Facts(subject: .service, severity: .danger, short: "cannot save photos")
        case .ledgerFailing: Facts(subject: .service, severity: .danger, short: "cannot write records")
        case .syncNotOffered: Facts(subject: .folder, severity: .info, short: "disk without fsync")
        case .ledgerReplaced: Facts(subject: .service, severity: .warning, short: "records replaced")
        case .fewDescriptors: Facts(subject: .service, severity: .warning, short: "too few resources")
        case .foreignFiles: Facts(subject: .folder, severity: .warning, short: "foreign files")
        case .repairWaits: Facts(subject: .folder, severity: .danger, short: "repair waits")
        case .configurationFaulty: Facts(subject: .service, severity: .warning, short: "configuration faulty")
        case .configurationNeedsRestart: Facts(subject: .service, severity: .info, short: "restart needed")
        case .clockBehind: Facts(subject: .service, severity: .warning, short: "clock is behind")
        case .metricsNotServed: Facts(subject: .service, severity: .warning, short: "no metrics")
        case .hookBehind: Facts(subject: .hook, severity: .warning, short: "hook behind")
        case .destinationAway: Facts(subject: .destination, severity: .warning, short: "away")
        case .destinationMetered: Facts(subject: .destination, severity: .info, short: "waits: metered")
        case .destinationRemoved: Facts(subject: .destination, severity: .warning, short: "removed")
        case .uploadsRepeating: Facts(subject: .destination, severity: .warning, short: "uploads repeat")
        case .uploadFailed: Facts(subject: .destination, severity: .danger, short: "uploads failed")
        case .uploadHeld: Facts(subject: .destination, severity: .info, short: "uploads held")
        case .photosUnreadable: Facts(subject: .folder, severity: .warning, short: "photos unreadable")
        case .uploadQueueStuck: Facts(subject: .folder, severity: .danger, short: "upload queue stuck")
        case .meteredUnknown: Facts(subject: .service, severity: .warning, short: "network cost unknown")
        }
    }
}
