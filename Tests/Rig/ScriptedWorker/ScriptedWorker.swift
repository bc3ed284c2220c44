import Crypto
public import Foundation
public import FrameFastModel
import Glibc
import Synchronization
public import SystemPackage
public import WorkerProtocol

/// A camera worker that does what a test says, at the far end of a real link.
///
/// It speaks the protocol of `framefast-camera` and has no camera: what is above the link is tested as it is.
public final class ScriptedWorker: Sendable {
    /// What the worker gives for an object's bytes; it fails as thrown.
    public typealias Reading =
        @Sendable (
            _ object: CameraObject, _ reading: Int, _ asWhole: Bool
        ) throws(WorkerFailure) -> Data

    private let reading: Reading
    private let state: Mutex<State>

    private struct State {
        var objects: [CameraObject]
        var listFailure: WorkerFailure?
        var missing = 0
        var comparisons = 0
        var triggerFailure: WorkerFailure?
        var triggers = 0
        var readings: [CameraObject: Int] = [:]
        var deleted: [CameraObject] = []
        var frame: (@Sendable (Int) throws(WorkerFailure) -> Data)?
        var frames = 0
        var begun: [CameraOperation] = []
        var ends = 0
        var beginFailure: WorkerFailure?
        var settings = ScriptedSettings()
        var settingsFailure: WorkerFailure?
        var clock = CameraClockSetting(driftBeforeMs: nil, driftAfterMs: nil)
        var clocks: [Int] = []
        var onDelete: (@Sendable (CameraObject) -> Void)?
    }

    /// - Parameter objects: What is on the card.
    public init(_ objects: [CameraObject] = [], reading: @escaping Reading) {
        self.reading = reading
        state = Mutex(State(objects: objects))
    }

    /// Answers on this socket until its other end is closed, on a thread of its own; closes it then.
    public func serve(_ socket: FileDescriptor) {
        Thread { [self] in work(socket) }.start()
    }

    /// Puts other objects on the card; the next listing has them.
    public func put(_ objects: [CameraObject]) { state.withLock { $0.objects = objects } }

    /// What a listing breaks off with, after the first half of the card; `nil` for one that ends.
    public func listFails(_ failure: WorkerFailure?) { state.withLock { $0.listFailure = failure } }

    /// How many objects the card has that this session was not told of; only a new session lists them.
    public func misses(_ count: Int) { state.withLock { $0.missing = count } }

    /// How often the card was compared with what this session was told of.
    public var comparisons: Int { state.withLock(\.comparisons) }

    /// What the shutter refuses with; `nil` for one that opens.
    public func triggerFails(_ failure: WorkerFailure?) { state.withLock { $0.triggerFailure = failure } }

    /// What live view shows, by the number of the frame from 1; without it the camera has no live view.
    public func shows(_ frame: @escaping @Sendable (Int) throws(WorkerFailure) -> Data) {
        state.withLock { $0.frame = frame }
    }

    /// What was begun, in order.
    public var begun: [CameraOperation] { state.withLock(\.begun) }

    /// How many orders to stop an operation came.
    public var ends: Int { state.withLock(\.ends) }

    /// What everything that takes longer than a moment is refused with; `nil` for nothing.
    public func beginFails(_ failure: WorkerFailure?) { state.withLock { $0.beginFailure = failure } }

    /// How often a frame was asked for.
    public var frames: Int { state.withLock(\.frames) }

    /// Changes what the camera is set to, and how it takes changes.
    public func set(_ body: (inout ScriptedSettings) -> Void) { state.withLock { body(&$0.settings) } }

    /// What the camera is set to, and what was asked of it.
    public var settings: ScriptedSettings { state.withLock(\.settings) }

    /// What questions about settings and the clock fail with; `nil` for none.
    public func settingsFail(_ failure: WorkerFailure?) { state.withLock { $0.settingsFailure = failure } }

    /// What becomes of setting the clock.
    public func setsClock(_ setting: CameraClockSetting) { state.withLock { $0.clock = setting } }

    /// Zones that the clock was set to, in seconds east of UTC.
    public var clocks: [Int] { state.withLock(\.clocks) }

    /// Calls `body` when an object is to be deleted or released.
    public func onDelete(_ body: @escaping @Sendable (CameraObject) -> Void) {
        state.withLock { $0.onDelete = body }
    }

    /// What was deleted or released, in order.
    public var deleted: [CameraObject] { state.withLock(\.deleted) }

    /// How often the shutter was released.
    public var triggers: Int { state.withLock(\.triggers) }

    /// How often an object was read.
    public func readings(_ object: CameraObject) -> Int { state.withLock { $0.readings[object] ?? 0 } }

    // MARK: commands

    private func work(_ socket: FileDescriptor) {
        defer { try? socket.close() }
        while let prefix = read(socket, WorkerFrame.prefixBytes),
            let length = try? WorkerFrame.bodyLength(prefix: prefix), let body = read(socket, length),
            let command = try? WorkerFrame.decodeCommand(from: Data(body))
        {
            for event in answers(to: command) {
                guard let frame = try? WorkerFrame.encode(event), socket.send(frame) else {
                    return
                }
            }
        }
    }

    private func read(_ socket: FileDescriptor, _ count: Int) -> [UInt8]? {
        var bytes: [UInt8] = []
        while bytes.count < count {
            var part = [UInt8](repeating: 0, count: count - bytes.count)
            let got = part.withUnsafeMutableBytes { (try? socket.read(into: $0)) ?? 0 }
            guard got > 0 else { return nil }
            bytes += part[..<got]
        }
        return bytes
    }

    private func answers(to command: WorkerCommand) -> [WorkerEvent] {
        switch command {
        case .list(let id): return list(id)
        case .reconcile(let id):
            return state.withLock { state in
                state.comparisons += 1
                return [.reconciled(id: id, missing: state.missing, total: state.objects.count)]
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
            state.withLock { state -> (@Sendable (CameraObject) -> Void)? in
                state.deleted.append(object)
                return state.onDelete
            }?(object)
            return [.done(id: id)]
        case .readSettings(let id, let names):
            return [aboutSettings(id) { .settings(id: id, $0.settings.read(names)) }]
        case .writeSettings(let id, let order):
            return [aboutSettings(id) { .settingResults(id: id, $0.settings.change(order)) }]
        case .setClock(let id, let zone):
            return [
                aboutSettings(id) { state in
                    state.clocks.append(zone)
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
        case .open, .close: return []
        }
    }

    private func aboutSettings(
        _ id: UInt64, _ answer: (inout State) -> WorkerEvent
    ) -> WorkerEvent {
        state.withLock { state in state.settingsFailure.map { .failed(id: id, $0) } ?? answer(&state) }
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
        let asked = CameraObject(
            folder: request.folder, name: request.name, size: request.announcedSize, cameraTime: 1)
        // A request has no time: the card's own object has.
        let onCard = state.withLock { state in
            state.objects.first {
                ($0.folder, $0.name, $0.size) == (asked.folder, asked.name, asked.size)
            }
        }
        let object = onCard ?? asked
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
    /// Writes everything; a peer that hung up must not end the tests with SIGPIPE.
    ///
    /// - Returns: whether all of it went out.
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
