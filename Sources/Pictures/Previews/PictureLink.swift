import ChildProcesses
import FrameFastSystem
import Glibc
import PictureProtocol
import Synchronization
import SystemIO
import SystemPackage

/// The daemon's end of the socket to one picture worker.
///
/// The link sends one request at a time. It checks every reply, because a picture may control the worker.
final class PictureLink: Sendable {
    /// The result of a request.
    enum Reply: Sendable {
        /// The worker answered.
        case result(PictureResult)
        /// The picture ended the worker, made it break the protocol, or used too much processor time.
        case ended(reason: String)
        /// The worker ended for a reason other than the picture.
        case stopped(reason: String)
        /// The worker was killed because it did not run, for example because a disk does not answer.
        case stalled(reason: String)
        /// The worker was killed because it ran too slowly.
        case slow(reason: String)
    }

    /// The reason why a worker did not become ready.
    struct StartFailure: Error, CustomStringConvertible {
        let description: String
    }

    /// The time for a worker to become ready, in seconds.
    private static let startSeconds = Double(30 * DebugSwitches.signOfLifeFactor)
    /// The time for a worker to exit after its socket was closed, in seconds.
    private static let exitSeconds = 1.0
    /// The time for a worker to exit after SIGKILL, in seconds. The kernel cannot end a worker that waits for
    /// a disk.
    private static let killSeconds = 5.0
    /// Signals that a person, systemd or the kernel sends to stop a process. The kernel sends SIGKILL if
    /// memory is short.
    private static let stopSignals = [SIGTERM, SIGINT, SIGHUP, SIGKILL]

    private let worker: PictureWorkerStart.Worker
    private let socket: FileDescriptor
    private let clock: HostClock
    private let pool = BlockingPool(label: "framefast.picture-worker", width: 1)
    private let state = Mutex(State())
    /// Whether the worker became ready or failed to start.
    private let hasStarted = Atomic(false)
    private let ending = AsyncResult<ChildProcess.End>()

    private struct State {
        var request = RunningRequest()
        /// Whether the socket is open. ``kill()`` must not use the number of a closed socket.
        var isOpen = true
    }

    /// Takes ownership of the socket.
    private init(worker: PictureWorkerStart.Worker, socket: FileDescriptor, clock: HostClock) {
        (self.worker, self.socket, self.clock) = (worker, socket, clock)
        // `waitForEnd(seconds:)` may return before the worker exits, so this task may outlive the link.
        Task { [ending] in ending.set(await worker.waitForEnd()) }
    }

    /// Starts a worker, and waits until it is ready.
    static func open(_ start: PictureWorkerStart, clock: HostClock) async throws -> PictureLink {
        let (ours, theirs) = try SocketPair.make()
        let link: PictureLink
        do {
            link = PictureLink(worker: try await start.start(theirs), socket: ours, clock: clock)
        } catch {
            try? ours.close()
            throw error
        }
        guard await link.isReady() else {
            link.kill()
            let end = await link.waitForEnd(seconds: killSeconds)
            await link.close()
            throw StartFailure(description: "framefast-picture does not start: \(describe(end))")
        }
        return link
    }

    /// Waits for the byte that a worker sends in its sandbox. Kills the worker after the time limit, or if
    /// the task is cancelled.
    private func isReady() async -> Bool {
        return await withTaskGroup(of: Void.self, returning: Bool.self) { group in
            group.addTask { [self] in
                // Uses the real clock, because a virtual clock may not advance while the worker starts.
                try? await HostClock.real.sleepAwake(Self.startSeconds)
                if !hasStarted.load(ordering: .acquiring) { kill() }
            }
            let bytes = await pool.run { [socket] () -> [UInt8]? in
                try? IO.readExactly(1, from: socket.rawValue)
            }
            hasStarted.store(true, ordering: .releasing)
            group.cancelAll()
            await group.waitForAll()
            return bytes == [PictureRequest.ready]
        }
    }

    // MARK: Requests

    /// Sends a request and waits for its result. The caller keeps its descriptors.
    ///
    /// - Parameter descriptors: The photo, and the result file if the task writes a file.
    func request(_ task: PictureTask, descriptors: [FileDescriptor]) async -> Reply {
        let number = state.withLock { $0.request.start() }
        let request = PictureRequest(number: number, task: task).encode()
        return await withTaskGroup(of: Void.self, returning: Reply.self) { group in
            group.addTask { [self] in await checkLimits(of: number) }
            let bytes = await exchange(request, descriptors.map(\.rawValue))
            let exceeded = state.withLock { $0.request.finish() }
            group.cancelAll()
            await group.waitForAll()
            return await reply(to: number, bytes, exceeded)
        }
    }

    /// Kills the worker if it exceeds a limit while it answers a request.
    private func checkLimits(of number: UInt32) async {
        var used = worker.processorSeconds() ?? 0
        var limits = RequestLimits(used: used)
        while true {
            do { try await clock.sleepAwake(RequestLimits.checkSeconds) } catch { return }
            used = worker.processorSeconds() ?? used
            guard let exceeded = limits.check(used: used) else { continue }
            if state.withLock({ $0.request.recordExceeded(exceeded, of: number) }) { kill() }
            return
        }
    }

    /// Sends the request and reads the bytes of the result. Returns `nil` if the worker closes the socket.
    private func exchange(_ request: [UInt8], _ descriptors: [Int32]) async -> [UInt8]? {
        await pool.run { [socket] () -> [UInt8]? in
            let sent = try? IO.send(request, descriptors: descriptors, to: socket.rawValue)
            guard sent == request.count else { return nil }
            return try? IO.readExactly(PictureResult.byteCount, from: socket.rawValue)
        }
    }

    private func reply(
        to number: UInt32, _ bytes: [UInt8]?, _ exceeded: RequestLimits.ExceededLimit?
    ) async -> Reply {
        if let bytes {
            guard var result = PictureResult(bytes: bytes), result.number == number else {
                kill()
                return .ended(reason: "it broke the protocol")
            }
            // The result arrived at the same time as the kill.
            if exceeded != nil { result.isLast = true }
            return .result(result)
        }
        switch exceeded {
        case .processorTime:
            let seconds = Int(RequestLimits.processorSecondsMax)
            return .ended(reason: "it used more than \(seconds) s of processor time")
        case .stalled:
            return .stalled(reason: "it did not run for \(Int(RequestLimits.checkSeconds)) s")
        case .elapsedTime:
            let seconds = Int(RequestLimits.checkSeconds) * RequestLimits.checksMax
            return .slow(reason: "it took more than \(seconds) s")
        case nil: return await reportEnd()
        }
    }

    /// Ends a worker that has closed its socket, and returns the reason for the end.
    private func reportEnd() async -> Reply {
        // A worker may close its socket without exiting. The signal does not change the status of a worker
        // that is already exiting.
        kill()
        let end = await waitForEnd(seconds: Self.killSeconds)
        let reason = Self.describe(end)
        switch end {
        case nil: return .stalled(reason: reason)
        case .exited: return .stopped(reason: reason)
        case .killed(let signal):
            return Self.stopSignals.contains(signal) ? .stopped(reason: reason) : .ended(reason: reason)
        }
    }

    private static func describe(_ end: ChildProcess.End?) -> String {
        switch end {
        case nil: "it does not exit"
        case .exited(let status): "it exited with status \(status)"
        case .killed(SIGKILL): "signal 9 ended it, for example because memory is short"
        case .killed(let signal): "signal \(signal) ended it"
        }
    }

    // MARK: End

    /// Whether the worker has exited.
    var hasExited: Bool { ending.value != nil }

    /// Waits until the worker has exited, without a time limit.
    func waitForExit() async { _ = await ending.wait() }

    /// Ends the worker immediately. A running request then returns.
    func kill() {
        worker.kill()
        state.withLock { if $0.isOpen { _ = shutdown(socket.rawValue, Int32(SHUT_RDWR)) } }
    }

    /// Closes the socket, and waits until the worker has exited. Kills a worker that does not exit. Call this
    /// function once, while no request is running.
    ///
    /// The function also returns if the kernel cannot end a worker that waits for a disk.
    func close() async {
        state.withLock { state in
            state.isOpen = false
            try? socket.close()
        }
        guard await waitForEnd(seconds: Self.exitSeconds) == nil else { return }
        worker.kill()
        _ = await waitForEnd(seconds: Self.killSeconds)
    }

    /// Waits until the worker has exited, or until the time limit.
    private func waitForEnd(seconds: Double) async -> ChildProcess.End? {
        await withTaskGroup(of: Void.self) { [ending] group in
            group.addTask { _ = await ending.waitUnlessCancelled() }
            // Uses the real clock, because a virtual clock may not advance while the worker exits.
            group.addTask { try? await HostClock.real.sleep(seconds) }
            await group.next()
            group.cancelAll()
        }
        return ending.value
    }
}
