import Foundation
import FrameFastSystem
import UploadEngine

/// A destination that uses rclone, for services that only rclone supports. FrameFast starts rclone when it
/// first needs it, and stops it after an idle time. FrameFast passes each upload to rclone separately,
/// because rclone has no queue.
actor RcloneDestination: UploadDestination {
    let settings: RcloneSettings
    private var daemon: RcloneDaemon?
    private var starting: Task<Result<RcloneDaemon, UploadFailure>, Never>?
    private var idle: Task<Void, any Error>?
    private var users = 0
    private var isClosed = false
    private let memory: DestinationMemory
    private let plans = TransferPlans()

    init(_ settings: RcloneSettings, memory: DestinationMemory = DestinationMemory()) {
        self.settings = settings
        self.memory = memory
    }

    func upload(
        _ item: UploadItem, progress: @escaping @Sendable (UInt64) -> Void
    ) async throws(UploadFailure) -> UploadReceipt {
        let photo = try PhotoFile(item)
        return try await withDaemon { daemon throws(UploadFailure) in
            try await plans.upload { () throws(UploadFailure) in
                try await self.runTrial(item, daemon)
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

    /// Tests the remote's features. If the remote cannot rename, no trial is needed, because such a remote
    /// shows only complete objects.
    private func runTrial(_ item: UploadItem, _ daemon: RcloneDaemon) async throws(UploadFailure)
        -> TransferPlan
    {
        let remote = try await daemon.call(
            "operations/fsinfo", ["fs": settings.place], as: RcloneFeatures.self)
        guard remote.Features["Move"] == true else { return TransferPlan(temporaryName: .final) }
        let tested = try await FeatureTrial(server: RcloneTrial(daemon: daemon), memory: memory, item: item)
            .run(testsTaken: false)
        return Self.plan(tested, features: remote.Features)
    }

    /// Returns the plan for a remote with these features.
    ///
    /// For Google Drive, rclone derives the type of a file from the file's first name. A rename keeps this
    /// type. Drive shows no preview of a photo whose first name ended in `.part`. Temporary names at a remote
    /// that stores types therefore have the photo's extension.
    ///
    /// - Parameters:
    ///   - tested: The plan that the trial has created.
    ///   - features: The features that rclone reports for the remote.
    static func plan(_ tested: TransferPlan, features: [String: Bool]) -> TransferPlan {
        guard features["WriteMimeType"] == true, tested.temporaryName != .final else { return tested }
        var plan = tested
        plan.temporaryName = .photo
        return plan
    }

    /// Checks that the remote is reachable.
    func probe() async throws(UploadFailure) {
        let place = settings.place
        try await withDaemon { daemon throws(UploadFailure) in
            // Requests the facts of a missing file. A reachable remote responds without an error.
            let question = ["fs": place, "remote": "framefast-probe"]
            _ = try await daemon.call("operations/stat", question, as: RcloneEmpty.self)
        }
    }

    func remove(_ probe: UploadItem, named name: String) async throws(UploadFailure) {
        let question = ["fs": settings.place, "remote": name]
        try await withDaemon { daemon throws(UploadFailure) in
            _ = try await daemon.call(
                "operations/deletefile", question, as: RcloneEmpty.self, at: .remove, name: name)
        }
    }

    /// Deletes the part file under each possible name. Throws a refusal only if the remote still shows the
    /// part file.
    func discardLeftovers(of item: UploadItem) async throws(UploadFailure) {
        try await withDaemon { daemon throws(UploadFailure) in
            let remote = RcloneTrial(daemon: daemon)
            var refused: UploadFailure?
            for name in RemoteName.partPaths(item) {
                do throws(UploadFailure) { try await remote.remove(name) } catch {
                    guard error.mayConcernOneName else { throw error }
                    if try await Self.shows(name, at: remote) { refused = error }
                }
            }
            if let refused { throw refused }
        }
    }

    /// Returns whether the remote shows a file under a name. Returns `false` if the remote refuses to check
    /// the name.
    private static func shows(_ name: String, at remote: RcloneTrial) async throws(UploadFailure) -> Bool {
        do throws(UploadFailure) { return try await remote.size(name) != nil } catch {
            guard error.mayConcernOneName else { throw error }
            return false
        }
    }

    func relearnFeatures() async { await plans.reset() }

    /// Returns `true`, because rclone replaces existing files.
    nonisolated func replacesTakenNames() async -> Bool? { true }

    func close() async {
        isClosed = true
        idle?.cancel()
        if case .success(let daemon)? = await starting?.value { await daemon.stop() }
        await daemon?.stop()
        daemon = nil
    }

    // MARK: The daemon

    private func withDaemon<Value: Sendable>(
        _ body: (RcloneDaemon) async throws(UploadFailure) -> Value
    ) async throws(UploadFailure) -> Value {
        users += 1
        idle?.cancel()
        defer {
            users -= 1
            if users == 0 { stopWhenIdle() }
        }
        return try await body(startedDaemon())
    }

    private func stopWhenIdle() {
        guard !isClosed else { return }
        idle = Task { [settings] in
            try await HostClock.system.sleep(Double(settings.idleSeconds))
            guard users == 0, let old = daemon else { return }
            daemon = nil
            await old.stop()
        }
    }

    /// Returns the daemon. Starts the daemon if it is not running. Concurrent callers share one start.
    private func startedDaemon() async throws(UploadFailure) -> RcloneDaemon {
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

    /// Checks that the remote is a named section of the configuration file.
    private static func check(_ daemon: RcloneDaemon) async throws(UploadFailure) {
        let settings = daemon.settings
        let list = try await daemon.call("config/listremotes", RcloneEmpty(), as: Remotes.self)
        guard list.remotes?.contains(settings.remote) == true else {
            throw UploadFailure(
                .permanent(.misconfigured),
                "\(settings.configFile) has no remote '\(settings.remote)'",
                nextStep: "Add the remote with 'rclone config --config \(settings.configFile)'.")
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
    /// Whether the failure may concern only one name, for example a missing file. rclone has no error code
    /// for a missing file, so the kind of the failure decides.
    fileprivate var mayConcernOneName: Bool {
        if case .outage = kind { false } else { mayConcernOneRequest }
    }
}
