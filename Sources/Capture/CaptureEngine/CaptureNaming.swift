public import FrameFastModel
import Store
import Synchronization

/// Names photos: by the template, with what is known of session and camera.
public final class CaptureNaming: Sendable {
    private struct Known {
        var sessions: [SessionID: PhotoSession] = [:]
        var cameras: [BodyID: PhotoCamera] = [:]
        /// Of each camera the body that it was learned as last.
        var bodies: [CameraID: BodyID] = [:]
    }
    private let known = Mutex(Known())
    private let settings: CaptureSettings
    private let template: Mutex<NamingTemplate>

    /// Names by the template in `settings`, until another one is used.
    public init(settings: CaptureSettings) {
        self.settings = settings
        template = Mutex(settings.template)
    }

    /// Names photos by another template from the next round of the publisher on. Photos that have their names keep them.
    public func use(_ new: NamingTemplate) { template.withLock { $0 = new } }

    /// A session that photos may belong to.
    public func learn(_ session: Session) {
        known.withLock { $0.sessions[session.id] = PhotoSession(id: session.id, name: session.name) }
    }

    /// A camera, under the identity that the ledger has for it.
    public func learn(_ camera: PhotoCamera, identity: BodyID) {
        known.withLock {
            $0.cameras[identity] = camera
            $0.bodies[camera.id] = identity
        }
    }

    /// A photo with its camera and its session, as they are called now.
    public func photo(_ record: CaptureRecord) -> Photo {
        Photo(record, camera: camera(record.bodyID), session: session(record.sessionID))
    }

    /// The camera that a body is, or was when it was last connected.
    public func camera(_ identity: BodyID) -> PhotoCamera {
        known.withLock { $0.cameras[identity] } ?? PhotoCamera(unknown: identity)
    }

    /// A session; `nil` for none.
    public func session(_ id: SessionID?) -> PhotoSession? {
        known.withLock { known in id.flatMap { known.sessions[$0] } }
    }

    /// The body that a camera of the fleet was when it was last connected; `nil` when it never was.
    public func identity(ofCamera id: CameraID) -> BodyID? {
        known.withLock { $0.bodies[id] }
    }

    /// Numbers run for each session; cameras count apart when the template tells them apart.
    public static func counterScope(template: NamingTemplate, session: SessionID?, camera: BodyID) -> String {
        "session:\(session ?? 0)" + (template.separatesCameras ? "/camera:\(camera)" : "")
    }

    /// How the ledger numbers, names and pairs: by one template for all photos of a round.
    var policy: LedgerStore.NamingPolicy {
        let template = self.template.withLock { $0 }
        return LedgerStore.NamingPolicy(
            counterScope: { record in
                Self.counterScope(template: template, session: record.sessionID, camera: record.bodyID)
            },
            path: { record, counter in
                self.settings.directory + "/" + template.path(for: self.photo(record), counter: counter)
            },
            pairSettleSeconds: settings.pairSettleSeconds, rereads: settings.verify == .reread)
    }
}
