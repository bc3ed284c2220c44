public import APIServer
import Foundation
public import Logging
import ServiceLifecycle

/// A server on a real socket in a directory of its own, for as long as a test's body runs.
public struct RunningServer: Sendable {
    /// Path of the socket.
    public let socketPath: String
    /// Where the test publishes events.
    public let hub: EventHub
    /// What requests do.
    public let surface: ScriptedControlSurface

    /// Names what a server of the test's own is made of.
    public init(socketPath: String, hub: EventHub = EventHub(), surface: ScriptedControlSurface = .init()) {
        self.socketPath = socketPath
        self.hub = hub
        self.surface = surface
    }

    /// Serves while `body` runs.
    public static func run<Value: Sendable>(
        policy: AccessPolicy = .ofThisProcess(isStatusPublic: false),
        surface: ScriptedControlSurface = .init(),
        _ body: @Sendable (RunningServer) async throws -> Value
    ) async throws -> Value {
        try await TemporaryDirectory.with { directory in
            let server = RunningServer(socketPath: directory + "/run/f.sock", surface: surface)
            let (listening, continuation) = AsyncStream.makeStream(of: Void.self)
            let service = server.service(policy: policy) { continuation.yield() }
            return try await withThrowingTaskGroup(of: Void.self) { group in
                // Stopped as the daemon stops: one that is cancelled drops a connection that it has just accepted, and
                // NIO ends the process over that.
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

    /// The service, not started yet.
    public func service(
        policy: AccessPolicy, onListening: @escaping @Sendable () async -> Void
    ) -> APIService {
        APIService(
            options: .init(socketPath: socketPath, policy: policy), surface: surface, hub: hub,
            logger: Self.silence, onListening: onListening)
    }

    /// A log that nobody reads.
    public static let silence = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
}

/// A directory that is gone after the test. Short, since a socket's path must fit into 107 bytes.
public enum TemporaryDirectory {
    /// Runs `body` with a new directory that everybody may enter.
    public static func with<Value>(_ body: (String) async throws -> Value) async throws -> Value {
        let path = "/tmp/ff-" + UUID().uuidString.prefix(8)
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o755])
        defer { try? FileManager.default.removeItem(atPath: path) }
        return try await body(path)
    }
}

/// Runs a blocking call on a thread that may block.
public func blocking<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread { continuation.resume(with: Result(catching: body)) }
    }
}
