public import ChildProcesses
import FrameFastSystem
import Glibc
public import PictureProtocol
import Synchronization
import SystemIO
public import SystemPackage

/// A scripted picture worker at the other end of a real socket.
///
/// The worker implements the protocol of `framefast-picture --descriptors` without a decoder. The
/// product's client runs unchanged at its end of the socket.
public final class ScriptedPictureWorker: Sendable {
    /// The reaction to a request.
    public enum Answer: Sendable {
        /// Writes a file with these bytes, and sends a result with the number of the request.
        case result(PictureResult, file: [UInt8] = [])
        /// Sends bytes that are not a result.
        case bytes([UInt8])
        /// Ends without a result.
        case end(ChildProcess.End)
        /// Sends nothing until the worker is killed.
        case hang
    }

    /// A function that returns the reaction to a request.
    public typealias Answering = @Sendable (_ task: PictureTask, _ photo: [UInt8]) -> Answer

    private let answering: Answering
    private let state = Mutex(State())

    private struct State {
        var requests: [PictureTask] = []
        var processes: [Process] = []
        var processorSeconds: Double?
        var endBeforeReady: ChildProcess.End?
    }

    /// Creates a worker.
    public init(answering: @escaping Answering) { self.answering = answering }

    /// The tasks of all requests, in order.
    public var requests: [PictureTask] { state.withLock(\.requests) }

    /// The started processes, in order.
    public var processes: [Process] { state.withLock(\.processes) }

    /// The processor time that each process has used, in seconds, or `nil` if it is not known.
    public var processorSeconds: Double? {
        get { state.withLock(\.processorSeconds) }
        set { state.withLock { $0.processorSeconds = newValue } }
    }

    /// The way in which each new process ends before it is ready. If `nil`, new processes become ready and
    /// answer requests.
    public var endBeforeReady: ChildProcess.End? {
        get { state.withLock(\.endBeforeReady) }
        set { state.withLock { $0.endBeforeReady = newValue } }
    }

    /// Starts a process that answers the requests from this socket, until the peer closes the socket.
    public func start(_ socket: FileDescriptor) -> Process {
        let process = Process(socket)
        state.withLock { $0.processes.append(process) }
        PlainThread.startOrExit("picture worker") { [self] in serve(process) }
        return process
    }

    /// A scripted process.
    public final class Process: Sendable {
        private let socket: FileDescriptor
        private let isOpen = Mutex(true)
        private let ending = AsyncResult<ChildProcess.End>()

        fileprivate init(_ socket: FileDescriptor) { self.socket = socket }

        /// Ends the process as by SIGKILL.
        public func kill() {
            isOpen.withLock { isOpen in
                guard isOpen else { return }
                ending.set(.killed(signal: SIGKILL))
                _ = shutdown(socket.rawValue, Int32(SHUT_RDWR))
            }
        }

        /// Waits until the process has ended.
        public func waitForEnd() async -> ChildProcess.End { await ending.wait() }

        fileprivate func finish(_ end: ChildProcess.End) {
            isOpen.withLock { isOpen in
                isOpen = false
                ending.set(end)
                try? socket.close()
            }
        }

        /// Returns the next request and its descriptors, or `nil` at the end of the stream.
        fileprivate func receive() -> (request: PictureRequest, files: [Int32])? {
            guard
                let message = try? IO.receive(
                    PictureRequest.byteCount, descriptorsMax: 2, from: socket.rawValue),
                let request = PictureRequest(bytes: message.bytes)
            else { return nil }
            return (request, message.descriptors)
        }

        /// Returns whether the peer received all bytes.
        fileprivate func send(_ bytes: [UInt8]) -> Bool {
            (try? IO.sendAll(bytes, to: socket.rawValue)) != nil
        }
    }

    private func serve(_ process: Process) {
        if let end = endBeforeReady { return process.finish(end) }
        _ = process.send([PictureRequest.ready])
        while let (request, files) = process.receive() {
            let photo = files.first.map { Self.content(of: $0) } ?? []
            state.withLock { $0.requests.append(request.task) }
            let answer = answering(request.task, photo)
            if case .result(_, let bytes) = answer, files.count == 2 {
                try? IO.writeAll(bytes, to: files[1])
            }
            for file in files { close(file) }
            switch answer {
            case .result(var result, _):
                result.number = request.number
                _ = process.send(result.encode())
                if result.isLast { return process.finish(.exited(0)) }
            case .bytes(let bytes): _ = process.send(bytes)
            case .end(let end): return process.finish(end)
            // The next read returns when the worker is killed.
            case .hang: break
            }
        }
        process.finish(.exited(0))
    }

    private static func content(of file: Int32) -> [UInt8] {
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 65_536)
        while let count = try? IO.read(from: file, into: &piece), count > 0 { bytes += piece.prefix(count) }
        return bytes
    }
}
