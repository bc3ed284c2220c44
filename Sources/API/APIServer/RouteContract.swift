import FrameFastAPI

/// What a route takes and gives, beyond its row in the table.
struct RouteContract {
    /// Schema of the body of a good answer.
    var reply: String
    /// Status of a good answer.
    var status = 200
    /// Schema of the request's body; `nil` without one.
    var body: String?
    /// Names of its parameters among the document's components, beside those in the path.
    var parameters: [String] = []
    /// Statuses of bad answers, beside those that its form brings along.
    var errors: Set<Int> = []

    fileprivate init(
        _ reply: String, status: Int = 200, body: String? = nil, parameters: [String] = [],
        errors: Set<Int> = []
    ) {
        self.reply = reply
        self.status = status
        self.body = body
        self.parameters = parameters
        self.errors = errors
    }
}

extension Route {
    /// What it takes and gives.
    var contract: RouteContract {
        switch self {
        case .version: .init("VersionReply")
        // These three do not answer in JSON.
        case .openapi: .init("string")
        case .metrics: .init("string")
        case .events: .init("EventReply", errors: [503])
        case .status: .init("StatusReply")
        case .conditions: .init("ConditionsReply")
        case .cameras: .init("CamerasReply")
        case .camera: .init("CameraReply")
        case .cameraAdd: .init("CameraReply", status: 201, body: "CameraAddRequest", errors: [409, 422])
        case .cameraRename: .init("CameraReply", body: "CameraRenameRequest", errors: [409, 422])
        case .cameraIgnore: .init("CameraReply", body: "CameraIgnoreRequest")
        case .cameraForget: .init("CamerasReply", errors: [409])
        case .trigger, .triggerAll: .init("TriggerReply", errors: [409, 501, 502])
        case .makers: .init("MakersReply")
        case .discover: .init("DiscoveryReply", body: "DiscoveryRequest", errors: [422])
        case .diagnosis: .init("DiagnosisReply")
        case .captures:
            .init(
                "CapturesReply", parameters: ["limit", "cursor", "session", "camera", "state"], errors: [400])
        case .capture: .init("CaptureReply")
        case .captureRetry: .init("CaptureReply", errors: [409])
        case .sessions: .init("SessionsReply", parameters: ["limit"], errors: [400])
        case .sessionStart: .init("SessionReply", status: 201, body: "SessionStartRequest", errors: [422])
        case .sessionStop: .init("SessionReply", errors: [409])
        case .sessionKeep: .init("SessionReply", body: "SessionKeepRequest", errors: [422])
        case .templateTest: .init("TemplateTestReply", body: "TemplateTestRequest", errors: [422])
        case .destinations, .uploadsPause, .uploadsResume: .init("DestinationsReply")
        case .destinationTest: .init("DestinationTestReply")
        case .destinationAdopt: .init("DestinationReply", errors: [409, 501])
        case .destinationPause, .destinationResume: .init("DestinationReply")
        case .uploads:
            .init(
                "UploadsReply",
                parameters: ["limit", "cursor", "states", "destination", "session", "camera"], errors: [400])
        case .uploadsRetry, .uploadsHold, .uploadsRelease, .uploadsDrop:
            .init("UploadChangeReply", body: "UploadSelection", errors: [404, 422])
        case .uploadsAdd: .init("UploadChangeReply", body: "UploadAddRequest", errors: [404, 422])
        case .mode: .init("ModeReply")
        case .modeSet: .init("ModeReply", body: "ModeRequest", errors: [422])
        case .storage: .init("StorageSummaryReply")
        case .storageClear: .init("StorageClearReply", body: "StorageClearRequest", errors: [404, 422])
        case .storageAdopt: .init("DiskReply", errors: [409])
        }
    }
}
