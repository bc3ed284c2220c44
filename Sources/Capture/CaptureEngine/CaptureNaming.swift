public import FrameFastModel
import FrameFastSystem
import Store
import Synchronization

/// The naming template, and the session and camera names that it uses.
public final class CaptureNaming: Sendable {
    private struct State {
        var sessions: [SessionID: PhotoSession] = [:]
        var cameras: [BodyID: PhotoCamera] = [:]
        /// The most recent body of each camera.
        var bodies: [CameraID: BodyID] = [:]
    }
    private let state = Mutex(State())
    private let settings: CaptureSettings
    private let template: Mutex<NamingTemplate>

    /// Creates a naming with the template in `settings`.
    public init(settings: CaptureSettings) {
        self.settings = settings
        template = Mutex(settings.template)
    }

    /// Replaces the template. The publisher uses the new template from its next round on. Photos that already
    /// have names keep them.
    public func setTemplate(_ new: NamingTemplate) { template.withLock { $0 = new } }

    /// Adds a session that photos may belong to.
    public func add(_ session: Session) {
        state.withLock { $0.sessions[session.id] = PhotoSession(id: session.id, name: session.name) }
    }

    /// Adds a camera under its identity in the ledger.
    public func add(_ camera: PhotoCamera, identity: BodyID) {
        state.withLock {
            $0.cameras[identity] = camera
            $0.bodies[camera.id] = identity
        }
    }

    /// Returns a photo with the current names of its camera and session.
    public func photo(_ record: CaptureRecord) -> Photo {
        Photo(record, camera: camera(record.bodyID), session: session(record.sessionID))
    }

    /// Returns the folder in which a photo will be saved. A counter in the folder's name may differ, because
    /// the photo has no number yet.
    func folder(of record: CaptureRecord) -> String {
        let path = template.withLock { $0 }.path(for: photo(record), counter: 1)
        return DurableFile.parent(of: settings.directory + "/" + path)
    }

    /// Returns the last known camera for a body, or a placeholder for an unknown body.
    public func camera(_ identity: BodyID) -> PhotoCamera {
        state.withLock { $0.cameras[identity] } ?? PhotoCamera(unknown: identity)
    }

    /// Returns a session, or `nil` if `id` is `nil` or unknown.
    public func session(_ id: SessionID?) -> PhotoSession? {
        state.withLock { state in id.flatMap { state.sessions[$0] } }
    }

    /// Returns the most recent body of a camera, or `nil` if the camera was never connected.
    public func identity(ofCamera id: CameraID) -> BodyID? {
        state.withLock { $0.bodies[id] }
    }

    /// Returns the scope of a photo's counter. The scope is the session, or the camera within the session if
    /// the template contains the camera.
    public static func counterScope(template: NamingTemplate, session: SessionID?, camera: BodyID) -> String {
        "session:\(session ?? 0)" + (template.separatesCameras ? "/camera:\(camera)" : "")
    }

    /// The policy that the ledger uses to number, name and pair photos. All photos of a round use the same
    /// template.
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
