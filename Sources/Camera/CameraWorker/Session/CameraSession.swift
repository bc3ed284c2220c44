import FrameFastModel
import GPhoto2
import WorkerProtocol

/// One session with one camera, on the driver thread: commands, events, and the decision that it is over.
struct CameraSession: ~Copyable {
    /// How a session ends.
    enum End {
        /// The daemon asked for it.
        case closed
        /// The camera is gone; the daemon was told.
        case lost
        /// The daemon wants a new session.
        case reopen(UInt64, OpenRequest)
    }

    /// Events taken in one go: a camera that never stops must not keep commands waiting.
    static let eventsAtOnce = 1_000
    /// Silence after which the driver gives up on PTP/IP is 2,500 ms; a little less, for the clocks' sake.
    static let driverTimeoutMs = 2_400

    /// The order to list the card is waited for so long at most, in milliseconds.
    static let listOrderMs: UInt64 = 1_000

    /// Time without a photo after which their memory is given back, in milliseconds.
    static let restMs: UInt64 = 3_000

    /// Look at the link this often while photos from the camera's memory wait for the daemon, in milliseconds.
    static let fullShelfMs: Int32 = 500

    var camera: CameraHandle
    let request: OpenRequest
    let daemon: DaemonLink
    let queue: CommandQueue
    let sink: PhotoSink
    /// How the process ends.
    let process: ProcessEnd
    /// How the camera tells of events, and when it was asked last.
    var events = EventWatch(nowMs: nowMs())
    /// What the maker's cameras need.
    var habits = CameraHabits()
    /// The camera's own settings from before.
    var settings = SettingsMemory(camera: "")
    /// Photos from the camera's memory that the daemon does not have yet.
    let shelf: MemoryShelf
    /// Releases whose photos have not come over from a memory that cannot be listed.
    var awaited = AwaitedPhotos()
    /// When the daemon was told last how many wait in the camera's memory.
    var toldWaitingMs: UInt64 = 0
    /// How much of a photo is asked for at a time.
    var pieces = PieceControl()
    /// Time that shots have taken between pieces of other photos, in milliseconds.
    var shotsMs: UInt64 = 0
    /// When the memory that photos need is given back, unless another photo comes before.
    var restDueMs: UInt64 = 0
    /// The handles of files that were read lately.
    var readHandles = ReadHandles()
    /// The camera's memory, where it must be emptied.
    var memory: PhotoMemory?
    /// A large card that is being read.
    var listing: Listing?
    /// What earlier sessions read of a large card.
    var card: CardMemory?
    /// What the driver is shown of the card.
    var view = DriverView()
    /// Where the driver's own setting puts photos.
    var driverTarget: CaptureTarget?
    /// Live view, and who waits for its frames.
    var liveView = LiveView()
    /// Releases that wait until the camera takes them.
    var releases = ReleaseQueue()
    /// When the camera is asked for the room in its buffer.
    var burstLook = BurstLook()
    /// When photos may be read beside the shutter.
    var shutterRest = ShutterRest(.auto, isKnown: false)
    /// What is known of the camera's settings; `nil` before they were needed.
    var table: SettingsTable?
    /// Orders to read and to change settings that are being carried out.
    var readings: [SettingsReading] = []
    var writings: [SettingsWriting] = []
    /// The clock that is being set.
    var clockWriting: ClockWriting?
    /// What the camera does for longer than a moment.
    var operation: RunningOperation?
    /// The focus that is being moved.
    var focusMove: FocusMove?
    /// Whether the session ends when the operation does.
    var isClosing = false
    /// When a setting other than the mode was read last.
    var settingsReadMs: UInt64 = 0
    /// Whether the body's dials do not hold, for the sake of a setting.
    var holdsBody = false
    /// When a photo was announced last.
    var announcedMs: UInt64 = 0
    /// When the session began, and whether the card was to be listed since.
    let openedMs = nowMs()
    private(set) var isListed = false
    /// What was told of the camera last.
    var facts = CameraFacts()
    /// The camera's clock as it was told last, and its distance from the host's then, both in seconds.
    var clock: (camera: Int, drift: Int)?
    /// Set once the session is beyond help.
    var loss: WorkerFailure?

    init(
        camera: consuming CameraHandle, request: OpenRequest, daemon: DaemonLink, queue: CommandQueue,
        sink: PhotoSink, shelf: MemoryShelf, process: ProcessEnd
    ) {
        self.process = process
        self.shelf = shelf
        self.camera = camera
        self.request = request
        self.daemon = daemon
        self.queue = queue
        self.sink = sink
    }

    /// Serves commands and events until the session ends.
    mutating func run(answering id: UInt64) -> End {
        adoptHabits()
        daemon.send(.opened(id: id, readFacts()))
        while true {
            triggerWaiting()
            if let loss {
                loseOperation()
                // What is known of photos comes before the news that ends everything.
                shelf.settle()
                sink.drain()
                tellLeft()
                daemon.send(.lost(loss))
                // Without a daemon no session follows in this process, and the next worker waits for its end.
                return process.isOrphaned ? .closed : .lost
            }
            noteChangedSettings()
            tellLiveView()
            if isClosing, operation == nil {
                endInOrder()
                return .closed
            }
            if serveOperation(withinMs: Self.aimMs) { continue }
            if shutterRest.mustLook(nowMs: nowMs()) { takeEvents() }
            if let command = holdsCard ? queue.nextBesideCard() : queue.next() {
                if let end = perform(command) {
                    endInOrder()
                    return end
                }
                serveSettings(isIdle: false)
            } else if burstLook.delay(nowMs: nowMs()) == 0 {
                lookAtBurst()
            } else if settingsDelay == 0 {
                serveSettings(isIdle: true)
            } else if listing?.delay(nowMs: nowMs()) == 0 {
                readOn()
            } else if focusMove?.delay(nowMs: nowMs()) == 0 {
                moveFocus()
            } else if serveLiveView() {
                continue
            } else {
                if untilRest == 0 { rest() }
                waitAndLook()
            }
        }
    }

    mutating func lose(_ kind: WorkerFailure.Kind, _ text: String, code: Int32 = 0) {
        if loss == nil { loss = WorkerFailure(kind: kind, code: code, during: "session", text: text) }
    }

    // MARK: Commands

    private mutating func perform(_ command: WorkerCommand) -> End? {
        if !camera.isGuarded, command.needsPackets, let id = command.id {
            daemon.send(.failed(id: id, WorkerFailure(CameraHandle.photosOnly, during: "command")))
            return nil
        }
        switch command {
        case .close:
            // Without a daemon an exposure goes on to its end; a second word ends it at once.
            guard process.isOrphaned, isExposing, !isClosing else { return .closed }
            isClosing = true
        case .open(let id, let request): return .reopen(id, request)
        case .list(let id):
            isListed = true
            list(id)
        case .reconcile(let id) where !habits.canList:
            daemon.send(.reconciled(id: id, missing: 0, total: shelf.objects.count))
        case .reconcile(let id) where listing?.isTold == false:
            let failure = WorkerFailure(kind: .busy, during: "reconcile", text: "the card is being read")
            daemon.send(.failed(id: id, failure))
        case .reconcile(let id):
            answer(id, during: "reconcile") { session throws(CameraError) in
                let census = try session.camera.takeCensus()
                return .reconciled(id: id, missing: census.missing, total: census.total)
            }
        case .fetch(let id, let fetch): self.fetch(id, fetch)
        case .delete(let id, let object): delete(id, object)
        case .trigger(let id): trigger(id)
        case .refresh(let id):
            let told = facts
            let now = readFacts()
            // A camera at rest has nothing new to say.
            if now != told { daemon.send(.facts(now)) }
            if habits.settingsUntold == true { table?.read(again: SettingsTable.exposure, nowMs: nowMs()) }
            daemon.send(.done(id: id))
        case .readSettings(let id, let names): readSettings(id, names)
        case .writeSettings(let id, let order): writeSettings(id, order)
        case .begin(let id, let order): begin(id, order)
        case .end(let id): endOperation(id)
        case .focus(let id, let order): focus(id, order)
        case .liveFrame(let id, let order): orderFrame(id, order)
        case .setClock(let id, let offset): setClock(id, zoneOffsetSeconds: offset)
        }
        return nil
    }

    /// Runs a command that has one answer.
    private mutating func answer(
        _ id: UInt64, during: String,
        _ body: (borrowing CameraSession) throws(CameraError) -> WorkerEvent
    ) {
        do throws(CameraError) {
            daemon.send(try body(self))
        } catch {
            daemon.send(.failed(id: id, judge(error, during: during)))
        }
    }

    /// Decides after an error whether the session is over, and puts the error in the daemon's terms.
    ///
    /// An unanswered request is the end of it over any link: the driver does not look whose reply it reads next, so
    /// bytes of one photo could end up in another. Everything else the camera refused, and may do better next time.
    @discardableResult
    mutating func judge(_ error: CameraError, during: String) -> WorkerFailure {
        var failure = WorkerFailure(error, during: during)
        if camera.sockets.isClosed {
            lose(.disconnected, closing, code: error.code)
        } else if error.kind == .disconnected || camera.isOutOfStep || camera.awaitsResponse {
            // The driver reports its own time-out as an I/O error: perror() has changed errno by then (ptpip.c).
            let isSilent = error.kind == .timeout || camera.silentMs >= Self.driverTimeoutMs
            lose(isSilent ? .timeout : .disconnected, error.text, code: error.code)
        }
        // An object that ends the session by its length must not be asked for in that way again.
        if let loss, failure.kind != .tooLarge { failure.kind = loss.kind }
        return failure
    }
}

extension WorkerCommand {
    /// Whether the worker has to see the packets for it: what the camera itself answers, and tells of its settings.
    fileprivate var needsPackets: Bool {
        switch self {
        case .readSettings, .writeSettings, .setClock, .begin, .focus, .liveFrame: true
        // These do without as far as they can.
        case .open, .list, .reconcile, .fetch, .delete, .trigger, .refresh, .end, .close: false
        }
    }
}
