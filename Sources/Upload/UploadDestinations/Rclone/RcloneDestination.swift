import Foundation
public import UploadEngine

/// Photos through rclone, for the places that only it can reach. It is started with the first photo and ended when it
/// was idle for a while; our queue stays the truth.
public actor RcloneDestination: UploadDestination {
    let settings: RcloneSettings
    private var daemon: RcloneDaemon?
    private var starting: Task<Result<RcloneDaemon, UploadFailure>, Never>?
    private var idle: Task<Void, any Error>?
    private var users = 0
    private var isClosed = false
    private let memory: DestinationMemory
    private let plans = TransferPlans()

    /// Creates a destination.
    public init(_ settings: RcloneSettings, memory: DestinationMemory = DestinationMemory()) {
        self.settings = settings
        self.memory = memory
    }

    /// Brings one photo there; see ``UploadDestination``.
    public func upload(
        _ item: UploadItem, progress: @escaping @Sendable (UInt64) -> Void
    ) async throws(UploadFailure) -> UploadReceipt {
        let photo = try PhotoFile(item)
        return try await use { daemon throws(UploadFailure) in
            try await plans.upload { () throws(UploadFailure) in
                try await self.tryOut(item, daemon)
            } _: { plan throws(UploadFailure) in
                do {
                    return try await RcloneUpload(
                        daemon: daemon, item: item, photo: photo, plan: plan, memory: self.memory,
                        progress: progress
                    ).run()
                } catch { throw self.failure(error) }
            }
        }
    }

    /// Finds the remote's features; one that can't rename shows an object only when it is whole, and is not asked.
    private func tryOut(_ item: UploadItem, _ daemon: RcloneDaemon) async throws(UploadFailure)
        -> TransferPlan
    {
        let remote = try await daemon.call(
            "operations/fsinfo", ["fs": settings.place], as: RcloneFeatures.self)
        guard remote.Features["Move"] == true else { return TransferPlan(temporaryName: .final) }
        return try await FeatureTrial(server: RcloneTrial(daemon: daemon), memory: memory, item: item)
            .run(testsTaken: false)
    }

    /// Whether the place can be reached now.
    public func probe() async throws(UploadFailure) {
        let place = settings.place
        try await use { daemon throws(UploadFailure) in
            // Remotes without such a question say so, and that is an answer as well.
            let question = ["fs": place, "remote": "framefast-probe"]
            _ = try await daemon.call("operations/stat", question, as: RcloneNothing.self)
        }
    }

    /// Deletes it.
    public func remove(_ probe: UploadItem, named name: String) async throws(UploadFailure) {
        let question = ["fs": settings.place, "remote": name]
        try await use { daemon throws(UploadFailure) in
            _ = try await daemon.call(
                "operations/deletefile", question, as: RcloneNothing.self, at: .remove, name: name)
        }
    }

    /// Removes the part under each name that it may have. A refusal counts if the remote shows that the part is there.
    public func discard(_ item: UploadItem) async throws(UploadFailure) {
        try await use { daemon throws(UploadFailure) in
            let remote = RcloneTrial(daemon: daemon)
            var refused: UploadFailure?
            for name in RemoteName.partPaths(item) {
                do throws(UploadFailure) { try await remote.remove(name) } catch {
                    guard error.isOfOneName else { throw error }
                    if try await Self.shows(name, at: remote) { refused = error }
                }
            }
            if let refused { throw refused }
        }
    }

    /// Whether the remote shows a file under a name; not if it refuses to look.
    private static func shows(_ name: String, at remote: RcloneTrial) async throws(UploadFailure) -> Bool {
        do throws(UploadFailure) { return try await remote.size(name) != nil } catch {
            guard error.isOfOneName else { throw error }
            return false
        }
    }

    /// Forgets the plan.
    public func relearn() async { await plans.reset() }

    /// See ``UploadDestination/replacesTakenNames()``.
    public nonisolated func replacesTakenNames() async -> Bool? { true }

    /// Gives back connections and child processes.
    public func close() async {
        isClosed = true
        idle?.cancel()
        if case .success(let daemon)? = await starting?.value { await daemon.stop() }
        await daemon?.stop()
        daemon = nil
    }

    // MARK: the daemon

    private func use<Value: Sendable>(
        _ body: (RcloneDaemon) async throws(UploadFailure) -> Value
    ) async throws(UploadFailure) -> Value {
        users += 1
        idle?.cancel()
        defer {
            users -= 1
            if users == 0 { stopWhenIdle() }
        }
        return try await body(started())
    }

    private func stopWhenIdle() {
        guard !isClosed else { return }
        idle = Task { [settings] in
            try await Task.sleep(for: .seconds(settings.idleSeconds))
            guard users == 0, let old = daemon else { return }
            daemon = nil
            await old.stop()
        }
    }

    private func started() async throws(UploadFailure) -> RcloneDaemon {
        if let daemon, daemon.isAlive { return daemon }
        if isClosed { throw UploadFailure.stopped }
        if let fault = settings.faults.first {
            throw UploadFailure(
                .permanent(.misconfigured), fault, nextStep: "Correct the destination's settings.")
        }
        let attempt: Task<Result<RcloneDaemon, UploadFailure>, Never>
        if let starting {
            attempt = starting
        } else {
            attempt = Task { [settings] in
                do throws(UploadFailure) {
                    let daemon = try await RcloneDaemon.start(settings)
                    do throws(UploadFailure) { try await Self.check(daemon) } catch {
                        await daemon.stop()
                        throw error
                    }
                    return .success(daemon)
                } catch { return .failure(error) }
            }
            starting = attempt
        }
        let result = await attempt.value
        if starting == attempt {
            starting = nil
            daemon = try? result.get()
        }
        return try result.get()
    }

    /// Only remotes that the user has named in the configuration.
    private static func check(_ daemon: RcloneDaemon) async throws(UploadFailure) {
        let settings = daemon.settings
        let list = try await daemon.call("config/listremotes", RcloneNothing(), as: Remotes.self)
        guard list.remotes?.contains(settings.remote) == true else {
            throw UploadFailure(
                .permanent(.misconfigured),
                "\(settings.configFile) has no remote '\(settings.remote)'",
                nextStep: "Add it with 'rclone config --config \(settings.configFile)'.")
        }
    }

    private struct RcloneFeatures: Decodable { var Features: [String: Bool] }

    private struct Remotes: Decodable { var remotes: [String]? }

    private nonisolated func failure(_ error: any Error) -> UploadFailure {
        if let failure = error as? UploadFailure { return failure }
        if error is CancellationError { return .stopped }
        return UploadFailure(.transient, "rclone: \(error)")
    }
}

extension UploadFailure {
    /// Whether rclone says it of one name: it has no code for a file that is not there.
    fileprivate var isOfOneName: Bool {
        if case .outage = kind { false } else { isOfOneFeature }
    }
}
