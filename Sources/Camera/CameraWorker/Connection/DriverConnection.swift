import FrameFastModel
import GPhoto2
import WorkerProtocol

/// A connection to one camera, used on the driver thread. The connection performs the worker's duties, and
/// detects when the camera is lost.
struct DriverConnection: ~Copyable {
    /// The reason for the end of a connection.
    enum End {
        /// The daemon requested the end.
        case closed
        /// The connection was lost, and the worker has reported this to the daemon.
        case lost
        /// The daemon requested a new connection.
        case reopen(UInt64, OpenRequest)
    }

    /// The time without a response that is treated as a timeout of the driver. The driver times out on PTP/IP
    /// after 2,500 ms. This value is slightly less to allow for clock differences.
    static let driverTimeout = Duration.milliseconds(2_400)

    var camera: CameraHandle
    let request: OpenRequest
    let daemon: DaemonLink
    let queue: CommandQueue
    let sink: PhotoSink
    /// The shutdown of the process.
    let process: ProcessShutdown
    /// The duties, highest rank first.
    var duties: [RankedDuty]
    /// The facts that several duties need.
    var shared = SharedState(opened: .now)
    /// The state of polling for events.
    var events = EventWatch(at: .now)
    /// The profile of the camera's maker.
    var profile = CameraProfile()
    /// The camera's original values of settings that the worker changed.
    var backup = SettingsBackup(camera: "")
    /// The photos from the camera's memory that the daemon has not fetched yet.
    let photoStore: MemoryPhotoStore
    /// The state of photos in the camera's memory.
    var memory = MemoryState()
    /// The state of photo transfers.
    var transfer = TransferState()
    /// The state of reading the card.
    var card = CardState()
    /// The capture target that was set in the driver, or `nil` if it was not set.
    var driverTarget: CaptureTarget?
    /// The state of live view.
    var liveView = LiveView()
    /// The state of the camera's shutter.
    var shutter = ShutterState()
    /// The values that the driver offers for the settings of operations.
    var offered = OfferedValues()
    /// The state of reading and changing settings.
    var settings = SettingsState()
    /// The state of the camera's clock.
    var clock = ClockState()
    /// The running operation, or `nil` if no operation runs.
    var operation: RunningOperation?
    /// The running focus move, or `nil` if the focus does not move.
    var focusMove: FocusMove?
    /// The last published facts.
    var facts = CameraFacts()
    /// The end of the connection that a command has requested, or `nil` before such a command.
    var end: End?
    /// The reason for the loss of the connection, or `nil` while the connection is usable.
    var loss: WorkerFailure?

    init(
        camera: consuming CameraHandle, request: OpenRequest, daemon: DaemonLink, queue: CommandQueue,
        sink: PhotoSink, photoStore: MemoryPhotoStore, process: ProcessShutdown, duties: [RankedDuty]
    ) {
        self.duties = duties
        self.process = process
        self.photoStore = photoStore
        self.camera = camera
        self.request = request
        self.daemon = daemon
        self.queue = queue
        self.sink = sink
    }

    /// Performs the duties of the worker until the connection ends.
    mutating func run(replyingTo id: UInt64) -> End {
        applyProfile()
        daemon.send(.opened(id: id, readFacts()))
        while true {
            if let end = endIfNeeded() { return end }
            recordChangedSettings()
            reportLiveView()
            if !performNextDuty() { waitAndPoll(until: nextDue(in: .idle)) }
        }
    }

    /// Ends the connection if a command has requested this or if the connection was lost.
    ///
    /// - Returns: The reason for the end, or `nil` if the connection continues.
    private mutating func endIfNeeded() -> End? {
        if let end {
            shutDown()
            return end
        }
        if let loss {
            loseOperation()
            // Reports all photos before the loss of the connection.
            photoStore.waitUntilSynced()
            sink.drain()
            reportRemaining()
            daemon.send(.lost(loss))
            // If the daemon has exited, this process opens no further connection. The next worker waits for
            // this process to exit.
            return process.isOrphaned ? .closed : .lost
        }
        guard shared.isClosing, operation == nil else { return nil }
        shutDown()
        return .closed
    }

    mutating func loseConnection(_ kind: WorkerFailure.Kind, _ text: String, code: Int32 = 0) {
        if loss == nil { loss = WorkerFailure(kind: kind, code: code, during: "session", text: text) }
    }

    /// Maps an error to a failure for the daemon, and decides whether the connection is lost.
    ///
    /// The connection is lost if the link is broken, if a request has no response, or if a response does not
    /// match its request. The driver does not verify which response it reads next, and could mix the bytes of
    /// two photos. After any other error, the connection remains usable, and a retry may succeed.
    @discardableResult
    mutating func classify(_ error: CameraError, during: String) -> WorkerFailure {
        var failure = WorkerFailure(error, during: during)
        if camera.sockets.isClosed {
            loseConnection(.disconnected, disconnectText, code: error.code)
        } else if error.kind == .disconnected || camera.isOutOfStep || camera.awaitsResponse {
            // The driver reports its own timeout as an I/O error, because perror() in ptpip.c has overwritten
            // errno.
            let silence = Duration.milliseconds(camera.silentMs)
            let isSilent = error.kind == .timeout || silence >= Self.driverTimeout
            loseConnection(isSilent ? .timeout : .disconnected, error.text, code: error.code)
        }
        // A failure of kind `.tooLarge` keeps its kind, because a retry with the same method would end the
        // connection again.
        if let loss, failure.kind != .tooLarge { failure.kind = loss.kind }
        return failure
    }
}
