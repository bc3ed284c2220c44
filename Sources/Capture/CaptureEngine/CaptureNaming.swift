public import Foundation
public import FrameFastModel
import Store
import Synchronization

/// Names photos: the template with the facts of session and camera.
public final class CaptureNaming: Sendable {
    private struct Known {
        var sessions: [SessionID: String] = [:]
        var cameras: [BodyID: (status: CameraStatus, zone: TimeZone)] = [:]
    }
    private let known = Mutex(Known())
    private let settings: CaptureSettings

    /// Names by the template in `settings`.
    public init(settings: CaptureSettings) { self.settings = settings }

    /// A session that photos may belong to.
    public func learn(_ session: Session) {
        known.withLock { $0.sessions[session.id] = session.name }
    }

    /// A camera, under the identity that the ledger has for it.
    public func learn(_ camera: CameraStatus, identity: BodyID, zone: TimeZone) {
        known.withLock { $0.cameras[identity] = (camera, zone) }
    }

    /// The name that people gave a camera; its identity when it was never met in this run.
    public func cameraName(_ identity: BodyID) -> String {
        known.withLock { $0.cameras[identity]?.status.name } ?? identity.rawValue
    }

    /// The id in the fleet of the camera that a body is, or was when it was last connected; the body's own text when it was
    /// never met.
    public func cameraID(_ identity: BodyID) -> CameraID {
        known.withLock { $0.cameras[identity]?.status.id } ?? CameraID(rawValue: identity.rawValue)
    }

    /// A session's name.
    public func sessionName(_ id: SessionID?) -> String? {
        known.withLock { known in id.flatMap { known.sessions[$0] } }
    }

    /// Numbers run for each session; cameras count apart when the template tells them apart.
    public static func counterScope(template: NamingTemplate, session: SessionID?, camera: BodyID) -> String {
        "session:\(session ?? 0)" + (template.separatesCameras ? "/camera:\(camera)" : "")
    }

    /// When a photo was taken: by the camera's clock, else when the host heard of it.
    public func taken(_ record: CaptureRecord) -> WallClock {
        if let cameraTime = record.object.cameraTime { return WallClock(seconds: cameraTime) }
        let offset = zone(of: record).secondsFromGMT(for: record.detectedAt)
        return WallClock(seconds: Int64(record.detectedAt.timeIntervalSince1970) + Int64(offset))
    }

    /// When a photo was taken, as a moment in time.
    public func takenAt(_ record: CaptureRecord) -> Date {
        guard let cameraTime = record.object.cameraTime else { return record.detectedAt }
        // The offset at nearly that moment; wrong for at most some hours around a change of daylight saving.
        let asIfUTC = Date(timeIntervalSince1970: TimeInterval(cameraTime))
        return asIfUTC.addingTimeInterval(-TimeInterval(zone(of: record).secondsFromGMT(for: asIfUTC)))
    }

    private func zone(of record: CaptureRecord) -> TimeZone {
        known.withLock { $0.cameras[record.bodyID]?.zone } ?? .current
    }

    /// The body that a camera of the fleet was when it was last connected; `nil` when it never was.
    public func identity(ofCamera id: CameraID) -> BodyID? {
        known.withLock { known in known.cameras.filter { $0.value.status.id == id }.keys.min() }
    }

    /// The facts for a photo's name.
    ///
    /// - Parameter camera: For a photo that is only thought of: the camera that it would be of.
    public func facts(_ record: CaptureRecord, counter: Int, of camera: CameraStatus? = nil) -> NamingFacts {
        let camera = camera ?? known.withLock { $0.cameras[record.bodyID]?.status }
        return NamingFacts(
            session: sessionName(record.sessionID), taken: taken(record),
            camera: camera?.name ?? record.bodyID.rawValue,
            serial: camera?.facts?.serial ?? "", model: camera?.facts?.model ?? "",
            maker: camera?.facts?.maker ?? "",
            original: record.object.name, counter: counter)
    }

    /// How the ledger numbers, names and pairs.
    var policy: LedgerStore.NamingPolicy {
        LedgerStore.NamingPolicy(
            counterScope: { [template = settings.template] record in
                Self.counterScope(template: template, session: record.sessionID, camera: record.bodyID)
            },
            path: { record, counter in
                self.settings.directory + "/"
                    + self.settings.template.path(for: self.facts(record, counter: counter))
            },
            pairSettleSeconds: settings.pairSettleSeconds, rereads: settings.verify == .reread)
    }
}
