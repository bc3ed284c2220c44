import Foundation
import FrameFastModel
import FrameFastSystem
import Glibc
import PlainThreads
import Synchronization
import SystemPackage
import WorkerProtocol

/// The daemon's end of the socket to one worker: requests with their answers, and everything else as notices.
///
/// One thread reads; whoever asks writes. When the worker is gone every open request fails.
final class WorkerLink: Sendable {
    /// Everything that is not the answer to a request: hello, announcements, progress, loss.
    let notices = NoticeQueue<WorkerEvent>(noticesMax: noticesMax, bytesMax: noticeBytesMax)

    /// Notices that wait for a reader, at most.
    static let noticesMax = 4_096
    /// Bytes of them, as they came: an announcement has about 150.
    static let noticeBytesMax = 4 * 1_024 * 1_024

    private struct State {
        var nextID: UInt64 = 1
        var open: [UInt64: Pending] = [:]
        var end: WorkerFailure?
        var breach: String?
    }
    typealias Listing = AsyncThrowingStream<CameraSession.Portion, any Error>
    private enum Pending {
        case request(CheckedContinuation<Result<WorkerAnswer, WorkerFailure>, Never>)
        case listing(Listing.Continuation, objects: Int, bytes: Int)
    }

    /// Objects in one listing, at most: a worker stops there as well.
    static let listedMax = 1_000_000
    /// Bytes of one listing, as they came: room for 600,000 objects with usual names.
    static let listedBytesMax = 64 * 1_024 * 1_024

    /// Stack of the reading thread: frames are read into the heap, and each camera has one.
    private static let stackBytes = 512 * 1024
    /// Longest time that the reading thread waits for bytes before it asks whether the worker hangs: as long as a worker may
    /// be silent, and a little more, so that it is found then.
    static let patienceMs = CallWatch.quietMaxMs * DebugSwitches.signOfLifeFactor + 100

    /// Told how far an operation is, from the thread that reads: before whoever has begun it gets the answer.
    private let onOperation = Mutex<(@Sendable (CameraOperationProgress) -> Void)?>(nil)

    /// Hears of every frame: each is a sign of life, and a pulse says more.
    private let watch: WorkerWatch
    /// For the reading thread, which closes it.
    private let socket: FileDescriptor
    /// For everybody else: `nil` as soon as it is closed, when its number may be somebody else's.
    private let open: Mutex<FileDescriptor?>
    private let state = Mutex(State())
    private let endSignal: AsyncStream<Void>
    private let endSink: AsyncStream<Void>.Continuation

    /// Takes over `socket` and starts reading.
    ///
    /// - Parameter patienceMs: Longest time without bytes before `watch` hears of it, in milliseconds.
    init(
        socket: FileDescriptor, name: String, watch: WorkerWatch = WorkerWatch(), patienceMs: Int = patienceMs
    ) {
        self.socket = socket
        self.watch = watch
        open = Mutex(socket)
        (endSignal, endSink) = AsyncStream.makeStream()
        var patience = timeval(tv_sec: patienceMs / 1_000, tv_usec: patienceMs % 1_000 * 1_000)
        _ = setsockopt(
            socket.rawValue, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        do {
            try PlainThread.start("worker \(name)", stackBytes: Self.stackBytes) { [self] in readUntilTheEnd()
            }
        } catch { close(Self.gone("\(error)")) }
    }

    /// Who is told how far operations are.
    func tellOperations(to body: @escaping @Sendable (CameraOperationProgress) -> Void) {
        onOperation.withLock { $0 = body }
    }

    /// Sends a command and waits for its answer.
    func request(_ command: (UInt64) -> WorkerCommand) async throws(WorkerFailure) -> WorkerAnswer {
        let result: Result<WorkerAnswer, WorkerFailure> = await withCheckedContinuation { continuation in
            let (id, end) = state.withLock { state -> (UInt64, WorkerFailure?) in
                let id = state.nextID
                state.nextID += 1
                if state.end == nil { state.open[id] = .request(continuation) }
                return (id, state.end)
            }
            if let end { return continuation.resume(returning: .failure(end)) }
            do throws(WorkerFailure) { try send(command(id)) } catch { answer(id, .failure(error)) }
        }
        return try result.get()
    }

    /// Asks for the list of all objects, which comes in portions.
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
        do throws(WorkerFailure) { try send(.list(id: id)) } catch { answer(id, .failure(error)) }
        return stream
    }

    /// Sends a command that has no answer.
    func send(_ command: WorkerCommand) throws(WorkerFailure) {
        let frame: Data
        do { frame = try WorkerFrame.encode(command) } catch {
            throw WorkerFailure(kind: .refused, during: "send", text: String(describing: error))
        }
        // A worker reads commands on a thread of its own: a full socket means that it hangs as a whole.
        let written = open.withLock { socket in
            guard let socket else { return -1 }
            return frame.withUnsafeBytes { bytes in
                Glibc.send(
                    socket.rawValue, bytes.baseAddress, bytes.count,
                    Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
            }
        }
        guard written == frame.count else { throw Self.gone("the worker takes no commands") }
    }

    /// Ends the link; open requests fail with `reason`.
    func end(_ reason: WorkerFailure) {
        let orphans = state.withLock { state -> [Pending] in
            if state.end == nil { state.end = reason }
            defer { state.open = [:] }
            return Array(state.open.values)
        }
        // Wakes the reading thread, which closes the socket.
        open.withLock { if let socket = $0 { _ = shutdown(socket.rawValue, Int32(SHUT_RDWR)) } }
        for orphan in orphans { Self.end(orphan, .failure(reason)) }
    }

    /// Ends the link over something that no honest worker does.
    func end(breach words: String) {
        state.withLock { $0.breach = words }
        end(Self.gone(words))
    }

    /// Returns when the worker has closed its end, which it does at the latest by ending.
    func ended() async {
        for await _ in endSignal {}
    }

    /// No more notices are wanted.
    func stopNotices() { notices.finish() }

    /// What the worker said that no honest one says, in words; its link was ended over it.
    var breach: String? { state.withLock(\.breach) }

    /// Whether the worker still takes requests.
    var isAlive: Bool { state.withLock { $0.end == nil } }

    static func gone(_ text: String) -> WorkerFailure {
        WorkerFailure(kind: .disconnected, during: "worker", text: text)
    }

    // MARK: reading

    private func readUntilTheEnd() {
        var reason = Self.gone("the worker ended")
        do {
            while let prefix = try read(WorkerFrame.prefixBytes) {
                let length = try WorkerFrame.bodyLength(prefix: prefix)
                guard let body = try read(length) else { break }
                try take(try WorkerFrame.decodeEvent(from: Data(body)), bytes: length)
            }
        } catch let error as Errno {
            // A worker that is killed with commands unread resets the connection.
            reason = Self.gone("the worker ended: \(error)")
        } catch {
            let words = "the worker \((error as? WorkerFrameError)?.words ?? "cannot be read: \(error)")"
            state.withLock { $0.breach = words }
            reason = Self.gone(words)
        }
        close(reason)
    }

    /// The last that happens to a link.
    private func close(_ reason: WorkerFailure) {
        end(reason)
        notices.finish()
        open.withLock { $0 = nil }
        try? socket.close()
        endSink.finish()
    }

    /// `nil` at the end of the stream, also in the middle of a frame.
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
                // Bytes that never become a frame are no sign of life.
                if filled < count { watch.heardNothing() }
            }
        }
        return complete ? bytes : nil
    }

    /// - Returns: `nil` when nothing came for ``patienceMs``.
    private func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int? {
        do { return try socket.read(into: buffer, retryOnInterrupt: true) } catch Errno.wouldBlock {
            return nil
        }
    }

    private func take(_ event: WorkerEvent, bytes: Int) throws(WorkerFrameError) {
        guard case .pulse(let pulse) = event else {
            watch.heard(nil)
            return try takeWord(event, bytes: bytes)
        }
        watch.heard(pulse)
    }

    private func takeWord(_ event: WorkerEvent, bytes: Int) throws(WorkerFrameError) {
        switch event {
        case .opened(let id, let facts): answer(id, .success(.opened(facts)))
        case .listed(let id, let objects, let isLast, let total):
            try listed(
                id, CameraSession.Portion(objects: objects, total: total, isLast: isLast), bytes: bytes)
        case .reconciled(let id, let missing, _): answer(id, .success(.missing(missing)))
        case .fetched(let id, let result): answer(id, .success(.fetched(result)))
        case .settings(let id, let settings): answer(id, .success(.settings(settings)))
        case .settingResults(let id, let results): answer(id, .success(.settingResults(results)))
        case .operation(let progress): onOperation.withLock(\.self)?(progress)
        case .frame(let id, let frame): answer(id, .success(.frame(frame)))
        case .clockSet(let id, let setting): answer(id, .success(.clockSet(setting)))
        case .done(let id): answer(id, .success(.done))
        case .failed(let id, let failure): answer(id, .failure(failure))
        case .hello, .progress, .facts, .settingsChanged, .objectAdded, .listChanged, .lost:
            notices.yield(event, bytes: bytes)
        case .pulse: break
        }
    }

    private func listed(_ id: UInt64, _ portion: CameraSession.Portion, bytes: Int) throws(WorkerFrameError) {
        let (sink, isTooMuch) = state.withLock { state -> (Listing.Continuation?, Bool) in
            guard case .listing(let sink, let objectsBefore, let bytesBefore) = state.open[id] else {
                return (nil, false)
            }
            let (objects, bytes) = (objectsBefore + portion.objects.count, bytesBefore + bytes)
            guard objects <= Self.listedMax, bytes <= Self.listedBytesMax else { return (sink, true) }
            state.open[id] = portion.isLast ? nil : .listing(sink, objects: objects, bytes: bytes)
            return (sink, false)
        }
        if isTooMuch { throw .beyondLimits("list without an end") }
        // Nobody asked for it, or not any more.
        guard let sink else { return }
        sink.yield(portion)
        if portion.isLast { sink.finish() }
    }

    private func answer(_ id: UInt64, _ result: Result<WorkerAnswer, WorkerFailure>) {
        guard let pending = state.withLock({ $0.open.removeValue(forKey: id) }) else { return }
        Self.end(pending, result)
    }

    private static func end(_ pending: Pending, _ result: Result<WorkerAnswer, WorkerFailure>) {
        switch (pending, result) {
        case (.request(let continuation), _): continuation.resume(returning: result)
        case (.listing(let sink, _, _), .failure(let failure)): sink.finish(throwing: failure)
        case (.listing(let sink, _, _), .success):
            sink.finish(throwing: gone("the worker gave an answer to another question"))
        }
    }
}

/// The answer to a request.
enum WorkerAnswer: Sendable {
    case opened(CameraFacts)
    case missing(Int)
    case fetched(FetchResult)
    case settings([CameraSetting])
    case settingResults([CameraSettingResult])
    case clockSet(CameraClockSetting)
    case frame(LiveFrame)
    case done
}

extension WorkerFrameError {
    /// What a worker did, behind "the worker".
    fileprivate var words: String {
        switch self {
        case .tooLong(let bytes): "sent a frame of \(bytes) bytes"
        case .notEncodable(let text), .notUnderstood(let text):
            "sent what is no event: \(SafeName.cut(text, toBytes: 200))"
        case .beyondLimits(let word): "sent more than a camera can say (\(word))"
        }
    }
}
