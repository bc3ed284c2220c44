public import FrameFastModel
import Synchronization

/// What is known of every camera right now.
public final class CameraRegistry: Sendable {
    private let cameras = Mutex<[String: CameraStatus]>([:])
    private let sessions = Mutex<[String: CameraSession]>([:])
    private let onChange: @Sendable (CameraStatus) -> Void

    /// - Parameter onChange: Told a camera's status whenever it changes.
    public init(onChange: @escaping @Sendable (CameraStatus) -> Void) { self.onChange = onChange }

    /// All cameras, by name.
    public var all: [CameraStatus] { cameras.withLock { $0.values.sorted { $0.name < $1.name } } }

    /// A camera by its id.
    public func camera(_ id: String) -> CameraStatus? { cameras.withLock { $0[id] } }

    /// The session of a connected camera.
    public func session(of id: String) -> CameraSession? { sessions.withLock { $0[id] } }

    func add(_ camera: ConfiguredCamera) {
        let status = CameraStatus(id: camera.name, name: camera.name, port: camera.port, state: .searching)
        cameras.withLock { $0[camera.name] = status }
    }

    func connected(_ session: CameraSession?, camera: String) {
        sessions.withLock { $0[camera] = session }
    }

    /// Changes what a camera does, or what it says of itself.
    public func update(_ id: String, state: CameraState? = nil, facts: CameraFacts? = nil) {
        let news = cameras.withLock { cameras -> CameraStatus? in
            guard var status = cameras[id] else { return nil }
            let before = status
            status.state = state ?? status.state
            status.facts = facts ?? status.facts
            cameras[id] = status
            return status == before ? nil : status
        }
        if let news { onChange(news) }
    }
}
