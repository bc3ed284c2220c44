import Foundation
import FrameFastModel
import FrameFastSystem
import Logging
import Makers
import ScriptedWorker
import Synchronization
import TestRig
import Testing
import WorkerProtocol

@testable import Cameras

/// A camera with scripted workers, and the supervisor that keeps the camera connected.
///
/// The supervisor, the recovery steps and the link are the service's code. Only the worker process is
/// simulated.
final class SupervisedCamera: Sendable {
    /// The state of the camera and the computer, which a test changes as a person would.
    struct State: Sendable {
        /// The error of opening the camera, or `nil` if the camera opens.
        var openFailure: WorkerFailure?
        /// The error of starting a worker, or `nil` if workers start.
        var startError: (any Error)?
        /// The facts that the open camera reports.
        var facts = CameraFacts()
        /// The way in which each worker ends.
        var end = WorkerProcess.End.exited(0)
        /// The object that the driver was reading when the worker ended.
        var lastObject: UInt32?
        /// The number of attempts to start a worker or to open the camera.
        var attempts = 0
    }

    /// The scripted workers of a camera.
    private final class ScriptedWorkers: WorkerRunner {
        let state: Mutex<State>
        private let worker = ScriptedWorker { _, _, _ throws(WorkerFailure) in
            throw WorkerFailure(kind: .unsupported, during: "fetch", text: "the card is empty")
        }

        init(_ initial: State) { state = Mutex(initial) }

        func run(_ body: @escaping @Sendable (WorkerLink) async -> Void) async throws -> WorkerProcess.End {
            if let error = state.withLock(\.startError) {
                state.withLock { $0.attempts += 1 }
                throw error
            }
            worker.opens { [weak self] () throws(WorkerFailure) in
                guard let self else { throw WorkerLink.disconnection("the test has ended") }
                return try self.openCamera()
            }
            let (ours, theirs) = try SocketPair.make()
            let link = WorkerLink(socket: ours, name: "test")
            worker.serve(theirs)
            await body(link)
            link.disconnect(WorkerLink.disconnection("the worker ended"))
            await link.waitUntilEnded()
            return state.withLock(\.end)
        }

        func lastObjectHandle() -> UInt32? { state.withLock(\.lastObject) }

        private func openCamera() throws(WorkerFailure) -> CameraFacts {
            let (failure, facts) = state.withLock { state in
                state.attempts += 1
                return (state.openFailure, state.facts)
            }
            if let failure { throw failure }
            return facts
        }
    }

    /// An owner that keeps each connection until it ends.
    private struct Owner: ConnectionOwner {
        func serve(_ connection: CameraConnection) async -> ConnectionEnd {
            for await _ in connection.notices {}
            return .lost(afterProgress: false)
        }
    }

    let conditionBoard = ConditionBoard { _ in }
    let registry = CameraRegistry { _ in }
    let camera: ConfiguredCamera
    private let workers: ScriptedWorkers
    private let knowledge: KnowledgeBase

    init(_ state: State, port: String = "usb:001,004") throws {
        camera = ConfiguredCamera(id: "left-1", name: "left", port: port, zone: .gmt, deletesAfterSave: false)
        workers = ScriptedWorkers(state)
        knowledge = try KnowledgeBase.bundled()
        registry.insert(CameraStatus(id: camera.id, name: camera.name, port: port, state: .searching))
    }

    /// Changes the camera or the computer.
    func change(_ body: (inout State) -> Void) { workers.state.withLock { body(&$0) } }

    /// The number of attempts to start a worker or to open the camera.
    var attempts: Int { workers.state.withLock(\.attempts) }

    /// The open connection, or `nil` if the camera is not connected.
    var connection: CameraConnection? { registry.connection(of: camera.id) }

    /// Supervises the camera from plugging in to unplugging, while `body` runs.
    ///
    /// - Parameter body: The steps of the test. The argument is the clock of the supervisor's pauses.
    func supervised(_ body: (VirtualClock) async throws -> Void) async throws {
        let clock = VirtualClock()
        let supervisor = supervisor(clock.hostClock)
        let running = Task { await supervisor.run() }
        let result: Result<Void, any Error>
        do { result = .success(try await body(clock)) } catch { result = .failure(error) }
        supervisor.stop(.unplugged)
        await running.value
        try result.get()
    }

    /// Returns a supervisor of the camera, and does not start the supervisor.
    ///
    /// - Parameter clock: The clock of the supervisor's pauses.
    func supervisor(_ clock: HostClock) -> CameraSupervisor {
        let start = WorkerStart(
            settings: WorkerSettings(
                program: "/usr/libexec/framefast-camera", homes: "/var/lib/x", drivers: [], photos: "/photos"
            ), drivers: "/var/lib/x/drivers", guid: .random())
        return CameraSupervisor(
            camera: camera, attachment: nil, knowledge: knowledge, workers: start, owner: Owner(),
            registry: registry, conditionBoard: conditionBoard,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, clock: clock,
            runner: workers
        ) { _ in nil }
    }

    /// Waits for a condition. Expects that no other condition exists, and that the next step contains
    /// `advice`.
    func expect(_ kind: ConditionKind, _ advice: String, _ clock: VirtualClock) async throws {
        let condition = try await until("the condition \(kind.rawValue)", clock) {
            conditionBoard.current.first
        }
        #expect(conditionBoard.current.map(\.kind) == [kind])
        #expect(condition.nextStep.contains(advice), "\(condition.nextStep)")
    }

    /// Ends the worker of the open connection, and waits for the next connection.
    func reconnect(_ clock: VirtualClock) async throws {
        let before = try await until("a connection", clock) { connection }
        before.abandon()
        try await until("another connection", clock) {
            connection.map { $0.identity != before.identity } == true ? () : nil
        }
    }

    /// Advances the clock until the supervisor has made two more attempts. Expects the same conditions as
    /// before.
    func expectUnchanged(_ clock: VirtualClock) async throws {
        let (kinds, before) = (conditionBoard.current.map(\.kind), attempts)
        try await until("two more attempts", clock) { attempts >= before + 2 ? () : nil }
        #expect(conditionBoard.current.map(\.kind) == kinds)
    }

    /// Advances the clock past the supervisor's pauses until `value` returns a value.
    @discardableResult
    func until<Value: Sendable>(
        _ what: String, _ clock: VirtualClock, _ value: () -> Value?
    ) async throws -> Value {
        try await eventually(what) {
            clock.advance(by: RecoveryLadder.pauses.maximum)
            return value()
        }
    }

    /// Advances the clock until the camera is connected and no condition exists.
    func expectConnected(_ clock: VirtualClock) async throws {
        try await until("a connection without a condition; \(conditionBoard.current)", clock) {
            connection != nil && conditionBoard.current.isEmpty ? () : nil
        }
    }
}
