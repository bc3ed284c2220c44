public import APIServer
import Foundation
import FrameFastSystem
public import Logging
import ServiceLifecycle

/// An API server on a real socket in a temporary directory. The server runs while a test's body runs.
public struct RunningServer: Sendable {
    /// The path of the socket.
    public let socketPath: String
    /// The hub to which a test publishes events.
    public let hub: EventHub
    /// The control surface that handles requests.
    public let surface: ScriptedControlSurface
    private let logger: Logger

    /// Creates a server that is not running yet.
    public init(
        socketPath: String, hub: EventHub = EventHub(), surface: ScriptedControlSurface = .init(),
        logger: Logger = RunningServer.silence
    ) {
        self.socketPath = socketPath
        self.hub = hub
        self.surface = surface
        self.logger = logger
    }

    /// Runs a server while `body` runs.
    public static func run<Value: Sendable>(
        policy: AccessPolicy = .ofThisProcess(isStatusPublic: false),
        surface: ScriptedControlSurface = .init(), logger: Logger = RunningServer.silence,
        _ body: @Sendable (RunningServer) async throws -> Value
    ) async throws -> Value {
        try await TemporaryDirectory.with { directory in
            let server = RunningServer(
                socketPath: directory + "/run/f.sock", surface: surface, logger: logger)
            let (listening, continuation) = AsyncStream.makeStream(of: Void.self)
            let service = server.service(policy: policy) { continuation.yield() }
            return try await withThrowingTaskGroup(of: Void.self) { group in
                // The server stops gracefully, like the daemon. A cancelled server drops a newly accepted
                // connection, which makes NIO end the process.
                let services = ServiceGroup(services: [service], logger: Self.silence)
                group.addTask {
                    defer { continuation.finish() }
                    try await services.run()
                }
                for await _ in listening { break }
                let value = try await body(server)
                await services.triggerGracefulShutdown()
                try await group.waitForAll()
                return value
            }
        }
    }

    /// Returns the service, which is not started yet.
    public func service(
        policy: AccessPolicy, onListening: @escaping @Sendable () async -> Void
    ) -> APIService {
        APIService(
            options: .init(socketPath: socketPath, policy: policy), surface: surface, hub: hub,
            clock: Self.patientClock, logger: logger, onListening: onListening)
    }

    /// The system's clock with longer sleeps. At a graceful stop, the server gives its clients more time than
    /// in the daemon, because a test shares a busy computer. Heartbeats keep their interval.
    private static let patientClock: HostClock = {
        var clock = HostClock.system
        clock.sleep = { try await Task.sleep(for: .seconds(max($0, 15))) }
        return clock
    }()

    /// A logger without output.
    public static let silence = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
}

/// A directory that is deleted after the test. Its path is short, because a socket's path is limited to 107
/// bytes.
public enum TemporaryDirectory {
    /// Runs `body` with a new directory that all users may enter.
    public static func with<Value>(_ body: (String) async throws -> Value) async throws -> Value {
        let path = "/tmp/ff-" + UUID().uuidString.prefix(8)
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o755])
        defer { try? FileManager.default.removeItem(atPath: path) }
        return try await body(path)
    }
}

/// Runs a blocking call on a new thread.
public func blocking<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread { continuation.resume(with: Result(catching: body)) }
    }
}
