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
        /// The picture ended the worker, made it break the protocol, or exceeded the time limit.
        case ended(reason: String)
        /// The worker ended for a reason other than the picture.
        case stopped(reason: String)
    }

    /// The time limit for one picture, in seconds. The worker itself limits the processor time of a picture
    /// to ten seconds. With its low priority, a worker on a busy computer receives only a share of a core.
    static let secondsMax = Double(3 * PictureLimits.pictureSecondsMax * DebugSwitches.signOfLifeFactor)
    /// The time for a worker to exit after its socket was closed, in seconds.
    private static let exitSeconds = 1.0
    /// Signals that a person or systemd sends to stop a process.
    private static let stopSignals = [SIGTERM, SIGINT, SIGHUP]

    private let worker: PictureWorkerStart.Worker
    private let socket: FileDescriptor
    private let clock: HostClock
    private let pool = BlockingPool(label: "framefast.picture-worker", width: 1)
    private let state = Mutex(State())

    private struct State {
        var lastNumber: UInt32 = 0
        /// Whether the socket is open. ``kill()`` must not use the number of a closed socket.
        var isOpen = true
        /// Whether the current request exceeded the time limit.
        var isLate = false
    }

    /// Takes ownership of the socket.
    private init(worker: PictureWorkerStart.Worker, socket: FileDescriptor, clock: HostClock) {
        (self.worker, self.socket, self.clock) = (worker, socket, clock)
    }

    /// Starts a worker.
    static func open(_ start: PictureWorkerStart, clock: HostClock) async throws -> PictureLink {
        let (ours, theirs) = try SocketPair.make()
        do {
            return PictureLink(worker: try await start.start(theirs), socket: ours, clock: clock)
        } catch {
            try? ours.close()
            throw error
        }
    }

    /// Sends a request and waits for its result. The caller keeps its descriptors.
    ///
    /// - Parameter descriptors: The photo, and the result file if the task writes a file.
    func request(_ task: PictureTask, descriptors: [FileDescriptor]) async -> Reply {
        let number = state.withLock { state in
            state.lastNumber &+= 1
            state.isLate = false
            return state.lastNumber
        }
        let request = PictureRequest(number: number, task: task).encode()
        return await withTaskGroup(of: Void.self, returning: Reply.self) { group in
            group.addTask { [self] in
                do { try await clock.sleepAwake(Self.secondsMax) } catch { return }
                state.withLock { $0.isLate = true }
                kill()
            }
            let bytes = await exchange(request, descriptors.map(\.rawValue))
            group.cancelAll()
            await group.waitForAll()
            guard let bytes else { return await reportEnd(isLate: state.withLock { $0.isLate }) }
            guard let result = PictureResult(bytes: bytes), result.number == number else {
                kill()
                return .ended(reason: "it broke the protocol")
            }
            return .result(result)
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

    /// Ends a worker that has closed its socket, and returns the reason for the end.
    private func reportEnd(isLate: Bool) async -> Reply {
        // A worker may close its socket without exiting. The signal does not change the status of a worker
        // that is already exiting.
        kill()
        let end = await worker.waitForEnd()
        if isLate { return .ended(reason: "it took more than \(Int(Self.secondsMax)) s") }
        switch end {
        case .exited(let status): return .stopped(reason: "it exited with status \(status)")
        case .killed(let signal):
            let reason = "signal \(signal) ended it"
            return Self.stopSignals.contains(signal) ? .stopped(reason: reason) : .ended(reason: reason)
        }
    }

    /// Ends the worker immediately. A running request then returns.
    func kill() {
        worker.kill()
        state.withLock { if $0.isOpen { _ = shutdown(socket.rawValue, Int32(SHUT_RDWR)) } }
    }

    /// Closes the socket and waits until the worker has exited. Call this function once, while no request is
    /// running.
    func close() async {
        state.withLock { state in
            state.isOpen = false
            try? socket.close()
        }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { [self] in
                // Uses the real clock, because a virtual clock may not advance while the worker exits.
                do { try await HostClock.real.sleep(Self.exitSeconds) } catch { return }
                worker.kill()
            }
            _ = await worker.waitForEnd()
            group.cancelAll()
        }
    }
}
