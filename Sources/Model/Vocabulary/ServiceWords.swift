/// The state of the daemon.
public enum DaemonState: String, Codable, CaseIterable, Sendable {
    /// Repairing and opening the ledger. The daemon does not accept photos yet.
    case starting
    /// Running.
    case running
}

/// The severity of a condition. `info` is the lowest.
public enum ConditionSeverity: String, Codable, CaseIterable, Comparable, Sendable {
    /// Worth knowing. No action is needed.
    case info
    /// Works, but a person should check.
    case warning
    /// Something does not work.
    case danger

    /// Compares severities.
    public static func < (left: Self, right: Self) -> Bool { left.rank < right.rank }

    private var rank: Int {
        switch self {
        case .info: 0
        case .warning: 1
        case .danger: 2
        }
    }
}

/// The kind of a condition's subject. The conditions of a subject end when the subject is removed.
public enum ConditionSubjectKind: String, Codable, CaseIterable, Sendable {
    /// The service as a whole.
    case service
    /// A camera.
    case camera
    /// A destination.
    case destination
    /// A hook.
    case hook
    /// A folder on this computer.
    case folder
}

/// The severity of a check result. A check examines the daemon or the environment of the daemon.
public enum CheckLevel: String, Codable, CaseIterable, Sendable {
    /// The check found no problem.
    case ok
    /// Worth knowing. No action is needed.
    case info
    /// Works, but a person should check.
    case warning
    /// Something does not work.
    case danger

    /// Creates the level of a check that found a condition of this severity.
    public init(_ severity: ConditionSeverity) {
        self =
            switch severity {
            case .info: .info
            case .warning: .warning
            case .danger: .danger
            }
    }
}

/// The kind of an audit finding.
public enum AuditFindingKind: String, Codable, CaseIterable, Sendable {
    /// The file of a saved photo is missing.
    case fileMissing = "file_missing"
    /// The file of a saved photo cannot be read.
    case fileUnreadable = "file_unreadable"
    /// The file of a saved photo has another size than the ledger records.
    case sizeDiffers = "size_differs"
    /// The file of a saved photo has other bytes than the ledger records.
    case bytesDiffer = "bytes_differ"
    /// A photo remained in state `publishing`.
    case leftPublishing = "left_publishing"
    /// Two records have the same path.
    case pathShared = "path_shared"
    /// A part file is old, and no record waits for it.
    case partLeftOver = "part_left_over"
    /// An upload is delivered, but its receipt is incomplete.
    case receiptMissing = "receipt_missing"
    /// The photo of a delivered upload has no record.
    case receiptWithoutPhoto = "receipt_without_photo"
    /// The photo of an undelivered upload has no record.
    case jobWithoutPhoto = "job_without_photo"
}

/// A code of an error response of the API.
public enum ErrorCode: String, Codable, CaseIterable, Sendable {
    /// The request cannot be parsed: invalid JSON or an invalid parameter.
    case badRequest = "bad_request"
    /// The device that opened the web page is not paired. A person must pair it first.
    case unauthorized
    /// The caller lacks permission.
    case forbidden
    /// The path, camera, capture or session does not exist.
    case notFound = "not_found"
    /// The path exists, but not with this method.
    case wrongMethod = "wrong_method"
    /// The current state does not allow the request. For example, a camera is not connected.
    case conflict
    /// The body exceeds the size limit.
    case tooLong = "too_long"
    /// The host name of the request is not a name of this server.
    case misdirected
    /// The request is well formed, but a value cannot be used, for example a template with an unknown token.
    case invalid
    /// The daemon itself failed.
    case `internal`
    /// The camera or its driver does not support the request.
    case unsupported
    /// The camera refused or did not respond.
    case cameraFailed = "camera_failed"
    /// The device sent too many requests. It may try again later.
    case tooMany = "too_many"
    /// Too many clients are connected, or the daemon is starting or stopping.
    case unavailable
}
