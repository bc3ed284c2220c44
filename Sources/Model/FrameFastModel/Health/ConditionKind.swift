/// The catalogue of conditions, each with a stable code. A new condition needs a case, a line in ``facts``,
/// and code that raises it.
public enum ConditionKind: String, Codable, CaseIterable, Hashable, Sendable {
    // Obstacles to a connection with a camera.

    /// The camera is present, but needs another choice in its USB menu.
    case wrongMode = "wrong-mode"
    /// Another program, or the kernel, holds the camera's USB interface.
    case held = "camera-held"
    /// This process may not open the device's node.
    case noPermission = "no-permission"
    /// The camera does not respond: it is asleep, switched off or unplugged.
    case asleep = "camera-asleep"
    /// The camera has been busy for a long time.
    case busy = "camera-busy"
    /// The installed libgphoto2, or every version of it, lacks support for the camera or its current mode.
    case notSupported = "not-supported"
    /// The camera waits for this computer to be accepted on its screen.
    case pairingWanted = "pairing-wanted"
    /// The camera cannot be reached.
    case unreachable = "camera-unreachable"

    // Reports of a connected camera.

    /// The card, or the camera's buffer, is full.
    case cardFull = "card-full"
    /// The camera has no card to write to, and refuses a connection.
    case noCard = "no-card"
    /// The battery is nearly empty.
    case batteryLow = "battery-low"
    /// The camera's clock differs from this computer's.
    case clockDrift = "clock-drift"
    /// The camera did not apply its preset.
    case presetNotApplied = "preset-not-applied"
    /// An operation changed settings, and the driver crashed while it restored them.
    case settingsNotRestored = "settings-not-restored"
    /// The service only fetches photos from the camera, because libgphoto2 does not show its packets in a
    /// known format.
    case photosOnly = "photos-only"
    /// The camera's internal memory for photos is nearly full, and the camera will stop shooting.
    case memoryFilling = "camera-memory-filling"
    /// A camera announces more files than any card holds.
    case cardOverfull = "card-overfull"

    // A camera's photos.

    /// Photos cannot be fetched. The service keeps retrying.
    case photoFailing = "photo-failing"
    /// A photo does not fit on the disk.
    case tooLargeForDisk = "too-large-for-disk"
    /// The driver cannot transfer an object of this size over this link.
    case tooLargeForLink = "too-large-for-link"
    /// A photo arrived damaged twice.
    case photoDamaged = "photo-damaged"
    /// An object makes the driver crash, and the service skips it.
    case objectSetAside = "object-set-aside"
    /// Photos were in a camera's memory when its connection broke, and the camera wrote them to its card.
    case photosLeftInCamera = "photos-left-in-camera"
    /// Two reads of one photo differed: the camera's link corrupts data.
    case linkCorrupts = "link-corrupts"
    /// Photos wait for their second read, and the card is missing.
    case rereadWaits = "second-reading-waits"
    /// Several cameras report the same serial number, or none.
    case serialShared = "serial-shared"

    // This computer.

    /// The disk has no space for more photos.
    case diskFull = "disk-full"
    /// The disk is nearly full.
    case diskLow = "disk-low"
    /// The capture directory or its disk is missing.
    case photosAway = "photos-away"
    /// A photo cannot be written.
    case saveFailing = "save-failing"
    /// The ledger cannot be written.
    case ledgerFailing = "ledger-failing"
    /// The capture disk does not support forcing data to it (fsync).
    case syncNotOffered = "sync-not-offered"
    /// A damaged ledger was moved aside, and a new one replaced it.
    case ledgerReplaced = "ledger-replaced"
    /// The computer allows the service too few open files or processes, or too little memory.
    case fewDescriptors = "few-descriptors"
    /// The working folder contains files of another program.
    case foreignFiles = "foreign-files"
    /// Photos that were being saved when the service ended cannot be checked.
    case repairWaits = "photo-unclear"
    /// The configuration is invalid.
    case configurationFaulty = "configuration-faulty"
    /// Changes to the configuration need a restart.
    case configurationNeedsRestart = "configuration-needs-restart"
    /// This computer's clock is earlier than the newest photo.
    case clockBehind = "clock-behind"
    /// The port for metrics cannot be opened.
    case metricsNotServed = "metrics-not-served"
    /// A hook is slower than its events.
    case hookBehind = "hook-behind"

    // Uploads.

    /// The destination cannot be reached, or refuses.
    case destinationAway = "destination-away"
    /// The network is metered.
    case destinationMetered = "destination-metered"
    /// A destination was removed from the configuration and still has uploads.
    case destinationRemoved = "destination-removed"
    /// Uploads to a destination fail repeatedly, each for a transient reason.
    case uploadsRepeating = "uploads-repeating"
    /// Uploads failed permanently.
    case uploadFailed = "upload-failed"
    /// Uploads are held.
    case uploadHeld = "upload-held"
    /// Photos cannot be read for upload.
    case photosUnreadable = "photos-unreadable"
    /// The upload queue cannot be written.
    case uploadQueueStuck = "upload-queue-stuck"
    /// The service cannot determine whether the network is metered.
    case meteredUnknown = "metered-unknown"
}

extension ConditionKind {
    /// The kind of subject of a condition. The conditions of a subject end when the subject is gone.
    public enum Subject: String, Codable, Hashable, Sendable, CaseIterable {
        case service, camera, destination, hook, folder
    }

    /// The event that ends a condition, unless its source ends it first.
    public enum End: Hashable, Sendable {
        /// A connection to the camera opens, or the camera is gone: the condition prevented a connection.
        case session
        /// The camera is gone: the camera reported the condition, or the service retries when it is back.
        case departure
        /// No event. The condition is about photos, and remains when the camera is unplugged.
        case none
    }

    /// The longest short text, in terminal cells. A status bar has 30 to 60.
    public static let shortMax = 24

    /// The kind of subject.
    public var subject: Subject { facts.subject }
    /// The severity, unless the source sets another one.
    public var severity: Condition.Severity { facts.severity }
    /// The event that ends the condition, unless its source ends it first.
    public var end: End { facts.end }

    /// Returns the condition in at most ``shortMax`` cells, for a status bar.
    ///
    /// - Parameter name: The name of the subject, truncated if the text is too long.
    public func short(_ name: String?) -> String {
        guard let name, subject != .service, subject != .folder else { return facts.short }
        let nameMax = Self.shortMax - facts.short.count - 1
        let cut = name.count > nameMax ? name.prefix(max(nameMax - 1, 1)) + "…" : name[...]
        return "\(cut) \(facts.short)"
    }

    /// The conditions that prevent a connection to a camera.
    public static let obstacles = allCases.filter { $0.end == .session }

    /// The conditions that a person resolves on the camera. `common.json` has guidance for them.
    public static let explained = obstacles + [.cardFull]

    private struct Facts {
        var subject: Subject
        var severity: Condition.Severity
        /// The text after the subject's name, at most 15 characters. For the service and for folders, the
        /// whole text.
        var short: String
        var end = End.none
    }

    /// The catalogue's entry.
    private var facts: Facts {
        switch self {
        case .wrongMode: Facts(subject: .camera, severity: .warning, short: "wrong mode", end: .session)
        case .held: Facts(subject: .camera, severity: .warning, short: "in use", end: .session)
        case .noPermission: Facts(subject: .camera, severity: .danger, short: "no permission", end: .session)
        case .asleep: Facts(subject: .camera, severity: .info, short: "asleep", end: .session)
        case .busy: Facts(subject: .camera, severity: .warning, short: "busy", end: .session)
        case .notSupported: Facts(subject: .camera, severity: .warning, short: "not supported", end: .session)
        case .pairingWanted:
            Facts(subject: .camera, severity: .warning, short: "needs pairing", end: .session)
        case .unreachable: Facts(subject: .camera, severity: .warning, short: "not reachable", end: .session)
        case .cardFull: Facts(subject: .camera, severity: .warning, short: "card full", end: .departure)
        case .noCard: Facts(subject: .camera, severity: .warning, short: "no card", end: .session)
        case .batteryLow: Facts(subject: .camera, severity: .warning, short: "battery low", end: .departure)
        case .clockDrift: Facts(subject: .camera, severity: .info, short: "clock differs", end: .departure)
        case .presetNotApplied:
            Facts(subject: .camera, severity: .warning, short: "preset differs", end: .departure)
        case .settingsNotRestored:
            Facts(subject: .camera, severity: .warning, short: "not restored", end: .departure)
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
        case .objectSetAside: Facts(subject: .camera, severity: .warning, short: "file skipped")
        case .photosLeftInCamera: Facts(subject: .camera, severity: .warning, short: "photos on card")
        case .linkCorrupts: Facts(subject: .camera, severity: .danger, short: "link corrupts")
        case .rereadWaits: Facts(subject: .camera, severity: .warning, short: "reread pending")
        case .serialShared: Facts(subject: .camera, severity: .info, short: "same serial")
        case .diskFull: Facts(subject: .service, severity: .danger, short: "disk full")
        case .diskLow: Facts(subject: .service, severity: .warning, short: "disk nearly full")
        case .photosAway: Facts(subject: .service, severity: .danger, short: "photo folder missing")
        case .saveFailing: Facts(subject: .service, severity: .danger, short: "cannot save photos")
        case .ledgerFailing: Facts(subject: .service, severity: .danger, short: "cannot write ledger")
        case .syncNotOffered: Facts(subject: .folder, severity: .info, short: "disk without fsync")
        case .ledgerReplaced: Facts(subject: .service, severity: .warning, short: "ledger replaced")
        case .fewDescriptors: Facts(subject: .service, severity: .warning, short: "low on resources")
        case .foreignFiles: Facts(subject: .folder, severity: .warning, short: "foreign files")
        case .repairWaits: Facts(subject: .folder, severity: .danger, short: "repair pending")
        case .configurationFaulty:
            Facts(subject: .service, severity: .warning, short: "invalid configuration")
        case .configurationNeedsRestart: Facts(subject: .service, severity: .info, short: "restart needed")
        case .clockBehind: Facts(subject: .service, severity: .warning, short: "clock is behind")
        case .metricsNotServed: Facts(subject: .service, severity: .warning, short: "no metrics")
        case .hookBehind: Facts(subject: .hook, severity: .warning, short: "hook too slow")
        case .destinationAway: Facts(subject: .destination, severity: .warning, short: "away")
        case .destinationMetered: Facts(subject: .destination, severity: .info, short: "waits: metered")
        case .destinationRemoved: Facts(subject: .destination, severity: .warning, short: "removed")
        case .uploadsRepeating: Facts(subject: .destination, severity: .warning, short: "uploads failing")
        case .uploadFailed: Facts(subject: .destination, severity: .danger, short: "uploads failed")
        case .uploadHeld: Facts(subject: .destination, severity: .info, short: "uploads held")
        case .photosUnreadable: Facts(subject: .folder, severity: .warning, short: "photos unreadable")
        case .uploadQueueStuck: Facts(subject: .folder, severity: .danger, short: "upload queue stuck")
        case .meteredUnknown: Facts(subject: .service, severity: .warning, short: "network cost unknown")
        }
    }
}
