/// Every route of the interface. Server, client, document and tests read this one table.
public enum Route: String, CaseIterable, Sendable {
    case version, openapi, status, conditions, events, metrics
    case cameras, camera, cameraAdd, cameraRename, cameraIgnore, cameraForget, trigger, triggerAll
    case makers, discover, diagnosis
    case captures, capture, captureRetry
    case sessions, sessionStart, sessionStop, sessionKeep
    case templateTest
    case destinations, destinationTest, destinationPause, destinationResume, destinationAdopt
    case uploads, uploadsPause, uploadsResume
    case uploadsRetry, uploadsHold, uploadsRelease, uploadsDrop, uploadsAdd
    case mode, modeSet
    case storage, storageClear, storageAdopt

    /// Who may use a route.
    public enum Access: String, Sendable {
        /// Anybody who may look: everybody when `api.public_status` is on, controllers always.
        case read
        /// Root, the daemon's own user, members of the group.
        case control
    }

    /// HTTP methods in use.
    public enum Method: String, Sendable {
        /// Look.
        case get = "GET"
        /// Do.
        case post = "POST"
    }

    /// One row of the table.
    public struct Row: Sendable {
        /// HTTP method.
        public let method: Method
        /// Path with `{name}` for what varies.
        public let path: String
        /// Who may use it.
        public let access: Access
        /// One line for the document.
        public let summary: String
    }

    /// What this route is.
    public var row: Row {
        switch self {
        case .version: .init(.get, "/version", .read, "Version of the daemon and of this interface")
        case .openapi: .init(.get, "/openapi.yaml", .read, "This document")
        case .status: .init(.get, "/status", .read, "Everything at a glance")
        case .conditions: .init(.get, "/conditions", .read, "What needs to be known, worst first")
        case .events: .init(.get, "/events", .read, "Server-sent events: a snapshot, then numbered changes")
        case .metrics:
            // Where collectors look by themselves; the text has a version of its own.
            .init(
                method: .get, path: "/metrics", access: .read,
                summary: "Figures for Prometheus, in OpenMetrics form")
        case .cameras: .init(.get, "/cameras", .read, "All cameras")
        case .camera: .init(.get, "/cameras/{id}", .read, "One camera")
        case .cameraAdd: .init(.post, "/cameras", .control, "Keep a camera on the network connected")
        case .cameraRename: .init(.post, "/cameras/{id}/rename", .control, "Call a camera something else")
        case .cameraIgnore:
            .init(.post, "/cameras/{id}/ignore", .control, "Leave a camera alone, or use it again")
        case .cameraForget:
            .init(.post, "/cameras/{id}/forget", .control, "Forget a camera that is not there")
        case .makers: .init(.get, "/makers", .read, "The manufacturer picker, detected makers first")
        case .discover: .init(.post, "/discover", .control, "Look for cameras on the network")
        case .diagnosis: .init(.get, "/diagnosis", .read, "What is wrong here, worst first, with the fix")
        case .trigger: .init(.post, "/cameras/{id}/trigger", .control, "Release the shutter of one camera")
        case .triggerAll: .init(.post, "/trigger", .control, "Release the shutter of every ready camera")
        case .captures: .init(.get, "/captures", .read, "Photos, newest first, page by page")
        case .capture: .init(.get, "/captures/{id}", .read, "One photo")
        case .captureRetry:
            .init(.post, "/captures/{id}/retry", .control, "Read a photo once more that was set aside")
        case .sessions: .init(.get, "/sessions", .read, "Sessions, newest first")
        case .sessionStart: .init(.post, "/sessions", .control, "Start a session, stopping the running one")
        case .sessionStop: .init(.post, "/sessions/stop", .control, "Stop the running session")
        case .sessionKeep:
            .init(.post, "/sessions/{id}/keep", .control, "Change how long a session's photos are kept here")
        case .templateTest:
            .init(.post, "/template/test", .read, "The next names that a naming template would give")
        case .destinations:
            .init(.get, "/destinations", .read, "The places that photos go to, and how they are")
        case .destinationTest:
            .init(.post, "/destinations/{id}/test", .control, "Upload a probe to a destination and remove it")
        case .destinationPause:
            .init(.post, "/destinations/{id}/pause", .control, "Send nothing more to a destination")
        case .destinationResume:
            .init(.post, "/destinations/{id}/resume", .control, "Send to a destination again")
        case .destinationAdopt:
            .init(
                .post, "/destinations/{id}/adopt", .control,
                "Take the folder that is there now for a destination")
        case .uploads: .init(.get, "/uploads", .read, "Upload jobs, newest first, page by page")
        case .uploadsPause: .init(.post, "/uploads/pause", .control, "Send nothing more to any destination")
        case .uploadsResume: .init(.post, "/uploads/resume", .control, "Send to every destination again")
        case .uploadsRetry:
            .init(.post, "/uploads/retry", .control, "Try failed and waiting uploads again, now")
        case .uploadsHold:
            .init(.post, "/uploads/hold", .control, "Keep uploads back until they are released")
        case .uploadsRelease: .init(.post, "/uploads/release", .control, "Let held uploads go")
        case .uploadsDrop:
            .init(.post, "/uploads/drop", .control, "Forget uploads that are not delivered; files stay")
        case .uploadsAdd: .init(.post, "/uploads/add", .control, "Send photos to a destination, also late")
        case .mode: .init(.get, "/mode", .read, "When photos are uploaded")
        case .modeSet: .init(.post, "/mode", .control, "Change when photos are uploaded, at once")
        case .storage: .init(.get, "/storage", .read, "The photos here, by how far their uploads are")
        case .storageClear:
            .init(.post, "/storage/clear", .control, "Remove files here that are delivered everywhere")
        case .storageAdopt:
            .init(.post, "/storage/adopt", .control, "Save photos to the disk that is there now")
        }
    }
}

extension Route.Row {
    fileprivate init(
        _ method: Route.Method, _ path: String, _ access: Route.Access, _ summary: String
    ) {
        self.init(method: method, path: APIVersion.prefix + path, access: access, summary: summary)
    }
}
