import CLinux
import Glibc
import PlainThreads
import Synchronization

/// Keeps a connection to a broker: one after the other, on a thread of its own, until it is stopped.
public final class MQTTClient: Sendable {
    /// Messages that wait to be sent, at most: those who send keep the rest.
    public static let waitingMax = 1_000
    /// Pauses between two attempts, in milliseconds: the first, and the longest.
    static let pauseMs = (first: 250, longest: 10_000)
    /// How long the broker may take to let us in, in seconds.
    static let letInSeconds = 10

    private struct State {
        var isStopping = false
        var waiting: [(message: MQTTMessage, token: UInt64)] = []
    }

    private let settings: MQTTSettings
    private let tell: @Sendable (MQTTNews) -> Void
    private let state = Mutex(State())
    /// Readable when there is something to do.
    private let wake: Int32

    /// Creates a client, which connects when it is started.
    ///
    /// - Parameter tell: Told what happens, on the client's thread: it must not wait for anything.
    public init(_ settings: MQTTSettings, tell: @escaping @Sendable (MQTTNews) -> Void) {
        self.settings = settings
        self.tell = tell
        wake = framefast_eventfd()
    }

    deinit { close(wake) }

    /// Connects, and again whenever the connection is lost.
    ///
    /// - Throws: `PlainThread.StartError` when the system has no thread left.
    public func start() throws {
        try PlainThread.start("mqtt") { [self] in run() }
    }

    /// Sends a message as soon as there is a connection; one that is lost meanwhile takes along what it did not send.
    ///
    /// - Parameter token: Comes back with the broker's answer.
    /// - Returns: false when too many wait already.
    @discardableResult
    public func publish(_ message: MQTTMessage, token: UInt64 = 0) -> Bool {
        let isTaken = state.withLock { state in
            guard state.waiting.count < Self.waitingMax, !state.isStopping else { return false }
            state.waiting.append((message, token))
            return true
        }
        if isTaken { ring() }
        return isTaken
    }

    /// Says goodbye to the broker and connects no more.
    public func stop() {
        state.withLock { $0.isStopping = true }
        ring()
    }

    private func ring() {
        var one: UInt64 = 1
        _ = write(wake, &one, 8)
    }

    private var isStopping: Bool { state.withLock(\.isStopping) }

    // MARK: its thread

    private func run() {
        var pauseMs = Self.pauseMs.first
        while !isStopping {
            var wasConnected = false
            do throws(MQTTLoss) { return try serve(&wasConnected) } catch {
                // What waits is of the connection that is lost: those who send know what was not acknowledged.
                state.withLock { $0.waiting = [] }
                if wasConnected { pauseMs = Self.pauseMs.first }
                tell(.lost(reason: error.reason))
            }
            rest(pauseMs)
            pauseMs = min(pauseMs * 2, Self.pauseMs.longest)
        }
    }

    /// Waits; less when the client is stopped.
    private func rest(_ milliseconds: Int) {
        let end = Self.nowMs + milliseconds
        while !isStopping, Self.nowMs < end {
            var watched = pollfd(fd: wake, events: Int16(POLLIN), revents: 0)
            if poll(&watched, 1, Int32(end - Self.nowMs)) > 0 {
                var count: UInt64 = 0
                _ = read(wake, &count, 8)
            }
        }
    }

    /// Uses one connection until it is lost, or the client is stopped.
    private func serve(_ wasConnected: inout Bool) throws(MQTTLoss) {
        try BrokerReach.check(host: settings.host, port: settings.port)
        let connection = try MQTTConnection(settings, tell: tell)
        let latest = Self.nowMs + Self.letInSeconds * 1_000
        while true {
            // Asked first: what was to be sent before the goodbye is.
            let isLast = isStopping
            if connection.isConnected {
                wasConnected = true
                let next = state.withLock { state in
                    defer { state.waiting = [] }
                    return state.waiting
                }
                for (message, token) in next { try connection.publish(message, token: token) }
            }
            if isLast { return connection.close() }
            if !connection.isConnected, Self.nowMs > latest {
                throw MQTTLoss("the broker does not answer")
            }
            try connection.step(wake: wake)
        }
    }

    private static var nowMs: Int {
        var now = timespec()
        clock_gettime(CLOCK_BOOTTIME, &now)
        return now.tv_sec * 1_000 + now.tv_nsec / 1_000_000
    }
}
