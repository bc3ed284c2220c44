import Crypto
public import Foundation
public import FrameFastModel
import Glibc
import Synchronization
import SystemIO
public import SystemPackage
public import WorkerProtocol

/// A scripted camera worker at the other end of a real link.
///
/// The worker implements the protocol of `framefast-camera` without a camera. All code above the link runs
/// unchanged.
public final class ScriptedWorker: Sendable {
    /// A function that returns the bytes of an object for its n-th reading, or throws the failure to report.
    public typealias Reading =
        @Sendable (
            _ object: CameraObject, _ reading: Int, _ asWhole: Bool
        ) throws(WorkerFailure) -> Data

    /// A function that returns the facts of a camera that is opened, or throws the failure to report.
    public typealias Opening = @Sendable () throws(WorkerFailure) -> CameraFacts

    private let reading: Reading
    private let state: Mutex<State>

    private struct State {
        var objects: [CameraObject]
        var opening: Opening = { CameraFacts(maker: "Test") }
        var listFailure: WorkerFailure?
        var missing = 0
        var refused = 0
        var comparisons = 0
        var triggerFailure: WorkerFailure?
        var triggers = 0
        var requested: [String] = []
        var delays: [String: String] = [:]
        var readings: [CameraObject: Int] = [:]
        var deleted: [CameraObject] = []
        var deleteFailure: WorkerFailure?
        var frame: (@Sendable (Int) throws(WorkerFailure) -> Data)?
        var frames = 0
        var begun: [CameraOperation] = []
        var ends = 0
        var beginFailure: WorkerFailure?
        var settings = ScriptedSettings()
        var settingsFailure: WorkerFailure?
        var clock = CameraClockSetting(driftBeforeMs: nil, driftAfterMs: nil)
        var clocks: [Int] = []
        var automaticClocks = 0
        var onDelete: (@Sendable (CameraObject) -> Void)?
    }

    /// - Parameter objects: The objects on the card.
    public init(_ objects: [CameraObject] = [], reading: @escaping Reading) {
        self.reading = reading
        state = Mutex(State(objects: objects))
    }

    /// Performs the commands from this socket, one after the other, until the peer closes the socket.
    ///
    /// Commands are received while an earlier command is performed, as in the worker.
    public func serve(_ socket: FileDescriptor) {
        let commands = CommandQueue()
        Thread { [self] in receiveCommands(socket, into: commands) }.start()
        Thread { [self] in performCommands(commands, socket) }.start()
    }

    /// Sets the result of opening the camera. Without this call, the camera opens.
    public func opens(_ opening: @escaping Opening) { state.withLock { $0.opening = opening } }

    /// Replaces the objects on the card. The next listing contains them.
    public func put(_ objects: [CameraObject]) { state.withLock { $0.objects = objects } }

    /// Makes listings fail after the first half of the card, or succeed if `failure` is `nil`.
    public func failListing(_ failure: WorkerFailure?) { state.withLock { $0.listFailure = failure } }

    /// Sets the number of objects that are on the card and unknown to this connection. Only a new connection
    /// lists these objects.
    public func setMissingCount(_ count: Int) { state.withLock { $0.missing = count } }

    /// Sets the number of objects that the camera refuses to describe.
    public func setRefusedCount(_ count: Int) { state.withLock { $0.refused = count } }

    /// Delays the reply to the next fetch of the object `name` until after the reply to a fetch of the object
    /// `other`. The real worker replies in this order if it still hashes the object `name`.
    public func delayReply(to name: String, after other: String) {
        state.withLock { $0.delays[name] = other }
    }

    /// The number of comparisons between the card and the objects of this connection.
    public var comparisons: Int { state.withLock(\.comparisons) }

    /// Makes the trigger fail, or succeed if `failure` is `nil`.
    public func triggerFails(_ failure: WorkerFailure?) { state.withLock { $0.triggerFailure = failure } }

    /// Sets the source of live-view frames, by frame number from 1. Without a source, the camera has no live
    /// view.
    public func shows(_ frame: @escaping @Sendable (Int) throws(WorkerFailure) -> Data) {
        state.withLock { $0.frame = frame }
    }

    /// The started operations, in order.
    public var begun: [CameraOperation] { state.withLock(\.begun) }

    /// The number of received commands that stop an operation.
    public var ends: Int { state.withLock(\.ends) }

    /// Makes the start of operations fail, or succeed if `failure` is `nil`.
    public func beginFails(_ failure: WorkerFailure?) { state.withLock { $0.beginFailure = failure } }

    /// The number of requested live-view frames.
    public var frames: Int { state.withLock(\.frames) }

    /// Changes the camera's settings, and its reaction to changes.
    public func set(_ body: (inout ScriptedSettings) -> Void) { state.withLock { body(&$0.settings) } }

    /// The camera's settings and the received commands.
    public var settings: ScriptedSettings { state.withLock(\.settings) }

    /// Makes commands for settings and the clock fail, or succeed if `failure` is `nil`.
    public func settingsFail(_ failure: WorkerFailure?) { state.withLock { $0.settingsFailure = failure } }

    /// Sets the result of setting the clock.
    public func setsClock(_ setting: CameraClockSetting) { state.withLock { $0.clock = setting } }

    /// The time zones to which the clock was set, in seconds east of UTC.
    public var clocks: [Int] { state.withLock(\.clocks) }

    /// The number of times that the service set the clock without a user's request.
    public var automaticClocks: Int { state.withLock(\.automaticClocks) }

    /// Calls `body` when a command deletes or releases an object.
    public func onDelete(_ body: @escaping @Sendable (CameraObject) -> Void) {
        state.withLock { $0.onDelete = body }
    }

    /// Makes deletions fail, or succeed if `failure` is `nil`.
    public func deleteFails(_ failure: WorkerFailure?) { state.withLock { $0.deleteFailure = failure } }

    /// The objects of the commands that delete or release an object, in order. Includes failed deletions.
    public var deleted: [CameraObject] { state.withLock(\.deleted) }

    /// The number of shutter releases.
    public var triggers: Int { state.withLock(\.triggers) }

    /// The names of the requested objects, in the order in which the requests arrived.
    public var requested: [String] { state.withLock(\.requested) }

    /// Returns the number of readings of an object.
    public func readings(_ object: CameraObject) -> Int { state.withLock { $0.readings[object] ?? 0 } }

    // MARK: commands

    /// The received commands that are not performed yet.
    private final class CommandQueue: Sendable {
        private let commands = Mutex<[WorkerCommand]>([])
        private let count = DispatchSemaphore(value: 0)

        func append(_ command: WorkerCommand) {
            commands.withLock { $0.append(command) }
            count.signal()
        }

        /// Ends the queue. The received commands are still returned.
        func finish() { count.signal() }

        /// Waits for the next command.
        ///
        /// - Returns: The command, or `nil` if the queue has ended.
        func next() -> WorkerCommand? {
            count.wait()
            return commands.withLock { $0.isEmpty ? nil : $0.removeFirst() }
        }
    }

    private func receiveCommands(_ socket: FileDescriptor, into commands: CommandQueue) {
        while let prefix = read(socket, WorkerMessage.prefixBytes),
            let length = try? WorkerMessage.bodyLength(prefix: prefix), let body = read(socket, length),
            let command = try? WorkerMessage.decodeCommand(from: Data(body))
        {
            if case .fetch(_, let request) = command { state.withLock { $0.requested.append(request.name) } }
            commands.append(command)
        }
        commands.finish()
    }

    /// The replies to the fetches of one connection, with the delayed replies.
    private struct FetchReplies {
        private var delayed: [(event: WorkerEvent, after: String)] = []
        private var answered: Set<String> = []

        /// Returns the events to send after the fetch of an object.
        ///
        /// - Parameter other: The object whose reply precedes this reply, or `nil`.
        mutating func events(
            _ events: [WorkerEvent], of name: String, after other: String?
        ) -> [WorkerEvent] {
            if let other, !answered.contains(other) {
                delayed += events.map { (event: $0, after: other) }
                return []
            }
            answered.insert(name)
            defer { delayed.removeAll { $0.after == name } }
            return events + delayed.filter { $0.after == name }.map(\.event)
        }
    }

    private func performCommands(_ commands: CommandQueue, _ socket: FileDescriptor) {
        var isOpen = true
        var replies = FetchReplies()
        while let command = commands.next() {
            var events = isOpen ? self.events(to: command) : []
            if case .fetch(_, let request) = command {
                let other = state.withLock { $0.delays.removeValue(forKey: request.name) }
                events = replies.events(events, of: request.name, after: other)
            }
            for event in events where isOpen {
                isOpen = (try? WorkerMessage.encode(event)).map(socket.send) ?? false
            }
        }
        try? socket.close()
    }

    private func read(_ socket: FileDescriptor, _ count: Int) -> [UInt8]? {
        try? IO.readExactly(count, from: socket.rawValue)
    }

    private func events(to command: WorkerCommand) -> [WorkerEvent] {
        switch command {
        case .list(let id): return list(id)
        case .reconcile(let id):
            return state.withLock { state in
                state.comparisons += 1
                return [
                    .reconciled(
                        id: id, missing: state.missing, total: state.objects.count, refused: state.refused)
                ]
            }
        case .refresh(let id): return [.done(id: id)]
        case .fetch(let id, let request): return [fetch(id, request)]
        case .trigger(let id):
            let failure = state.withLock { state in
                if state.triggerFailure == nil { state.triggers += 1 }
                return state.triggerFailure
            }
            return [failure.map { .failed(id: id, $0) } ?? .done(id: id)]
        case .delete(let id, let object):
            let (failure, onDelete) = state.withLock { state in
                state.deleted.append(object)
                return (state.deleteFailure, state.onDelete)
            }
            onDelete?(object)
            return [failure.map { .failed(id: id, $0) } ?? .done(id: id)]
        case .readSettings(let id, let names):
            return settingsEvents(id) { settings in
                let found = settings.read(names)
                return (found, .settings(id: id, found))
            }
        case .writeSettings(let id, let command):
            return settingsEvents(id) { settings in
                let results = settings.change(command)
                return (results.compactMap(\.now), .settingResults(id: id, results))
            }
        case .setClock(let id, let zone, let isAutomatic):
            return [
                settingsEvent(id) { state in
                    state.clocks.append(zone)
                    state.automaticClocks += isAutomatic ? 1 : 0
                    return .clockSet(id: id, state.clock)
                }
            ]
        case .begin(let id, let operation):
            let failure = state.withLock { state in
                if state.beginFailure == nil { state.begun.append(operation) }
                return state.beginFailure
            }
            return [failure.map { .failed(id: id, $0) } ?? .done(id: id)]
        case .end(let id):
            state.withLock { $0.ends += 1 }
            return [.done(id: id)]
        case .focus(let id, _): return [.done(id: id)]
        case .liveFrame(let id, _): return [frame(id)]
        case .open(let id, _): return [open(id)]
        case .close: return []
        }
    }

    private func settingsEvent(
        _ id: UInt64, _ answer: (inout State) -> WorkerEvent
    ) -> WorkerEvent {
        state.withLock { state in state.settingsFailure.map { .failed(id: id, $0) } ?? answer(&state) }
    }

    /// Returns the events of a command that reads or changes settings. The new values precede the reply, as
    /// in the worker.
    private func settingsEvents(
        _ id: UInt64, _ perform: (inout ScriptedSettings) -> (now: [CameraSetting], reply: WorkerEvent)
    ) -> [WorkerEvent] {
        state.withLock { state in
            if let failure = state.settingsFailure { return [.failed(id: id, failure)] }
            let (now, reply) = perform(&state.settings)
            let changed = state.settings.takeUnpublished(now)
            return changed.isEmpty ? [reply] : [.settingsChanged(changed, source: .request), reply]
        }
    }

    private func open(_ id: UInt64) -> WorkerEvent {
        let opening = state.withLock(\.opening)
        do throws(WorkerFailure) { return .opened(id: id, try opening()) } catch {
            return .failed(id: id, error)
        }
    }

    private func frame(_ id: UInt64) -> WorkerEvent {
        let (make, number) = state.withLock { state in
            state.frames += 1
            return (state.frame, state.frames)
        }
        guard let make else {
            return .failed(
                id: id, WorkerFailure(kind: .unsupported, during: "live view", text: "it has none"))
        }
        do throws(WorkerFailure) { return .frame(id: id, LiveFrame(jpeg: try make(number))) } catch {
            return .failed(id: id, error)
        }
    }

    private func list(_ id: UInt64) -> [WorkerEvent] {
        let (objects, failure) = state.withLock { ($0.objects, $0.listFailure) }
        guard let failure else { return [.listed(id: id, objects, isLast: true, total: objects.count)] }
        return [
            .listed(id: id, Array(objects.prefix(objects.count / 2)), isLast: false, total: objects.count),
            .failed(id: id, failure),
        ]
    }

    private func fetch(_ id: UInt64, _ request: FetchRequest) -> WorkerEvent {
        let requested = CameraObject(
            folder: request.folder, name: request.name, size: request.announcedSize, cameraTime: 1)
        // Finds the object on the card, because a request contains no camera time.
        let onCard = state.withLock { state in
            state.objects.first {
                ($0.folder, $0.name, $0.size) == (requested.folder, requested.name, requested.size)
            }
        }
        let object = onCard ?? requested
        let number = state.withLock { state -> Int in
            state.readings[object, default: 0] += 1
            return state.readings[object, default: 0]
        }
        let bytes: Data
        do throws(WorkerFailure) { bytes = try reading(object, number, request.asWhole) } catch {
            return .failed(id: id, error)
        }
        guard (try? bytes.write(to: URL(filePath: request.partPath), options: .withoutOverwriting)) != nil
        else {
            return .failed(id: id, WorkerFailure(kind: .hostIO, during: "fetch", text: "cannot write"))
        }
        let digest = SHA256.hash(data: bytes).map { String(format: "%02x", $0) }.joined()
        return .fetched(id: id, FetchResult(bytes: UInt64(bytes.count), sha256: digest, transferMs: 1))
    }
}

extension FileDescriptor {
    /// Writes all bytes. MSG_NOSIGNAL prevents a SIGPIPE if the peer has closed the connection.
    ///
    /// - Returns: Whether all bytes were written.
    public func send(_ frame: Data) -> Bool {
        var rest = frame[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Glibc.send(rawValue, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }
}
