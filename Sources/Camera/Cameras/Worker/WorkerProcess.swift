import ChildProcesses
import Foundation
import FrameFastModel
import FrameFastSystem
import SystemPackage
import WorkerProtocol

/// Runs one worker from start to end.
struct WorkerProcess: Sendable {
    let start: WorkerStart
    let camera: ConfiguredCamera

    /// How a worker ended.
    enum End: Hashable, Sendable {
        /// Asked to, or by itself with an exit status.
        case exited(Int32)
        /// The driver crashed: abort, segmentation fault and their kin.
        case crashed(signal: Int32)
        /// Killed by someone else.
        case killed(signal: Int32)
        /// Hung in a driver call, and killed by us.
        case hung(call: String)

        /// Whether the object that the driver was busy with is a suspect.
        var blamesObject: Bool {
            switch self {
            case .crashed, .hung: true
            case .exited, .killed: false
            }
        }
    }

    /// Time between a worker being told to close and being killed. libgphoto2 needs up to 4 s to give up on a
    /// silent network camera; the service has 10 s to stop.
    static let closeGrace: Duration = .seconds(4)

    /// Starts a worker and gives its link to `body`; ends the worker when `body` returns.
    ///
    /// - Returns: how the worker ended.
    func run(_ body: @escaping @Sendable (WorkerLink) async -> Void) async throws -> End {
        let home = start.settings.home(of: camera.id)
        do {
            try DurableFile.createFolder(home)
            if camera.isNetwork { try start.guid.seed(home: home) }
            try prepareTrace()
        } catch {
            throw WorkerHomeError(folder: home, error)
        }
        // Where the disk for photos is away, they wait for it; the camera is served all the same.
        try? parts.make()
        parts.clear()
        let (ours, theirs) = try SocketPair.make()
        let watch = WorkerWatch()
        let link = WorkerLink(socket: ours, name: camera.id.rawValue, watch: watch)
        // Also when no worker could be started: the link's thread and socket end with it.
        defer { link.end(WorkerLink.gone("the worker ended")) }
        let worker = try await ChildProcess.start(
            .init(
                program: start.settings.program,
                arguments: [
                    camera.id.rawValue, WorkerArguments.port, camera.driverPort, WorkerArguments.photos,
                    parts.path,
                ],
                environment: [
                    "LC_ALL": "C", "TZ": "UTC", "HOME": home, "CAMLIBS": start.drivers,
                    "PATH": "/usr/bin:/bin", CallTrace.environmentKey: tracePath,
                ], folder: home, input: theirs, error: try? FileDescriptor.standardError.duplicate()))
        watch.guardWorker { worker.signal(SIGKILL) }
        await withTaskGroup { group in
            await body(link)
            try? link.send(.close)
            group.addTask {
                do { try await Task.sleep(for: Self.closeGrace) } catch { return }
                worker.signal(SIGKILL)
            }
            await link.ended()
            // Where the link was cut at our end the worker may still be busy.
            worker.signal(SIGKILL)
            group.cancelAll()
        }
        watch.release()
        let end = await worker.end()
        if let call = watch.hungCall { return .hung(call: call) }
        switch end {
        case .exited(let code): return .exited(code)
        case .killed(let signal):
            return Self.crashSignals.contains(signal) ? .crashed(signal: signal) : .killed(signal: signal)
        }
    }

    private static let crashSignals: Set<Int32> = [SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGSYS, SIGTRAP]

    /// The folder of its part files.
    var parts: PartFolder { start.settings.parts(of: camera.id) }

    // MARK: the call trace

    private var tracePath: String { start.settings.home(of: camera.id) + "/call-trace" }

    private func prepareTrace() throws {
        let file = try FileDescriptor.open(
            FilePath(tracePath), .writeOnly, options: [.create, .truncate, .closeOnExec],
            permissions: [.ownerReadWrite, .groupRead, .otherRead])
        try file.closeAfter { _ = try file.writeAll(Data(count: CallTrace.byteCount)) }
    }

    /// The object that the driver asked about last; `nil` when its last request was about something else.
    func lastObjectHandle() -> UInt32? {
        // The worker's own file, of whatever size by now: a byte more than it may have tells.
        guard let reader = try? FileReader(tracePath),
            let bytes = try? reader.read(at: 0, count: CallTrace.byteCount + 1)
        else { return nil }
        return CallTrace(bytes: bytes)?.objectHandle
    }
}

/// The folder that a worker needs cannot be written: a full disk as a rule.
struct WorkerHomeError: Error, CustomStringConvertible {
    let folder: String
    let reason: String
    /// The kernel's reason, if the system refused a call.
    let errno: Errno?

    /// Creates an error from the one that was thrown.
    init(folder: String, _ cause: any Error) {
        self.folder = folder
        reason = "\(cause)"
        errno =
            switch cause {
            case let cause as Errno: cause
            case let cause as SystemCallError: cause.errno
            case ServiceGUIDError.unwritable(_, let reason): reason
            default: nil
            }
    }

    var description: String { "cannot write to \(folder): \(reason)" }
}
