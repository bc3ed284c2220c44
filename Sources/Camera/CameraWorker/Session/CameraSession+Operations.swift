import FrameFastModel
import GPhoto2
import Glibc
import WorkerProtocol

extension CameraSession {
    /// Nothing else is begun so shortly before an operation's next thing is due, in milliseconds: a look for events takes
    /// less. Between the pieces of a photo it is what a piece takes, up to the other.
    static let aimMs: Int32 = 40
    static let aimMostMs: Int32 = 150
    static let pieceMarginMs: Int32 = 10
    /// What is not done because the camera is busy is tried again at this distance, in nanoseconds: the end of an exposure, and
    /// other things; and how often.
    private static let closeAgainNs: UInt64 = 50_000_000
    private static let closeTriesMax = 200
    static let againNs: UInt64 = 500_000_000
    static let triesMax = 10

    // MARK: Orders

    /// Begins an operation.
    mutating func begin(_ id: UInt64, _ order: CameraOperation) {
        guard operation == nil, focusMove == nil else { return occupied(id) }
        guard order.isWithinBounds else { return refuse(id, .refused, OperationReasons.bounds) }
        finishLiveView(for: order.kind)
        let now = BootClock.nowNs
        operation = RunningOperation(order: order, step: .shot, beganNs: now, dueNs: now)
        do throws(WorkerFailure) {
            switch order {
            case .bulb(let order): try beginBulb(order)
            case .interval(let order): try beginInterval(order)
            case .bracket: try beginBracket()
            case .focusStack: try beginFocusStack()
            case .movie(let order): try beginMovie(order)
            case .release(let order): try beginInterval(order.interval)
            }
            // Who has begun it finds it begun.
            tell()
            daemon.send(.done(id: id))
        } catch {
            setBack()
            operation = nil
            process.mustEndInOrder(false)
            daemon.send(.failed(id: id, error))
        }
    }

    /// Ends what runs, and takes the settings of the camera as they are.
    mutating func endOperation(_ id: UInt64) {
        if operation == nil { liveView.mustEnd(nowMs: nowMs()) }
        confirmSettings()
        stopOperation(.stopped, OperationReasons.asked)
        daemon.send(.done(id: id))
    }

    /// Says which operation keeps the camera busy.
    func occupied(_ id: UInt64) {
        refuse(id, .occupied, operation?.kind.rawValue ?? CameraOperation.Kind.focusStack.rawValue)
    }

    func refuse(_ id: UInt64, _ kind: WorkerFailure.Kind, _ text: String) {
        daemon.send(.failed(id: id, WorkerFailure(kind: kind, during: "operation", text: text)))
    }

    // MARK: Time

    /// Whether the shutter is held open from here.
    var isExposing: Bool { if case .open = operation?.step { true } else { false } }

    /// Whether photos cannot be read now.
    var holdsCard: Bool {
        operation?.toggle?.holdsCard == true || shutterRest.delay(nowMs: nowMs()) > 0
    }

    /// Milliseconds until the operation is to be looked after; `nil` when there is none, or when it waits for a setting.
    var operationDelay: Int32? {
        guard let operation, operation.dueNs < .max else { return nil }
        let wait = BootClock.ms(until: operation.dueNs)
        return BootClock.pollMs(before: isExact ? max(0, wait - Self.aimMs) : wait)
    }

    /// Whether what is due is due to the millisecond.
    private var isExact: Bool {
        switch operation?.step {
        case .open, .ticks: true
        default: false
        }
    }

    /// Does what is due of the operation.
    ///
    /// - Parameter aimMs: how long before it is due to the millisecond nothing else is begun.
    /// - Returns: whether anything was.
    mutating func serveOperation(withinMs aimMs: Int32) -> Bool {
        guard loss == nil, let due = operation?.dueNs, due < .max,
            BootClock.ms(until: due) <= (isExact ? aimMs : 0)
        else { return false }
        if case .ticks = operation?.step, habits.losesEventsAtRelease == true, BootClock.ms(until: due) > 0 {
            // The driver throws away what waits when it releases.
            takeEvents(isAll: true)
        }
        let wait = BootClock.ms(until: due)
        if wait > 0 { poll(nil, 0, wait) }
        guard loss == nil, let step = operation?.step else { return true }
        switch step {
        case .open(let untilNs): exposeOn(untilNs)
        case .recording(let untilNs): recordOn(untilNs)
        case .ticks(let ticks): tick(ticks)
        case .shot: takeShot()
        case .exposing: goOn()
        case .focus: moveForStack()
        case .back: setBackAndFinish()
        case .setting: operation?.dueNs = .max
        }
        return true
    }

    /// Tells the daemon how far it is. The end of an interval that continues with the next connection is not told.
    func tell(_ tick: IntervalTick? = nil) {
        guard let operation, operation.end == nil || !operation.continues else { return }
        daemon.send(.operation(operation.progress(nowNs: BootClock.nowNs, wallMs: wallMs(), tick: tick)))
    }

    // MARK: The end

    /// Ends the operation: what was changed is set back next.
    mutating func stopOperation(_ state: CameraOperationProgress.State, _ reason: String?) {
        guard let running = operation, running.end == nil else { return }
        operation?.end = (state, reason)
        writings.removeAll { $0.id == nil }
        operation?.tries = 0
        operation?.dueNs = BootClock.nowNs
        switch running.step {
        case .open, .recording: close()
        default: operation?.step = .back
        }
    }

    /// Closes the shutter, or ends the movie; a camera that will not is asked again.
    private mutating func close() {
        guard let toggle = operation?.toggle, let tries = operation?.tries, loss == nil else { return }
        var isClosed = false
        // A movie is over when it is told to end: a Nikon answers when it has written it.
        let askedNs = BootClock.nowNs
        for (index, setting) in toggle.end.enumerated() {
            let isSet = set(setting.setting, to: setting.value)
            // The others let go of the button.
            if index == 0 { isClosed = isSet }
            if !isSet, index == 0 { break }
        }
        guard loss == nil else { return }
        let now = BootClock.nowNs
        if isClosed {
            settings.forget(Self.runs, for: .operation)
        } else if tries < Self.closeTriesMax {
            operation?.tries = tries + 1
            operation?.dueNs = now + Self.closeAgainNs
            return
        } else {
            let isMovie = operation?.kind == .movie
            operation?.end = (
                .failed, isMovie ? OperationReasons.mayRecord : OperationReasons.shutterMayBeOpen
            )
        }
        operation?.tries = 0
        let took = operation?.elapsedMs(nowNs: operation?.kind == .movie ? askedNs : now)
        operation?.tookMs = took
        if operation?.kind == .bulb, isClosed { operation?.done = 1 }
        operation?.step = .back
        operation?.dueNs = now
    }

    /// The shutter is open: it is told each second, and closed at its time.
    private mutating func exposeOn(_ untilNs: UInt64) {
        if operation?.end != nil { return close() }
        let now = BootClock.nowNs
        guard now < untilNs else {
            operation?.end = (.ended, nil)
            return close()
        }
        tell()
        let due = operation?.dueNs ?? now
        operation?.dueNs = min(untilNs, due + Self.secondNs)
    }

    private mutating func recordOn(_ untilNs: UInt64?) {
        if operation?.end != nil { return close() }
        let now = BootClock.nowNs
        guard let untilNs, now >= untilNs else {
            tell()
            operation?.dueNs = min(untilNs ?? .max, now + Self.secondNs)
            return
        }
        operation?.end = (.ended, nil)
        close()
    }

    static let secondNs: UInt64 = 1_000_000_000
    /// Under this name it is noted what is held open.
    static let runs = "runs"

    /// Sets back what was changed, and is done.
    private mutating func setBackAndFinish() {
        let tries = operation?.tries ?? 0
        guard !setBack(), tries < Self.triesMax, loss == nil else { return finished() }
        operation?.tries = tries + 1
        operation?.dueNs = BootClock.nowNs + Self.againNs
    }

    /// Sets back what was changed for the operation. A camera whose dials have the command refuses settings: the computer
    /// takes the command for it.
    ///
    /// - Parameter isRecovery: Whether an earlier worker changed it, and the driver may have crashed by it.
    /// - Returns: whether the camera has all of it again.
    @discardableResult
    mutating func setBack(isRecovery: Bool = false) -> Bool {
        let changed = changedForOperation
        guard !changed.isEmpty else { return true }
        if let priority = habits.priority {
            _ =
                isRecovery
                ? attempt(priority.setting, priority.host) : set(priority.setting, to: priority.host)
        }
        for (name, value) in changed {
            let isSet =
                isRecovery
                ? attempt(name, value, isListed: false) : set(name, to: value, isListed: false)
            if isSet { settings.forget(name, for: .operation) }
        }
        if let priority = habits.priority {
            _ =
                isRecovery
                ? attempt(priority.setting, priority.body) : set(priority.setting, to: priority.body)
        }
        return changedForOperation.isEmpty
    }

    /// The settings that were changed for an operation, with the camera's own values, without those that are given up.
    private var changedForOperation: [String: String] {
        let settings = settings
        return settings.changed(for: .operation).filter {
            $0.key != Self.runs && !settings.isGivenUp($0.key, for: .operation)
        }
    }

    private mutating func finished() {
        finishLiveView()
        if let priority = habits.priority { set(priority.setting, to: priority.body) }
        if let handBack = habits.handBack, !holdsBody { set(handBack.setting, to: handBack.value) }
        if !setBack(), operation?.end?.reason == nil { operation?.end?.reason = OperationReasons.notBack }
        tell()
        operation = nil
        process.mustEndInOrder(false)
        noteActivity()
    }

    /// The session ends: what runs ends first, then what was changed for the session is set back. The daemon orders the rest of
    /// an interval again; what else was ordered and is not done has failed.
    mutating func endInOrder() {
        let isInterval = operation?.kind == .interval && operation?.end == nil
        operation?.continues = isInterval
        stopOperation(.failed, OperationReasons.sessionEnds)
        while operation != nil, loss == nil {
            let wait = operation.map { BootClock.ms(until: $0.dueNs) } ?? 0
            // What the camera has to say may be that it is not busy any more.
            if wait > 0 { _ = try? camera.nextEvent(timeoutMs: min(wait, Self.aimMs)) }
            _ = serveOperation(withinMs: 0)
        }
        finishLiveView()
        giveBack()
    }

    /// The connection is gone. The daemon orders the rest of an interval again with the next one.
    mutating func loseOperation() {
        guard let running = operation else { return }
        let isOpen = isExposing
        operation?.continues = running.kind == .interval && running.end == nil
        operation?.end = (.failed, isOpen ? OperationReasons.shutterMayBeOpen : OperationReasons.lost)
        tell()
        operation = nil
        process.mustEndInOrder(false)
    }

    /// The ways of doing something that the driver has for this camera.
    mutating func known(_ toggles: [CameraHabits.Toggle]?) -> [CameraHabits.Toggle] {
        do throws(CameraError) {
            let names = try settingsTable().known
            let isNetwork = camera.sockets.isNetwork
            return (toggles ?? []).filter { toggle in
                !(isNetwork && toggle.onlyUSB == true)
                    && (toggle.begin + toggle.end).allSatisfy { names.contains($0.setting) }
            }
        } catch {
            judge(error, during: "operation")
            return []
        }
    }
}
