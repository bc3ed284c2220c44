import FrameFastSystem
import Glibc
import Synchronization
import SystemIO
import SystemPackage
import UploadEngine

/// The reason why a request received no usable reply.
enum SFTPError: Error, Hashable, Sendable {
    /// The server replied with a status other than OK.
    case status(SFTPStatus, text: String)
    /// The type of the reply does not match the request.
    case unexpectedReply
    /// The connection was lost.
    case lost
    /// The server sent no data for this many seconds although replies were due.
    case stalled(seconds: Int)
    /// The bytes from the server are not valid SFTP.
    case invalidData(SFTPWire.Fault)
    /// The request was cancelled.
    case cancelled
    /// This computer could not start the reading thread. The value is the reason.
    case noThread(String)
}

/// An SFTP session. Requests for several files can be pending at the same time. Replies can arrive in any
/// order.
///
/// One thread reads the replies. A server handles the requests for one file in the order in which they were
/// sent. The client can therefore send fsync or close before it receives the replies to the writes.
final class SFTPSession: Sendable {
    private struct State {
        var nextID: UInt32 = 1
        var open: [UInt32: SFTPPending] = [:]
        var greeting: SFTPPending?
        var end: SFTPError?
        /// The uptime at which data last arrived or the session began to wait for replies, in seconds.
        var lastReceived: Double
    }

    /// The stack size of the reading thread, in bytes. Packets are on the heap.
    private static let stackBytes = 512 * 1024

    private let socket: FileDescriptor
    private let stallSeconds: Int
    private let state: Mutex<State>
    private let clock = HostClock.system
    private let outbox: SFTPOutbox

    /// Creates a session that owns `socket`. Call ``greet()`` before any request.
    init(socket: FileDescriptor, stallSeconds: Int) {
        self.socket = socket
        self.stallSeconds = stallSeconds
        state = Mutex(State(lastReceived: HostClock.system.uptime()))
        outbox = SFTPOutbox(socket: socket)
    }

    /// Returns the longest time without data from the server, in seconds. At the start of a session, ssh
    /// connects and then signs in. Each of these steps may take ssh's connect timeout.
    static func stallSeconds(_ stallSeconds: Int, connectSeconds: Int) -> Int {
        max(stallSeconds, connectSeconds * 2)
    }

    /// Starts the reading thread and exchanges greetings with the server.
    ///
    /// - Returns: The extensions that the server offers.
    func greet() async throws(SFTPError) -> [String: String] {
        let pending = SFTPPending()
        state.withLock { state in
            state.greeting = pending
            state.lastReceived = clock.uptime()
        }
        do {
            try PlainThread.start("sftp", stackBytes: Self.stackBytes, yields: true) { [self] in
                readPackets()
            }
        } catch {
            close(.noThread("\(error)"))
            throw .noThread("\(error)")
        }
        outbox.send([SFTPRequest.greeting])
        guard case .version(let extensions) = try await pending.reply() else { throw .unexpectedReply }
        return extensions
    }

    /// Returns the server's limits. Returns `nil` if the reply is invalid, or if the server listed the
    /// extension but refuses the request.
    func limits() async throws(SFTPError) -> SFTPLimits? {
        do throws(SFTPError) { return SFTPLimits(try await send(.limits).reply()) } catch {
            guard case .status = error else { throw error }
            return nil
        }
    }

    /// Sends a request. Wait for its reply with ``SFTPPending/reply()``.
    func send(_ request: SFTPRequest) -> SFTPPending { send([request])[0] }

    /// Sends several requests together.
    ///
    /// - Returns: The pending replies, in the same order.
    func send(_ requests: [SFTPRequest]) -> [SFTPPending] {
        let pending = requests.map { _ in SFTPPending() }
        let (first, end) = state.withLock { state -> (UInt32, SFTPError?) in
            let first = state.nextID
            guard state.end == nil else { return (first, state.end) }
            if state.open.isEmpty { state.lastReceived = clock.uptime() }
            for one in pending {
                state.open[state.nextID] = one
                state.nextID &+= 1
            }
            return (first, nil)
        }
        if let end {
            for one in pending { one.resolve(.failure(end)) }
        } else {
            outbox.send(requests.enumerated().map { $1.packet(id: first &+ UInt32($0)) })
        }
        return pending
    }

    /// Returns whether the folder of a file is missing, after the server refused to open the file. Some
    /// servers reply with the status of a general failure. In this case, the function checks the folder.
    ///
    /// - Parameter checks: Whether to check the folder. Use `false` for a server without file attributes.
    func isFolderMissing(
        of path: String, after error: SFTPError, checks: Bool = true
    ) async throws(SFTPError) -> Bool {
        guard case .status(let status, _) = error else { return false }
        if status.isMissing { return true }
        guard checks, status == .failure, let slash = path.lastIndex(of: "/"), slash > path.startIndex else {
            return false
        }
        do throws(SFTPError) {
            return try await send(.linkFacts(path: String(path[..<slash]))).facts() == nil
        } catch {
            guard case .status = error else { throw error }
            return false
        }
    }

    /// Whether requests can be sent.
    var isAlive: Bool { state.withLock { $0.end == nil } }

    /// The reason why the session ended, or `nil` while it is open.
    var endReason: SFTPError? { state.withLock { $0.end } }

    /// Ends the session. All pending requests fail with the reason of the first call.
    func terminate(_ reason: SFTPError) {
        let orphans = state.withLock { state -> [SFTPPending] in
            if state.end == nil { state.end = reason }
            defer { (state.open, state.greeting) = ([:], nil) }
            return state.open.values + [state.greeting].compactMap { $0 }
        }
        // Wakes the reading thread, which closes the socket.
        outbox.shutDown()
        for orphan in orphans { orphan.resolve(.failure(state.withLock { $0.end } ?? reason)) }
    }

    // MARK: Reading

    private func readPackets() {
        var framer = SFTPWire.Framer()
        var reason = SFTPError.lost
        var buffer = [UInt8](repeating: 0, count: 64 * 1024)
        reading: do {
            while isAlive {
                var descriptor = pollfd(fd: socket.rawValue, events: Int16(POLLIN), revents: 0)
                guard poll(&descriptor, 1, 1_000) > 0 else {
                    guard isStalled else { continue }
                    reason = .stalled(seconds: stallSeconds)
                    break reading
                }
                guard let count = try? IO.read(from: socket.rawValue, into: &buffer), count > 0 else {
                    break reading
                }
                buffer.withUnsafeBytes { framer.append(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
                while let packet = try framer.next() { try handle(packet) }
            }
        } catch { reason = .invalidData(error) }
        close(reason)
    }

    /// Ends the session and closes the socket. Called when the reading thread ends, or if the thread cannot
    /// be started.
    private func close(_ reason: SFTPError) {
        terminate(reason)
        outbox.close()
    }

    private var isStalled: Bool {
        state.withLock { state in
            guard !state.open.isEmpty || state.greeting != nil else { return false }
            return clock.uptime() - state.lastReceived > Double(stallSeconds)
        }
    }

    private func handle(_ packet: ArraySlice<UInt8>) throws(SFTPWire.Fault) {
        let (id, reply) = try SFTPReply.read(packet)
        let pending = state.withLock { state -> SFTPPending? in
            state.lastReceived = clock.uptime()
            if let id { return state.open.removeValue(forKey: id) }
            defer { state.greeting = nil }
            return state.greeting
        }
        // No request is waiting for this reply. The stream is therefore corrupt, and the session ends.
        guard let pending else { throw .excess }
        // Without this request, the file of a cancelled open stays open until the session ends.
        if !pending.resolve(.success(reply)), case .handle(let handle) = reply {
            _ = send(.close(handle: handle))
        }
    }
}

/// A pending request.
final class SFTPPending: Sendable {
    private let result = AsyncResult<Result<SFTPReply, SFTPError>>()

    /// Sets the result, unless the request already has one.
    ///
    /// - Returns: Whether this call set the result.
    @discardableResult
    func resolve(_ result: Result<SFTPReply, SFTPError>) -> Bool { self.result.set(result) }

    /// Waits for the reply. Throws an error for a status other than OK.
    func reply() async throws(SFTPError) -> SFTPReply {
        let outcome = await withTaskCancellationHandler {
            await result.wait()
        } onCancel: {
            resolve(.failure(.cancelled))
        }
        let reply = try outcome.get()
        UploadActivity.current.report()
        if case .status(let status, let text) = reply, status != .ok { throw .status(status, text: text) }
        return reply
    }

    /// Waits until the request has succeeded or failed.
    func waitUntilSettled() async { _ = try? await reply() }

    /// Waits for the status OK.
    func ok() async throws(SFTPError) {
        guard case .status = try await reply() else { throw .unexpectedReply }
    }

    /// Waits for a file handle.
    func handle() async throws(SFTPError) -> [UInt8] {
        guard case .handle(let handle) = try await reply() else { throw .unexpectedReply }
        return handle
    }

    /// Waits for attributes. Returns `nil` if the file does not exist.
    func facts() async throws(SFTPError) -> SFTPFacts? {
        let reply: SFTPReply
        do throws(SFTPError) { reply = try await self.reply() } catch {
            if case .status(let status, _) = error, status.isMissing { return nil }
            throw error
        }
        guard case .facts(let facts) = reply else { throw .unexpectedReply }
        return facts
    }

    /// Waits for the reply. Returns `nil` for the expected status.
    func reply(orNilAt expected: SFTPStatus) async throws(SFTPError) -> SFTPReply? {
        do throws(SFTPError) { return try await reply() } catch {
            if case .status(expected, _) = error { return nil }
            throw error
        }
    }
}
