import ChildProcesses
import Glibc
import PictureProtocol
import SystemPackage

/// A function that starts picture workers.
public struct PictureWorkerStart: Sendable {
    /// A running worker.
    struct Worker: Sendable {
        /// Ends the worker immediately.
        var kill: @Sendable () -> Void
        /// Waits until the worker has ended.
        var waitForEnd: @Sendable () async -> ChildProcess.End
        /// Returns the processor time that the worker has used, in seconds, or `nil` if it is not known.
        var processorSeconds: @Sendable () -> Double?
    }

    /// Starts a worker whose standard input is the socket. The function closes the socket, also after an
    /// error.
    let start: @Sendable (_ socket: FileDescriptor) async throws -> Worker

    /// Creates a function that starts a program.
    ///
    /// - Parameter program: The absolute path of `framefast-picture`.
    public init(program: String) {
        start = { socket in
            let child = try await ChildProcess.start(
                .init(
                    program: program, arguments: [PictureRequest.programArgument],
                    environment: ["LC_ALL": "C", "PATH": "/usr/bin:/bin"], input: socket,
                    error: try? FileDescriptor.standardError.duplicate()))
            return Worker(
                kill: { child.signal(SIGKILL) }, waitForEnd: { await child.waitForEnd() },
                processorSeconds: { child.processorSeconds })
        }
    }

    /// Creates a function that starts another kind of worker.
    init(start: @escaping @Sendable (_ socket: FileDescriptor) async throws -> Worker) { self.start = start }
}
