/// The catalog of conditions, each with a stable code. A new condition needs a case, an entry in ``facts``
/// and code that raises it.
public enum ConditionKind: String, Codable, CaseIterable, Hashable, Sendable {
    // Conditions that prevent a camera connection.

    /// The camera is connected in a USB mode without remote control. A person must choose another mode in its
    /// menu.
    case wrongMode = "wrong-mode"
    /// Another program, the kernel or another computer uses the camera.
    case held = "camera-held"
    /// The service has no permission to open the camera's USB device.
    case noPermission = "no-permission"
    /// The camera does not respond, because it is asleep, switched off or unplugged.
    case asleep = "camera-asleep"
    /// The camera has been busy for a long time.
    case busy = "camera-busy"
    /// The installed libgphoto2 does not support the camera or its current mode.
    case notSupported = "not-supported"
    /// A person must accept this computer on the camera's screen.
    case pairingWanted = "pairing-wanted"
    /// The camera cannot be reached.
    case unreachable = "camera-unreachable"

    // The state and the settings of a camera.

    /// The card or the camera's buffer is full.
    case cardFull = "card-full"
    /// The camera has no card, and refuses the connection.
    case noCard = "no-card"
    /// The battery is nearly empty.
    case batteryLow = "battery-low"
    /// The camera's clock differs from this computer's.
    case clockDrift = "clock-drift"
    /// The camera did not apply its preset.
    case presetNotApplied = "preset-not-applied"
    /// The driver crashed while the service automatically set or restored camera settings.
    case settingsNotRestored = "settings-not-restored"
    /// The connection ended during a long exposure, or the camera did not end the exposure. The shutter may
    /// be open.
    case shutterOpen = "shutter-open"
    /// The service only fetches photos and releases the shutter, because the service cannot parse the packet
    /// log of the installed libgphoto2.
    case photosOnly = "photos-only"
    /// The camera's internal memory for photos is nearly full. The camera stops shooting when the memory is
    /// full.
    case memoryFilling = "camera-memory-filling"
    /// The camera announced more files than a card can hold.
    case cardOverfull = "card-overfull"

    // Photos on a camera.

    /// Some photos cannot be fetched. The service retries these photos.
    case photoFailing = "photo-failing"
    /// A file is larger than the free disk space, or than the disk's file system allows.
    case tooLargeForDisk = "too-large-for-disk"
    /// A file is too large to be transferred over this connection.
    case tooLargeForLink = "too-large-for-link"
    /// A photo was damaged in two transfers.
    case photoDamaged = "photo-damaged"
    /// A file makes the driver crash, and the service skips the file.
    case objectSetAside = "object-set-aside"
    /// Photos were in the camera's memory when the connection was lost. A camera with a card writes the
    /// photos to the card.
    case photosLeftInCamera = "photos-left-in-camera"
    /// Two reads of the same photo returned different bytes. The connection corrupts data.
    case linkCorrupts = "link-corrupts"
    /// Saved photos wait for their second read, but their card is not in a connected camera.
    case rereadWaits = "second-reading-waits"
    /// Several cameras report the same serial number, or no serial number.
    case serialShared = "serial-shared"

    // This computer.

    /// The disk has no space for more photos.
    case diskFull = "disk-full"
    /// The disk is nearly full.
    case diskLow = "disk-low"
    /// The capture directory is missing, or its disk is not mounted.
    case photosAway = "photos-away"
    /// A photo cannot be written.
    case saveFailing = "save-failing"
    /// The ledger cannot be written.
    case ledgerFailing = "ledger-failing"
    /// The file system of the capture directory does not support fsync.
    case syncNotOffered = "sync-not-offered"
    /// A damaged ledger was moved aside, and a new ledger replaced it.
    case ledgerReplaced = "ledger-replaced"
    /// The limit of open files is low, or the service has run out of file descriptors, processes or memory.
    /// The limit can be the service's or the kernel's.
    case fewDescriptors = "few-descriptors"
    /// The service's working folder contains files that the service did not create.
    case foreignFiles = "foreign-files"
    /// Photos that were being saved when the service stopped cannot be checked.
    case repairWaits = "photo-unclear"
    /// The configuration is invalid.
    case configurationFaulty = "configuration-faulty"
    /// Changes to the configuration take effect after a restart.
    case configurationNeedsRestart = "configuration-needs-restart"
    /// This computer's clock is earlier than the save time of the newest photo.
    case clockBehind = "clock-behind"
    /// The port for metrics cannot be opened.
    case metricsNotServed = "metrics-not-served"
    /// The web page cannot listen, or has no valid certificate.
    case webNotServed = "web-not-served"
    /// The web page is reachable from the network without TLS.
    case webUnencrypted = "web-unencrypted"
    /// Too many wrong codes were tried on the web page, and all open codes were voided.
    case webCodesVoided = "web-codes-voided"
    /// Events for a hook arrive faster than the hook runs.
    case hookBehind = "hook-behind"

    // Uploads.

    /// The destination is unreachable, or refuses uploads.
    case destinationAway = "destination-away"
    /// The network is metered.
    case destinationMetered = "destination-metered"
    /// A destination was removed from the configuration, but still has undelivered uploads.
    case destinationRemoved = "destination-removed"
    /// Uploads to a destination fail repeatedly for temporary reasons.
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
    /// The kind of subject of a condition. All conditions of a subject end when the subject is removed from
    /// the service.
    public typealias Subject = ConditionSubjectKind

    /// The event that ends a condition automatically. The code that raised a condition may clear it earlier.
    public enum End: Hashable, Sendable {
        /// The camera connects, or is no longer present. Used for conditions that prevent a connection.
        case connection
        /// The camera is no longer present. Used for conditions that are valid only while it is present.
        case departure
        /// No event. For example, conditions about photos remain after the camera is unplugged.
        case none
    }

    /// The longest short text, in characters. A status bar has space for 30 to 60 characters.
    public static let shortMax = 24

    /// The kind of subject.
    public var subject: Subject { facts.subject }
    /// The default severity. The code that raises the condition can set another severity.
    public var severity: ConditionSeverity { facts.severity }
    /// The event that ends the condition automatically.
    public var end: End { facts.end }

    /// Returns a text for a status bar, at most ``shortMax`` characters long.
    ///
    /// - Parameter name: The name of the subject, truncated if the text is too long.
    public func short(_ name: String?) -> String {
        guard let name, subject != .service, subject != .folder else { return facts.short }
        let nameLengthMax = Self.shortMax - facts.short.count - 1
        let shortened = name.count > nameLengthMax ? name.prefix(max(nameLengthMax - 1, 1)) + "…" : name[...]
        return "\(shortened) \(facts.short)"
    }

    /// The conditions that prevent a connection to a camera.
    public static let obstacles = allCases.filter { $0.end == .connection }

    /// The conditions for which `common.json` has guidance.
    public static let explained = obstacles + [.cardFull]

    private struct Facts {
        var subject: Subject
        var severity: ConditionSeverity
        /// The text after the subject's name, at most 15 characters. For the service and for folders, the
        /// whole text.
        var short: String
        var end = End.none
    }

    /// The catalog's entry.
    private var facts: Facts {
        switch self {
        case .wrongMode: Facts(subject: .camera, severity: .warning, short: "wrong mode", end: .connection)
        case .held: Facts(subject: .camera, severity: .warning, short: "in use", end: .connection)
        case .noPermission:
            Facts(subject: .camera, severity: .danger, short: "no permission", end: .connection)
        case .asleep: Facts(subject: .camera, severity: .info, short: "asleep", end: .connection)
        case .busy: Facts(subject: .camera, severity: .warning, short: "busy", end: .connection)
        case .notSupported:
            Facts(subject: .camera, severity: .warning, short: "not supported", end: .connection)
        case .pairingWanted:
            Facts(subject: .camera, severity: .warning, short: "needs pairing", end: .connection)
        case .unreachable:
            Facts(subject: .camera, severity: .warning, short: "not reachable", end: .connection)
        case .cardFull: Facts(subject: .camera, severity: .warning, short: "card full", end: .departure)
        case .noCard: Facts(subject: .camera, severity: .warning, short: "no card", end: .connection)
        case .batteryLow: Facts(subject: .camera, severity: .warning, short: "battery low", end: .departure)
        case .clockDrift: Facts(subject: .camera, severity: .info, short: "clock differs", end: .departure)
        case .presetNotApplied:
            Facts(subject: .camera, severity: .warning, short: "preset differs", end: .departure)
        case .settingsNotRestored:
            Facts(subject: .camera, severity: .warning, short: "check settings", end: .departure)
        case .shutterOpen: Facts(subject: .camera, severity: .warning, short: "shutter open")
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
        case .photosLeftInCamera: Facts(subject: .camera, severity: .warning, short: "photos in camera")
        case .linkCorrupts: Facts(subject: .camera, severity: .danger, short: "data corrupted")
        case .rereadWaits: Facts(subject: .camera, severity: .warning, short: "reread pending")
        case .serialShared: Facts(subject: .camera, severity: .info, short: "serial unclear")
        case .diskFull: Facts(subject: .service, severity: .danger, short: "disk full")
        case .diskLow: Facts(subject: .service, severity: .warning, short: "disk nearly full")
        case .photosAway: Facts(subject: .service, severity: .danger, short: "photo folder missing")
        case .saveFailing: Facts(subject: .service, severity: .danger, short: "cannot save photos")
        case .ledgerFailing: Facts(subject: .service, severity: .danger, short: "cannot write ledger")
        case .syncNotOffered: Facts(subject: .folder, severity: .info, short: "disk without fsync")
        case .ledgerReplaced: Facts(subject: .service, severity: .warning, short: "ledger replaced")
        case .fewDescriptors: Facts(subject: .service, severity: .warning, short: "limits too low")
        case .foreignFiles: Facts(subject: .folder, severity: .warning, short: "foreign files")
        case .repairWaits: Facts(subject: .folder, severity: .danger, short: "repair pending")
        case .configurationFaulty:
            Facts(subject: .service, severity: .warning, short: "invalid configuration")
        case .configurationNeedsRestart: Facts(subject: .service, severity: .info, short: "restart needed")
        case .clockBehind: Facts(subject: .service, severity: .warning, short: "clock is behind")
        case .metricsNotServed: Facts(subject: .service, severity: .warning, short: "no metrics")
        case .webNotServed: Facts(subject: .service, severity: .warning, short: "no web page")
        case .webUnencrypted: Facts(subject: .service, severity: .warning, short: "web page without TLS")
        case .webCodesVoided: Facts(subject: .service, severity: .warning, short: "wrong codes tried")
        case .hookBehind: Facts(subject: .hook, severity: .warning, short: "hook too slow")
        case .destinationAway: Facts(subject: .destination, severity: .warning, short: "unavailable")
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
