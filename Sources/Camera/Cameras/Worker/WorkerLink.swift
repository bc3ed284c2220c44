import Foundation
import FrameFastModel
import FrameFastSystem
import Glibc
import Synchronization
import SystemIO
import SystemPackage
import WorkerProtocol

/// The daemon's end of the socket to one worker. The link matches replies with requests, passes changes of
/// the camera's status to a handler, and queues all other events as notices.
///
/// One thread reads, and any thread may write. When the worker ends, all open requests fail.
final class WorkerLink: Sendable {
    /// The events that are neither replies nor status changes: hello, facts, announcements, progress, loss.
    let notices = NoticeQueue<WorkerEvent>(noticesMax: noticesMax, bytesMax: noticeBytesMax) { event in
        switch event {
        case .objectAdded, .listChanged: true
        default: false
        }
    }

    /// The maximum number of queued notices.
    static let noticesMax = 4_096
    /// The maximum size of queued notices in wire format, in bytes. An announcement has about 150 bytes.
    static let noticeBytesMax = 4 * 1_024 * 1_024

    private struct State {
        var nextID: UInt64 = 1
        var open: [UInt64: Pending] = [:]
        var end: WorkerFailure?
        var breach: String?
    }
    typealias Listing = AsyncThrowingStream<CameraConnection.Portion, any Error>
    private enum Pending {
        case request(AsyncResult<Result<WorkerReply, WorkerFailure>>)
        case listing(Listing.Continuation, objects: Int, bytes: Int)
    }

    /// The maximum number of objects in one listing. The worker has the same limit.
    static let listedMax = 1_000_000
    /// The maximum size of one listing in wire format, in bytes. This size is sufficient for 600,000 objects
    /// with usual names.
    static let listedBytesMax = 64 * 1_024 * 1_024

    /// The stack size of the reading thread, in bytes. A small stack is sufficient, because messages are
    /// stored on the heap. Each camera has its own reading thread.
    private static let stackBytes = 512 * 1024
    /// The maximum time that the reading thread waits for bytes before it checks whether the worker hangs, in
    /// milliseconds. The timeout is slightly longer than the maximum interval between messages. When the
    /// timeout expires, the worker is already late, and the first check detects this.
    static let readTimeoutMs = HangDetection.messageTimeoutMs * DebugSwitches.signOfLifeFactor + 100

    /// Called on the reading thread with each change of the camera's status, before the replies that the
    /// worker sent after the change.
    private let onChange = Mutex<(@Sendable (WorkerStatusChange) -> Void)?>(nil)

    /// The worker's watchdog. The link reports every message to the watchdog, with the details of a
    /// heartbeat.
    private let watch: WorkerWatchdog
    /// The socket for the reading thread, or `nil` for a worker in this process. Only the reading thread
    /// closes the socket.
    private let socket: FileDescriptor?
    /// Receives the commands for a worker in this process. `nil` for a worker at the other end of a socket.
    private let perform: (@Sendable (WorkerCommand) -> Void)?
    /// The socket for all other threads, or `nil` for a worker in this process. The reading thread sets `nil`
    /// before it closes the socket, because the kernel may then reuse the descriptor number.
    private let open: Mutex<FileDescriptor?>
    private let state = Mutex(State())
    private let endSignal: AsyncStream<Void>
    private let endSink: AsyncStream<Void>.Continuation

    /// Takes ownership of `socket` and starts to read.
    ///
    /// - Parameter readTimeoutMs: The maximum time without bytes before `watch` checks the worker, in
    ///   milliseconds.
    init(
        socket: FileDescriptor, name: String, watch: WorkerWatchdog = WorkerWatchdog(clock: .system),
        readTimeoutMs: Int = readTimeoutMs
    ) {
        self.socket = socket
        perform = nil
        self.watch = watch
        open = Mutex(socket)
        (endSignal, endSink) = AsyncStream.makeStream()
        var timeout = timeval(tv_sec: readTimeoutMs / 1_000, tv_usec: readTimeoutMs % 1_000 * 1_000)
        _ = setsockopt(
            socket.rawValue, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
        do {
            try PlainThread.start("worker \(name)", stackBytes: Self.stackBytes) { [self] in readEvents()
            }
        } catch { close(Self.disconnection("\(error)")) }
    }

    /// Creates a link to a worker in this process.
    ///
    /// - Parameter perform: Receives each command.
    init(perform: @escaping @Sendable (WorkerCommand) -> Void) {
        socket = nil
        self.perform = perform
        watch = WorkerWatchdog(clock: .system)
        open = Mutex(nil)
        (endSignal, endSink) = AsyncStream.makeStream()
    }

    /// Handles an event of a worker in this process.
    func receive(_ event: WorkerEvent) {
        do throws(WorkerMessageError) { try dispatch(event, bytes: 0) } catch {
            disconnect(breach: "the worker \(error.words)")
        }
    }

    /// Sets the handler for changes of the camera's status. The handler runs on the reading thread and must
    /// not block.
    func setStatusHandler(_ body: @escaping @Sendable (WorkerStatusChange) -> Void) {
        onChange.withLock { $0 = body }
    }

    /// Sends a command and waits for its reply.
    func request(_ command: (UInt64) -> WorkerCommand) async throws(WorkerFailure) -> WorkerReply {
        let result = AsyncResult<Result<WorkerReply, WorkerFailure>>()
        let (id, end) = state.withLock { state -> (UInt64, WorkerFailure?) in
            let id = state.nextID
            state.nextID += 1
            if state.end == nil { state.open[id] = .request(result) }
            return (id, state.end)
        }
        if let end { throw end }
        do throws(WorkerFailure) { try send(command(id)) } catch { resolve(id, .failure(error)) }
        return try await result.wait().get()
    }

    /// Requests the list of all objects, which arrives in portions.
    func list() -> Listing {
        let (stream, sink) = Listing.makeStream()
        let (id, end) = state.withLock { state -> (UInt64, WorkerFailure?) in
            let id = state.nextID
            state.nextID += 1
            if state.end == nil { state.open[id] = .listing(sink, objects: 0, bytes: 0) }
            return (id, state.end)
        }
        if let end {
            sink.finish(throwing: end)
            return stream
        }
        do throws(WorkerFailure) { try send(.list(id: id)) } catch { resolve(id, .failure(error)) }
        return stream
    }

    /// Sends a command that has no reply.
    func send(_ command: WorkerCommand) throws(WorkerFailure) {
        if let perform { return perform(command) }
        let message: Data
        do { message = try WorkerMessage.encode(command) } catch {
            throw WorkerFailure(kind: .refused, during: "send", text: String(describing: error))
        }
        // A worker reads commands on a separate thread. A full socket therefore means that the whole process
        // hangs.
        let written = open.withLock { socket in
            guard let socket else { return -1 }
            return message.withUnsafeBytes { bytes in
                Glibc.send(
                    socket.rawValue, bytes.baseAddress, bytes.count,
                    Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
            }
        }
        guard written == message.count else {
            throw Self.disconnection("the worker does not accept commands")
        }
    }

    /// Ends the link. All open requests fail with `reason`.
    func disconnect(_ reason: WorkerFailure) {
        let orphans = state.withLock { state -> [Pending] in
            if state.end == nil { state.end = reason }
            defer { state.open = [:] }
            return Array(state.open.values)
        }
        // Wakes the reading thread, which closes the socket.
        open.withLock { if let socket = $0 { _ = shutdown(socket.rawValue, Int32(SHUT_RDWR)) } }
        for orphan in orphans { Self.complete(orphan, .failure(reason)) }
    }

    /// Ends the link because the worker violated the protocol.
    func disconnect(breach words: String) {
        state.withLock { $0.breach = words }
        disconnect(Self.disconnection(words))
    }

    /// Waits until the reading thread has closed the socket, because the worker closed its end or the link
    /// was disconnected.
    func waitUntilEnded() async {
        for await _ in endSignal {}
    }

    /// Ends the queue of notices.
    func stopNotices() { notices.finish() }

    /// The protocol violation that ended the link, or `nil` if the link is open or ended for another reason.
    var breach: String? { state.withLock(\.breach) }

    /// Whether the worker still accepts requests.
    var isAlive: Bool { state.withLock { $0.end == nil } }

    static func disconnection(_ text: String) -> WorkerFailure {
        WorkerFailure(kind: .disconnected, during: "worker", text: text)
    }

    // MARK: Reading

    private func readEvents() {
        var reason = Self.disconnection("the worker ended")
        do {
            while let prefix = try read(WorkerMessage.prefixBytes) {
                let length = try WorkerMessage.bodyLength(prefix: prefix)
                guard let body = try read(length) else { break }
                try handle(try WorkerMessage.decodeEvent(from: Data(body)), bytes: length)
            }
        } catch let error as Errno {
            // If a worker is killed before it has read all commands, the connection is reset.
            reason = Self.disconnection("the worker ended: \(error)")
        } catch {
            let words = "the worker \((error as? WorkerMessageError)?.words ?? "cannot be read: \(error)")"
            state.withLock { $0.breach = words }
            reason = Self.disconnection(words)
        }
        close(reason)
    }

    /// Closes the socket when the reading thread ends.
    private func close(_ reason: WorkerFailure) {
        disconnect(reason)
        notices.finish()
        open.withLock { $0 = nil }
        if let socket { try? socket.close() }
        endSink.finish()
    }

    /// Reads `count` bytes. Returns `nil` at the end of the stream, even within a message.
    private func read(_ count: Int) throws -> [UInt8]? {
        var complete = true
        let bytes = try [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            while filled < count && complete {
                let rest = UnsafeMutableRawBufferPointer(
                    rebasing: UnsafeMutableRawBufferPointer(buffer)[filled...])
                if let got = try read(into: rest) {
                    complete = got > 0
                    filled += got
                }
                // An incomplete message does not prove that the worker is alive.
                if filled < count { watch.checkSilence() }
            }
        }
        return complete ? bytes : nil
    }

    /// - Returns: The number of bytes, or `nil` if no bytes arrived for ``readTimeoutMs``.
    private func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int? {
        guard let socket else { return 0 }
        do { return try socket.read(into: buffer, retryOnInterrupt: true) } catch Errno.wouldBlock {
            return nil
        }
    }

    private func handle(_ event: WorkerEvent, bytes: Int) throws(WorkerMessageError) {
        guard case .heartbeat(let heartbeat) = event else {
            watch.recordMessage(nil)
            return try dispatch(event, bytes: bytes)
        }
        watch.recordMessage(heartbeat)
    }

    private func dispatch(_ event: WorkerEvent, bytes: Int) throws(WorkerMessageError) {
        switch event {
        case .opened(let id, let facts): resolve(id, .success(.opened(facts)))
        case .listed(let id, let objects, let isLast, let total):
            try addPortion(
                id, CameraConnection.Portion(objects: objects, total: total, isLast: isLast), bytes: bytes)
        case .reconciled(let id, let missing, _, let refused):
            resolve(id, .success(.compared(HandleComparison(missing: missing, refused: refused))))
        case .fetched(let id, let result): resolve(id, .success(.fetched(result)))
        case .settings(let id, let settings): resolve(id, .success(.settings(settings)))
        case .settingResults(let id, let results): resolve(id, .success(.settingResults(results)))
        case .operation(let progress): onChange.withLock(\.self)?(.operation(progress))
        case .settingsChanged(let settings, let source):
            onChange.withLock(\.self)?(.settings(settings, source))
        case .frame(let id, let frame): resolve(id, .success(.frame(frame)))
        case .clockSet(let id, let setting): resolve(id, .success(.clockSet(setting)))
        case .done(let id): resolve(id, .success(.done))
        case .failed(let id, let failure): resolve(id, .failure(failure))
        case .hello, .progress, .facts, .objectAdded, .listChanged, .lost:
            notices.yield(event, bytes: bytes)
        case .heartbeat: break
        }
    }

    private func addPortion(_ id: UInt64, _ portion: CameraConnection.Portion, bytes: Int)
        throws(WorkerMessageError)
    {
        let (sink, isTooMuch) = state.withLock { state -> (Listing.Continuation?, Bool) in
            guard case .listing(let sink, let objectsBefore, let bytesBefore) = state.open[id] else {
                return (nil, false)
            }
            let (objects, bytes) = (objectsBefore + portion.objects.count, bytesBefore + bytes)
            guard objects <= Self.listedMax, bytes <= Self.listedBytesMax else { return (sink, true) }
            state.open[id] = portion.isLast ? nil : .listing(sink, objects: objects, bytes: bytes)
            return (sink, false)
        }
        if isTooMuch { throw .beyondLimits("list without an end marker") }
        // The request does not exist or has already ended.
        guard let sink else { return }
        sink.yield(portion)
        if portion.isLast { sink.finish() }
    }

    private func resolve(_ id: UInt64, _ result: Result<WorkerReply, WorkerFailure>) {
        guard let pending = state.withLock({ $0.open.removeValue(forKey: id) }) else { return }
        Self.complete(pending, result)
    }

    private static func complete(_ pending: Pending, _ result: Result<WorkerReply, WorkerFailure>) {
        switch (pending, result) {
        case (.request(let pending), _): pending.set(result)
        case (.listing(let sink, _, _), .failure(let failure)): sink.finish(throwing: failure)
        case (.listing(let sink, _, _), .success):
            sink.finish(throwing: disconnection("the worker's reply does not match the request"))
        }
    }
}

/// The reply to a request.
enum WorkerReply: Sendable {
    case opened(CameraFacts)
    case compared(HandleComparison)
    case fetched(FetchResult)
    case settings([CameraSetting])
    case settingResults([CameraSettingResult])
    case clockSet(CameraClockSetting)
    case frame(LiveFrame)
    case done
}

extension WorkerMessageError {
    /// The violated rule, phrased as the end of a sentence that starts with "the worker".
    fileprivate var words: String {
        switch self {
        case .tooLong(let bytes): "sent a message of \(bytes) bytes"
        case .notEncodable(let text), .notUnderstood(let text):
            "sent an invalid event: \(SafeName.cut(text, toBytes: 200))"
        case .beyondLimits(let word): "sent more data than allowed (\(word))"
        }
    }
}
