import FoundationEssentials
import FrameFastAPI

/// A state machine that guides a person from the first question to a connected camera.
///
/// The inputs of the flow are choices, keys and events of the daemon. Its outputs are actions. The flow makes
/// no calls, never waits and prints nothing.
struct ConnectFlow {
    /// The open screen.
    enum Stage: Equatable {
        case loading
        case maker
        case session
        case sessionName
        case uploadMode
        case startingSession
        case connection
        case network
        case address
        /// Searching the network. The value is the progress of a sweep over every address, or `nil` without a
        /// sweep.
        case searching(DiscoveryReply.Sweep?)
        /// The camera was found, and waits until its owner accepts this computer on the camera's screen.
        case pairing(DiscoveryReply.Asking)
        case found(DiscoveryReply)
        case adding(String)
        case waiting
        case ready(CameraReply)
    }

    enum Renaming { case toDo, underway, done }

    /// A side effect that the caller performs.
    enum Action: Equatable {
        case startSession(name: String, mode: UploadMode?)
        case discover(DiscoveryRequest)
        case add(CameraAddRequest)
        case rename(id: CameraID, name: String)
        /// Fetch the makers again, because a camera was plugged in or unplugged while the list is open.
        case refreshMakers
        /// End the flow. The camera is ready.
        case finish(CameraReply)
        /// End the flow, because the person quits.
        case leave
        /// End the flow with an error, because a required option is missing and the program cannot prompt.
        case missing(Explanation)
        case fail(Explanation)
    }

    /// Whether the flow can prompt a person.
    let canAsk: Bool
    var selections: ConnectSelections
    private(set) var stage = Stage.loading
    var makers: [MakerReply]?
    private(set) var status: StatusReply?
    /// The reason why the daemon is unreachable, or `nil` while the daemon is connected.
    var offline: Explanation?
    /// The reason why the last input was rejected or the last call failed, or `nil` without an error.
    var errorMessage: String?
    /// The index of the focused row in the filtered list, or `nil` without a focus.
    var cursor: Int?
    /// Whether the person has pressed a key on this screen. Before the first key, the focus follows the maker
    /// of a detected camera.
    var hasPressedKey = false
    /// The typed text, or the typed number of a row.
    var draft = ""
    /// The number of lines by which the steps are scrolled. The screen limits the value.
    var scroll = 0
    /// The filter of the list, or `nil` if the list is not filtered.
    var filter: ListFilter?
    /// The path of the last photo saved from the ready camera, or `nil` before the first photo.
    var savedPath: String?
    /// The cameras that were already connected when the person chose to connect another camera. The flow
    /// ignores these cameras.
    private var others: Set<CameraID> = []
    /// The camera that the flow waits for, or `nil` until the daemon reports the camera.
    var target: CameraID?
    var renaming = Renaming.toDo
    private var hasStartedSession = false
    private var history: [ConnectSelections] = []
    /// The combined result of the sweep so far, or `nil` without a sweep.
    var sweepResult: DiscoveryReply?

    init(selections: ConnectSelections, canAsk: Bool) {
        self.selections = selections
        self.canAsk = canAsk
    }

    // MARK: State for the screen

    /// The camera that the person is connecting, or `nil` until the daemon reports the camera.
    var camera: CameraReply? {
        guard let status else { return nil }
        if let target { return status.cameras.first { $0.id == target } }
        let candidates = status.cameras.filter { camera in
            !camera.isIgnored && !others.contains(camera.id) && matchesConnection(camera)
        }
        var fitting = candidates
        if case .known(let maker) = selections.maker {
            fitting = candidates.filter { $0.maker == nil || maker.isMaker(of: $0) }
            // If no camera of the chosen maker is present, accept any camera. In a script, accept only the
            // given maker.
            if canAsk, fitting.allSatisfy({ $0.isAway }) { fitting = candidates }
        }
        return fitting.min { $0.connectRank < $1.connectRank }
    }

    /// The daemon's conditions about ``camera``.
    var cameraConditions: [ConditionReply] {
        guard let camera else { return [] }
        return status?.conditions.filter { $0.camera == camera.id } ?? []
    }

    var runningSession: SessionReply? { status?.session }

    /// Whether the person can go back to an earlier question.
    var canGoBack: Bool { !history.isEmpty }

    /// Returns whether the camera has the connection that the person chose.
    private func matchesConnection(_ camera: CameraReply) -> Bool {
        let isOnNetwork = camera.port?.hasPrefix("ptpip") == true
        return switch selections.connection {
        case .usb: !isOnNetwork
        case .network(.address(let address)): camera.isAt(address)
        case .network: isOnNetwork
        case nil: true
        }
    }

    // MARK: Events and results of calls

    /// Handles a new list of makers.
    mutating func handle(makers: [MakerReply]) -> [Action] {
        guard stage == .maker, let old = self.makers else {
            self.makers = makers
            return advance()
        }
        // The person may be reading this list. Update the marks, but keep the order of the rows.
        let detected = Set(makers.filter(\.isDetected).map(\.id))
        self.makers = old.map { maker in
            var maker = maker
            maker.isDetected = detected.contains(maker.id)
            return maker
        }
        if !hasPressedKey, filter == nil, detected.count == 1 {
            cursor = old.firstIndex { detected.contains($0.id) }
        }
        return []
    }

    /// Handles an event of the daemon.
    mutating func handle(_ event: EventReply.Body) -> [Action] {
        let isFirst = status == nil
        switch event {
        case .snapshot(let new):
            status = new
            offline = nil
        case .capture(let capture):
            if case .ready(let camera) = stage, capture.cameraID == camera.id, let path = capture.path {
                savedPath = path
            }
        default: status?.apply(event)
        }
        if isFirst { adoptReadyCamera() }
        // On other screens, the person may be reading a list, so these screens stay unchanged.
        switch (stage, event) {
        case (.loading, _), (.waiting, _), (.ready, _): return advance()
        case (.maker, .camera), (.maker, .cameraRemoved): return [.refreshMakers]
        default: return []
        }
    }

    mutating func handleStartedSession(_ session: SessionReply) -> [Action] {
        status?.session = session
        selections.session = .current
        hasStartedSession = true
        return advance()
    }

    mutating func handleDiscovery(_ reply: DiscoveryReply) -> [Action] {
        switch stage {
        case .searching:
            let whole = sweepResult?.merging(reply) ?? reply
            guard let sweep = reply.sweep, let next = sweep.next else {
                sweepResult = nil
                return finishSearch(whole)
            }
            sweepResult = whole
            stage = .searching(sweep)
            return [.discover(DiscoveryRequest(maker: selections.makerID, sweep: true, after: next))]
        case .pairing(let asking):
            guard reply.found.isEmpty, reply.asking.contains(where: { $0.address == asking.address }) else {
                return finishSearch(reply)
            }
            return requestPairing(asking)
        default: return []
        }
    }

    /// Searches again at the address of a camera that waits until its owner accepts this computer. The daemon
    /// replies when the owner decides, or after some seconds without a decision.
    private func requestPairing(_ asking: DiscoveryReply.Asking) -> [Action] {
        [.discover(DiscoveryRequest(address: asking.address))]
    }

    private mutating func finishSearch(_ reply: DiscoveryReply) -> [Action] {
        if reply.found.isEmpty, let asking = reply.asking.first {
            open(.pairing(asking))
            return requestPairing(asking)
        }
        if case .pairing = stage, reply.found.count == 1, let only = reply.found.first {
            selections.connection = .network(.address(only.address))
            return advance()
        }
        if reply.found.count == 1, let only = reply.found.first, !canAsk {
            selections.connection = .network(.address(only.address))
            return advance()
        }
        guard canAsk else {
            let message =
                reply.found.isEmpty ? "cannot find a camera on the network" : "cannot choose between cameras"
            let step =
                reply.found.isEmpty
                ? reply.guidance?.steps.first ?? reply.guidance?.sentence
                : "Choose one camera with --address: \(reply.found.map(\.address).joined(separator: ", "))."
            return [
                .fail(
                    Explanation(status: .failed, code: .notFound, message: message, nextStep: step))
            ]
        }
        open(.found(reply), cursor: 0)
        return []
    }

    mutating func handleAddedCamera(_ camera: CameraReply) -> [Action] {
        target = camera.id
        if status?.cameras.contains(where: { $0.id == camera.id }) == false { status?.cameras.append(camera) }
        return advance()
    }

    mutating func handleRenamedCamera(_ camera: CameraReply) -> [Action] {
        renaming = .done
        return handle(.camera(camera))
    }

    /// Handles a failed call: returns to the question that led to the call, and shows the error.
    mutating func handleFailure(_ explanation: Explanation) -> [Action] {
        guard canAsk else { return [.fail(explanation)] }
        let text = explanation.message + (explanation.nextStep.map { ". \($0)" } ?? "")
        switch stage {
        case .adding(let address):
            selections.connection = .network(.enteringAddress)
            open(.address)
            draft = address
        case .searching, .pairing: selections.connection = .network(nil)
        case .startingSession:
            selections.session = nil
            selections.mode = nil
        default: break
        }
        let actions = advance()
        errorMessage = text
        return actions
    }

    /// Opens a screen. Does nothing if the screen is already open.
    mutating func open(_ stage: Stage, cursor: Int? = nil) {
        guard self.stage != stage else { return }
        self.stage = stage
        self.cursor = cursor
        hasPressedKey = false
        filter = nil
        scroll = 0
        draft = ""
        errorMessage = nil
    }

    // MARK: Selections

    /// Changes the selections, and continues with the next question. Saves the previous selections for
    /// ``goBack()``.
    mutating func updateSelections(_ change: (inout ConnectSelections) -> Void) -> [Action] {
        let old = selections
        change(&selections)
        if selections != old { history.append(old) }
        return advance()
    }

    /// Goes back to the previous question.
    mutating func goBack() -> [Action] {
        guard let last = history.popLast() else { return [] }
        selections = last
        target = nil
        if hasStartedSession, case .new = selections.session { selections.session = nil }
        return advance()
    }

    /// Starts over to connect another camera, in the same session.
    mutating func connectAnotherCamera() -> [Action] {
        others.formUnion(status?.cameras.filter(\.isConnected).map(\.id) ?? [])
        target = nil
        history = []
        renaming = .toDo
        selections = ConnectSelections(session: .current)
        return advance()
    }
}
