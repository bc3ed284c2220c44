import ChildProcesses
import Foundation
import FrameFastModel
import FrameFastSystem
import SystemPackage
import WorkerProtocol

/// A source of a camera's workers.
protocol WorkerRunner: Sendable {
    /// Starts a worker and passes its link to `body`. Ends the worker after `body` has returned.
    ///
    /// - Returns: The way in which the worker ended.
    /// - Throws: An error if the worker could not be started.
    func run(_ body: @escaping @Sendable (WorkerLink) async -> Void) async throws -> WorkerProcess.End

    /// Returns the handle of the object in the last worker's last request, or `nil` if that request did not
    /// concern an object.
    func lastObjectHandle() -> UInt32?
}

/// One worker process, from start to exit.
struct WorkerProcess: WorkerRunner {
    let start: WorkerStart
    let camera: ConfiguredCamera
    let clock: HostClock

    /// The way in which a worker ended.
    enum End: Hashable, Sendable {
        /// The worker exited with this status, on request or by itself.
        case exited(Int32)
        /// The driver crashed, for example with an abort or a segmentation fault. `worker` is the process id.
        case crashed(signal: Int32, worker: Int32)
        /// A signal that does not indicate a crash ended the worker. The sender is another program, the
        /// kernel, or the daemon if the worker did not exit in time.
        case killed(signal: Int32)
        /// The worker hung in a driver call, and the daemon killed it.
        case hung(call: String)

        /// Whether the object that the driver was reading may have caused the end.
        var blamesObject: Bool {
            switch self {
            case .crashed, .hung: true
            case .exited, .killed: false
            }
        }
    }

    /// The time between the close command and the kill. libgphoto2 takes up to 4 s to time out on a network
    /// camera, and the service has 10 s to stop.
    static let closeGrace: Duration = .seconds(4)

    func run(_ body: @escaping @Sendable (WorkerLink) async -> Void) async throws -> End {
        let home = start.settings.home(of: camera.id)
        do {
            try DurableFile.createFolder(home)
            if camera.isNetwork { try start.guid.writeDriverSettings(home: home, clock: clock) }
            try prepareTrace()
        } catch {
            throw WorkerHomeError(folder: home, error)
        }
        // Ignores a missing photo disk. The photos stay in the camera until the disk is back.
        try? parts.create()
        parts.removeFiles()
        let (ours, theirs) = try SocketPair.make()
        let watch = WorkerWatchdog(clock: clock)
        let link = WorkerLink(socket: ours, name: camera.id.rawValue, watch: watch)
        // Also ends the link's thread and socket if the worker could not be started.
        defer { link.disconnect(WorkerLink.disconnection("the worker ended")) }
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
                do { try await clock.sleep(for: Self.closeGrace) } catch { return }
                worker.signal(SIGKILL)
            }
            await link.waitUntilEnded()
            // Kills a worker that is still busy after the daemon closed the link.
            worker.signal(SIGKILL)
            group.cancelAll()
        }
        watch.stopGuarding()
        let end = await worker.waitForEnd()
        if let call = watch.hungCall { return .hung(call: call) }
        switch end {
        case .exited(let code): return .exited(code)
        case .killed(let signal):
            return Self.crashSignals.contains(signal)
                ? .crashed(signal: signal, worker: worker.pid) : .killed(signal: signal)
        }
    }

    private static let crashSignals: Set<Int32> = [SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGSYS, SIGTRAP]

    /// The folder of the worker's part files.
    var parts: PartFolder { start.settings.parts(of: camera.id) }

    // MARK: Call trace

    private var tracePath: String { start.settings.home(of: camera.id) + "/call-trace" }

    private func prepareTrace() throws {
        let file = try FileDescriptor.open(
            FilePath(tracePath), .writeOnly, options: [.create, .truncate, .closeOnExec],
            permissions: [.ownerReadWrite, .groupRead, .otherRead])
        try file.closeAfter { _ = try file.writeAll(Data(count: CallTrace.byteCount)) }
    }

    func lastObjectHandle() -> UInt32? {
        // The worker can write this file, so its size is untrusted. Reads one extra byte to detect a file
        // that is too long.
        guard let reader = try? FileReader(tracePath),
            let bytes = try? reader.read(at: 0, count: CallTrace.byteCount + 1)
        else { return nil }
        return CallTrace(bytes: bytes)?.objectHandle
    }
}

/// An error of writing to the worker's folder, usually because the disk is full.
struct WorkerHomeError: Error, CustomStringConvertible {
    let folder: String
    let reason: String
    /// The errno of the failed system call, or `nil` if another error occurred.
    let errno: Errno?

    /// Creates an error from its cause.
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
