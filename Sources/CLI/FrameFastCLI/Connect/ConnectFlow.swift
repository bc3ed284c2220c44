import FoundationEssentials
import FrameFastAPI

/// The guided way from nothing to a camera that is ready. A value: answers, news from the daemon and keys in,
/// actions out. It does not wait, ask or write.
struct ConnectFlow {
    /// Which screen is open.
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
        /// Being looked for; with how far a look at every address is.
        case looking(DiscoveryReply.Sweep?)
        /// Found, and its owner is asked on its screen.
        case pairing(DiscoveryReply.Asking)
        case found(DiscoveryReply)
        case adding(String)
        case waiting
        case ready(CameraReply)
    }

    enum Renaming { case toDo, underway, done }

    /// What is to be done outside.
    enum Action: Equatable {
        case startSession(name: String, mode: SessionReply.UploadMode?)
        case discover(DiscoveryRequest)
        case add(CameraAddRequest)
        case rename(id: CameraID, name: String)
        /// Something was plugged in while the picker is open.
        case askMakers
        /// The person is done; the camera is ready.
        case finish(CameraReply)
        /// The person leaves.
        case leave
        /// There is no one to ask.
        case missing(Explanation)
        case fail(Explanation)
    }

    /// Whether there is a person to ask.
    let canAsk: Bool
    var answers: ConnectAnswers
    private(set) var stage = Stage.loading
    var makers: [MakerReply]?
    private(set) var status: StatusReply?
    /// Why the daemon cannot be heard; `nil` while it can.
    var offline: Explanation?
    /// Why the last answer was not taken.
    var complaint: String?
    /// The row with the focus; `nil` when none has it.
    var cursor: Int?
    /// Whether the person has pressed a key on this screen; until then the first choice has the focus.
    var hasPressedKey = false
    /// What is being typed.
    var draft = ""
    /// Lines that the steps are scrolled; the screen knows how far that makes sense.
    var scroll = 0
    /// What makes the list shorter; `nil` when nothing does.
    var filter: ListFilter?
    /// The last photo that was saved while the camera was ready.
    var savedPath: String?
    /// Cameras that are connected already and not meant.
    private var others: Set<CameraID> = []
    /// The camera on the network that is waited for.
    var target: CameraID?
    var renaming = Renaming.toDo
    private var hasStartedSession = false
    private var history: [ConnectAnswers] = []
    /// What the pieces of a look at every address have brought so far.
    var swept: DiscoveryReply?

    init(answers: ConnectAnswers, canAsk: Bool) {
        self.answers = answers
        self.canAsk = canAsk
    }

    // MARK: What is shown

    /// The camera that is meant, as far as it is known.
    var camera: CameraReply? {
        guard let status else { return nil }
        if let target { return status.cameras.first { $0.id == target } }
        let candidates = status.cameras.filter { camera in
            !camera.isIgnored && !others.contains(camera.id) && isReached(camera)
        }
        var fitting = candidates
        if case .known(let maker) = answers.maker {
            fitting = candidates.filter { $0.maker == nil || maker.made($0) }
            // What is on the cable counts more than what was picked; a script means what it says.
            if canAsk, fitting.allSatisfy({ $0.isAway }) { fitting = candidates }
        }
        return fitting.min { $0.connectRank < $1.connectRank }
    }

    /// What the daemon says about the camera that is meant.
    var cameraConditions: [ConditionReply] {
        guard let camera else { return [] }
        return status?.conditions.filter { $0.camera == camera.id } ?? []
    }

    var runningSession: SessionReply? { status?.session }

    /// Whether there is a question before this one.
    var canGoBack: Bool { !history.isEmpty }

    private func isReached(_ camera: CameraReply) -> Bool {
        let isOnNetwork = camera.port?.hasPrefix("ptpip") == true
        return switch answers.connection {
        case .usb: !isOnNetwork
        case .network(.address(let address)): camera.isAt(address)
        case .network: isOnNetwork
        case nil: true
        }
    }

    // MARK: News

    mutating func take(makers: [MakerReply]) -> [Action] {
        guard stage == .maker, let old = self.makers else {
            self.makers = makers
            return advance()
        }
        // This list is being read: marks change, rows stay where they are.
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

    mutating func take(_ event: EventReply.Body) -> [Action] {
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
        // A list that is being read stays as it is.
        switch (stage, event) {
        case (.loading, _), (.waiting, _), (.ready, _): return advance()
        case (.maker, .camera), (.maker, .cameraRemoved): return [.askMakers]
        default: return []
        }
    }

    mutating func sessionStarted(_ session: SessionReply) -> [Action] {
        status?.session = session
        answers.session = .asItIs
        hasStartedSession = true
        return advance()
    }

    mutating func discovered(_ reply: DiscoveryReply) -> [Action] {
        switch stage {
        case .looking:
            let whole = swept?.adding(reply) ?? reply
            guard let sweep = reply.sweep, let next = sweep.next else {
                swept = nil
                return concluded(whole)
            }
            swept = whole
            stage = .looking(sweep)
            return [.discover(DiscoveryRequest(maker: answers.makerID, sweep: true, after: next))]
        case .pairing(let asking):
            guard reply.found.isEmpty, reply.asking.contains(where: { $0.address == asking.address }) else {
                return concluded(reply)
            }
            return ask(asking)
        default: return []
        }
    }

    /// Joins the camera that waits for its owner: the daemon holds the line, and answers as soon as there is an answer.
    private func ask(_ asking: DiscoveryReply.Asking) -> [Action] {
        [.discover(DiscoveryRequest(address: asking.address))]
    }

    private mutating func concluded(_ reply: DiscoveryReply) -> [Action] {
        if reply.found.isEmpty, let asking = reply.asking.first {
            enter(.pairing(asking))
            return ask(asking)
        }
        if case .pairing = stage, reply.found.count == 1, let only = reply.found.first {
            answers.connection = .network(.address(only.address))
            return advance()
        }
        if reply.found.count == 1, let only = reply.found.first, !canAsk {
            answers.connection = .network(.address(only.address))
            return advance()
        }
        guard canAsk else {
            let message =
                reply.found.isEmpty ? "cannot find a camera on the network" : "cannot choose between cameras"
            let step =
                reply.found.isEmpty
                ? reply.guidance?.steps.first ?? reply.guidance?.sentence
                : "Name one with --address: \(reply.found.map(\.address).joined(separator: ", "))."
            return [
                .fail(
                    Explanation(status: .failed, code: .notFound, message: message, nextStep: step))
            ]
        }
        enter(.found(reply), cursor: 0)
        return []
    }

    mutating func added(_ camera: CameraReply) -> [Action] {
        target = camera.id
        if status?.cameras.contains(where: { $0.id == camera.id }) == false { status?.cameras.append(camera) }
        return advance()
    }

    mutating func renamed(_ camera: CameraReply) -> [Action] {
        renaming = .done
        return take(.camera(camera))
    }

    /// A call came to nothing.
    mutating func failed(_ explanation: Explanation) -> [Action] {
        guard canAsk else { return [.fail(explanation)] }
        let text = explanation.message + (explanation.nextStep.map { ". \($0)" } ?? "")
        switch stage {
        case .adding(let address):
            answers.connection = .network(.typing)
            enter(.address)
            draft = address
        case .looking, .pairing: answers.connection = .network(nil)
        case .startingSession:
            answers.session = nil
            answers.mode = nil
        default: break
        }
        let actions = advance()
        complaint = text
        return actions
    }

    /// Opens a screen, if another one is open.
    mutating func enter(_ stage: Stage, cursor: Int? = nil) {
        guard self.stage != stage else { return }
        self.stage = stage
        self.cursor = cursor
        hasPressedKey = false
        filter = nil
        scroll = 0
        draft = ""
        complaint = nil
    }

    // MARK: Answers

    /// Goes on with changed answers; the old ones can be come back to.
    mutating func answer(_ change: (inout ConnectAnswers) -> Void) -> [Action] {
        let old = answers
        change(&answers)
        if answers != old { history.append(old) }
        return advance()
    }

    /// Goes back to the question before.
    mutating func back() -> [Action] {
        guard let last = history.popLast() else { return [] }
        answers = last
        target = nil
        if hasStartedSession, case .new = answers.session { answers.session = nil }
        return advance()
    }

    /// From the camera that is ready to the next one.
    mutating func another() -> [Action] {
        others.formUnion(status?.cameras.filter(\.isConnected).map(\.id) ?? [])
        target = nil
        history = []
        renaming = .toDo
        answers = ConnectAnswers(session: .asItIs)
        return advance()
    }
}
