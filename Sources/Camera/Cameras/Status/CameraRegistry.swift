public import FrameFastModel
public import FrameFastSystem
import Synchronization

/// The current status of every camera.
///
/// The registry reports each change with the camera's whole status. A change of progress is reported at most
/// four times a second. Any other change is reported immediately.
public final class CameraRegistry: Sendable {
    private struct State {
        var cameras: [CameraID: CameraStatus] = [:]
        var throttle = UpdateThrottle()
    }
    private let state = Mutex(State())
    private let clock: HostClock
    private let connections = Mutex<[CameraID: CameraConnection]>([:])
    private let driver = Mutex<String?>(nil)
    private let ends = Mutex(["exited": 0, "crashed": 0, "killed": 0, "hung": 0])
    private let delivery: OrderedDelivery<CameraStatus>

    /// - Parameters:
    ///   - clock: The clock that limits the rate of progress reports.
    ///   - onChange: Called with a camera's status after each change, in the order of the changes.
    public init(
        clock: HostClock = .system, onChange: @escaping @Sendable (CameraStatus) -> Void
    ) {
        self.clock = clock
        delivery = OrderedDelivery(onChange)
    }

    /// All cameras, sorted by name.
    public var all: [CameraStatus] { state.withLock { $0.cameras.values.sorted { $0.name < $1.name } } }

    /// The version of libgphoto2 that the most recently started worker reported, or `nil` before the first
    /// worker.
    public internal(set) var driverVersion: String? {
        get { driver.withLock(\.self) }
        set { driver.withLock { $0 = newValue } }
    }

    /// The number of ended workers since the start, by kind: `exited`, `crashed`, `killed` or `hung`.
    /// Includes workers that were replaced after failed connections. Excludes the last worker of a camera.
    public var workerEnds: [String: Int] { ends.withLock { $0 } }

    /// Counts the end of a worker whose supervision continues.
    func countWorkerEnd(_ end: WorkerProcess.End) {
        let how =
            switch end {
            case .exited: "exited"
            case .crashed: "crashed"
            case .killed: "killed"
            case .hung: "hung"
            }
        ends.withLock { $0[how, default: 0] += 1 }
    }

    /// Returns the status of a camera, or `nil` if the camera is unknown.
    public func camera(_ id: CameraID) -> CameraStatus? { state.withLock { $0.cameras[id] } }

    /// Returns the name of a camera, or its id if the camera is unknown.
    public func name(of id: CameraID) -> String { camera(id)?.name ?? id.rawValue }

    /// Returns the current connection to a camera, or `nil` if the camera is not connected.
    public func connection(of id: CameraID) -> CameraConnection? { connections.withLock { $0[id] } }

    /// Adds a camera, or replaces its status. Keeps the number of pending photos and the running transfer.
    /// Also keeps the facts if the new status has none.
    package func insert(_ status: CameraStatus) {
        state.withLock { state in
            var status = status
            let before = state.cameras[status.id]
            status.facts = status.facts ?? before?.facts
            status.pending = before?.pending ?? status.pending
            status.transfer = before?.transfer
            guard before != status else { return }
            state.cameras[status.id] = status
            state.throttle.published(status.id)
            delivery.enqueue(status)
        }
        delivery.deliver()
    }

    /// Removes a camera.
    func remove(_ id: CameraID) {
        state.withLock { $0.cameras[id] = nil }
        connections.withLock { $0[id] = nil }
    }

    func setConnection(_ connection: CameraConnection?, of camera: CameraID) {
        connections.withLock { $0[camera] = connection }
        if connection == nil { change(camera) { $0.operation = $0.operation?.afterDisconnection } }
    }

    /// Updates the state or the facts of a camera.
    public func update(_ id: CameraID, state: CameraState? = nil, facts: CameraFacts? = nil) {
        change(id) { status in
            status.state = state ?? status.state
            status.facts = facts ?? status.facts
        }
    }

    /// Updates the running transfer of a camera, and its state.
    public func update(_ id: CameraID, state: CameraState? = nil, transfer: TransferProgress?) {
        change(id) { status in
            status.state = state ?? status.state
            status.transfer = transfer
        }
    }

    /// Sets the number of known photos that are not on disk yet, by camera. Cameras that are not in the
    /// dictionary have 0.
    public func update(pending: [CameraID: Int]) {
        for camera in all { change(camera.id) { $0.pending = pending[camera.id] ?? 0 } }
    }

    /// Sets the progress of listing a camera's card, or `nil` after the listing is complete.
    public func update(_ id: CameraID, listing: ListingProgress?) { change(id) { $0.listing = listing } }

    /// Applies a change that a worker reports.
    func apply(_ change: WorkerStatusChange, to id: CameraID) {
        switch change {
        case .operation(let progress): update(id, operation: progress)
        case .settings(let settings, let source): update(id, settings: settings, from: source)
        }
    }

    /// Stores settings with new values.
    ///
    /// - Parameter source: The source of the change, or `nil` for the first values of a connection. If a
    ///   first value differs from the last known value, the value was changed on the camera.
    func update(_ id: CameraID, settings: [CameraSetting], from source: SettingSource?) {
        change(id) { status in
            let differs = settings.contains { setting in
                setting.key.flatMap { status.settings[$0] }.map { $0.word != setting.word } ?? false
            }
            status.settingsSource = source ?? (differs ? .camera : status.settingsSource)
            for setting in settings {
                if let key = setting.key { status.settings[key] = setting }
            }
        }
    }

    /// Sets the progress of an operation. The last progress remains until another operation starts.
    func update(_ id: CameraID, operation: CameraOperationProgress) {
        change(id) { $0.operation = operation }
    }

    /// Changes the status of a camera. Does nothing if the camera is unknown.
    func change(_ id: CameraID, _ body: (inout CameraStatus) -> Void) {
        let beginsPause = state.withLock { state in
            guard let before = state.cameras[id] else { return false }
            var status = before
            body(&status)
            guard before != status else { return false }
            state.cameras[id] = status
            let isProgress = status.differsOnlyInProgress(from: before)
            if isProgress {
                guard state.throttle.admits(id) else { return false }
            } else {
                state.throttle.published(id)
            }
            delivery.enqueue(status)
            return isProgress
        }
        if beginsPause { pause(id) }
        delivery.deliver()
    }

    /// Starts a pause of the throttle. After each pause, reports the camera's progress if it has changed.
    private func pause(_ id: CameraID) {
        Task { [weak self, clock] in
            repeat { try await clock.sleep(for: UpdateThrottle.pause) } while self?.endPause(id) == true
        }
    }

    /// Ends a pause. Publishes the last value if a report was skipped.
    ///
    /// - Returns: Whether another pause begins.
    private func endPause(_ id: CameraID) -> Bool {
        let isSkipped = state.withLock { state in
            let isSkipped = state.throttle.pauseEnded(id)
            if isSkipped, let status = state.cameras[id] { delivery.enqueue(status) }
            return isSkipped
        }
        delivery.deliver()
        return isSkipped
    }
}
