public import FrameFastModel
import Synchronization

/// What is known of every camera right now.
public final class CameraRegistry: Sendable {
    private let cameras = Mutex<[CameraID: CameraStatus]>([:])
    private let sessions = Mutex<[CameraID: CameraSession]>([:])
    private let driver = Mutex<String?>(nil)
    private let ends = Mutex(["exited": 0, "crashed": 0, "killed": 0, "hung": 0])
    private let news: OrderedDelivery<CameraStatus>

    /// - Parameter onChange: Told a camera's status whenever it changed, in the order of the changes.
    public init(onChange: @escaping @Sendable (CameraStatus) -> Void) { news = OrderedDelivery(onChange) }

    /// All cameras, by name.
    public var all: [CameraStatus] { cameras.withLock { $0.values.sorted { $0.name < $1.name } } }

    /// Version of libgphoto2, as the last worker that started told; `nil` before the first one.
    public internal(set) var driverVersion: String? {
        get { driver.withLock(\.self) }
        set { driver.withLock { $0 = newValue } }
    }

    /// Workers that ended in this run without being told to, by how: `exited`, `crashed`, `killed` or `hung`.
    public var workerEnds: [String: Int] { ends.withLock { $0 } }

    /// A worker ended without being told to.
    func workerEnded(_ end: WorkerProcess.End) {
        let how =
            switch end {
            case .exited: "exited"
            case .crashed: "crashed"
            case .killed: "killed"
            case .hung: "hung"
            }
        ends.withLock { $0[how, default: 0] += 1 }
    }

    /// A camera by its id.
    public func camera(_ id: CameraID) -> CameraStatus? { cameras.withLock { $0[id] } }

    /// What people call a camera; its id when it is not known any more.
    public func name(of id: CameraID) -> String { camera(id)?.name ?? id.rawValue }

    /// The session of a connected camera.
    public func session(of id: CameraID) -> CameraSession? { sessions.withLock { $0[id] } }

    /// Takes a camera in, or what is known of it from outside; what it said of itself stays.
    func put(_ status: CameraStatus) {
        cameras.withLock { cameras in
            var status = status
            status.facts = status.facts ?? cameras[status.id]?.facts
            guard cameras[status.id] != status else { return }
            cameras[status.id] = status
            news.note(status)
        }
        news.deliver()
    }

    /// Forgets a camera.
    func remove(_ id: CameraID) {
        cameras.withLock { $0[id] = nil }
        sessions.withLock { $0[id] = nil }
    }

    func connected(_ session: CameraSession?, camera: CameraID) {
        sessions.withLock { $0[camera] = session }
        // What it did is over with its session, or goes on with the next one.
        if session == nil { change(camera) { $0.operation = nil } }
    }

    /// Changes what a camera does, or what it says of itself.
    public func update(_ id: CameraID, state: CameraState? = nil, facts: CameraFacts? = nil) {
        change(id) { status in
            status.state = state ?? status.state
            status.facts = facts ?? status.facts
        }
    }

    /// Says how far a camera's card has been read; `nil` when that is done.
    public func update(_ id: CameraID, listing: ListingProgress?) { change(id) { $0.listing = listing } }

    /// Takes over settings that have other values now.
    func update(_ id: CameraID, settings: [CameraSetting]) {
        change(id) { status in
            for setting in settings {
                if let key = setting.key { status.settings[key] = setting }
            }
        }
    }

    /// Says how far an operation is: the last word of each stays until another one begins.
    func update(_ id: CameraID, operation: CameraOperationProgress) {
        change(id) { $0.operation = operation }
    }

    /// Changes anything about a camera that is known.
    func change(_ id: CameraID, _ body: (inout CameraStatus) -> Void) {
        cameras.withLock { cameras in
            guard var status = cameras[id] else { return }
            body(&status)
            guard cameras[id] != status else { return }
            cameras[id] = status
            news.note(status)
        }
        news.deliver()
    }
}
