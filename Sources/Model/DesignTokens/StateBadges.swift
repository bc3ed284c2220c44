public import Vocabulary

// The words that people see for the states of the API, and their tones. The command line and the web page
// share them.

extension CameraState {
    /// The word for people, and its tone.
    public var badge: (word: String, tone: Tone) {
        switch self {
        case .searching: ("Looking", .busy)
        case .wrongMode: ("Needs you", .warning)
        case .inUse: ("In use", .warning)
        case .noPermission: ("No access", .warning)
        case .connecting: ("Connecting", .busy)
        case .ready: ("Ready", .success)
        case .downloading: ("Saving", .busy)
        case .reconnecting: ("Reconnecting", .warning)
        case .gone: ("Disconnected", .neutral)
        case .failed: ("Error", .danger)
        }
    }
}

extension CaptureState {
    /// The word for people, and its tone.
    public var badge: (word: String, tone: Tone) {
        switch self {
        case .damaged: ("Damaged", .danger)
        case .uploadFailed: ("Failed", .danger)
        case .retrying: ("Retrying", .warning)
        case .receiving: ("Saving", .busy)
        case .uploading: ("Uploading", .busy)
        case .queued: ("Queued", .neutral)
        case .held: ("Held", .neutral)
        case .saved: ("Saved", .success)
        case .delivered: ("Delivered", .success)
        case .cleared: ("Cleared", .neutral)
        }
    }
}

extension DaemonState {
    /// The word for people, and its tone.
    public var badge: (word: String, tone: Tone) {
        switch self {
        case .starting: ("Starting", .busy)
        case .running: ("Running", .success)
        }
    }
}

extension ConditionSeverity {
    /// The word for people, and its tone.
    public var badge: (word: String, tone: Tone) {
        switch self {
        case .info: ("Note", .info)
        case .danger: ("Error", .danger)
        case .warning: ("Warning", .warning)
        }
    }
}

extension DestinationAvailability {
    /// The word for people, and its tone.
    public var badge: (word: String, tone: Tone) {
        switch self {
        case .ready: ("Ready", .success)
        case .paused: ("Paused", .neutral)
        case .away: ("Away", .warning)
        case .metered: ("Metered", .neutral)
        case .refusing: ("Refused", .danger)
        case .removed: ("Removed", .warning)
        }
    }
}

extension UploadMode {
    /// The name for people.
    public var title: String {
        switch self {
        case .realtime: "Real-time upload"
        case .offline: "Shoot offline"
        case .jpegFirst: "JPEG first"
        case .rated: "Rated photos"
        case .manual: "Manual"
        case .scheduled: "Scheduled"
        }
    }
}
