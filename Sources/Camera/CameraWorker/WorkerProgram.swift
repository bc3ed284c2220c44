import FoundationEssentials
import GPhoto2
import Glibc
import SystemIO
import WorkerProtocol

/// The entry point of the worker process.
public enum WorkerProgram {
    /// Runs until the daemon sends `close` or closes its end of the socket, or until a signal of
    /// ``TerminationRequest``.
    ///
    /// - Parameter arguments: The command line of the process, including the program's name.
    public static func run(_ arguments: [String]) -> Never {
        let options = WorkerOptions(arguments)
        let trial = options.isTrial ? SandboxTrial(options) : nil
        let failures = Confinement.apply() + Sandbox.enter(options)
        trial?.run(failures)
        for failure in failures { Log.line("cannot \(failure)") }
        TerminationRequest.blockSignals()
        let daemon = DaemonLink(descriptor: StandardInput.moveAway())
        let queue = CommandQueue()
        let tap = PacketTap(trace: trace())
        let activity = DriverActivity()
        let process = ProcessShutdown()
        daemon.send(
            .hello(
                WorkerHello(
                    protocolVersion: WorkerMessage.protocolVersion, pid: getpid(),
                    libraryVersion: libraryVersion())))
        let control = ControlLoop(
            daemon: daemon, queue: queue, activity: activity, tap: tap, process: process)
        PlainThread.startOrExit("control") { control.run() }
        PlainThread.startOrExit("signals") { TerminationRequest.waitForSignal(closing: queue) }
        // Runs the driver on the process's first thread. The allocator serves that thread from the main heap,
        // where the thresholds in ``Confinement`` are most effective.
        DriverLoop(daemon: daemon, queue: queue, activity: activity, tap: tap, process: process).run()
    }

    private static func trace() -> RequestTrace? {
        guard let path = ProcessInfo.processInfo.environment[CallTrace.environmentKey] else { return nil }
        do { return try RequestTrace(path: path) } catch {
            Log.line("cannot use the trace file \(path): \(String(cString: strerror(error.errno)))")
            return nil
        }
    }
}
