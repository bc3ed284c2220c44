import Foundation
public import FrameFastModel
public import Store

/// What people do to the queue.
extension UploadService {
    /// Why something that a person asked for cannot be done.
    public enum VerbError: Error, Hashable, Sendable, CustomStringConvertible {
        /// There is no destination of this name.
        case noSuchDestination(DestinationName)
        /// There is no such session.
        case noSuchSession(SessionID)
        /// The files of these photos can't be sent as they are now. Nothing was changed.
        case cannotBeSent([UnsendablePhoto])

        /// For people.
        public var description: String {
            switch self {
            case .noSuchDestination(let name): "cannot find a destination '\(name)'"
            case .noSuchSession(let id): "cannot find session \(id)"
            case .cannotBeSent(let photos): Self.sentence(photos)
            }
        }

        /// The most photos whose reason is shown.
        private static let reasonsMax = 3

        private static func sentence(_ photos: [UnsendablePhoto]) -> String {
            if photos.count == 1, let photo = photos.first {
                return "cannot add photo \(photo.id): \(photo.reason)"
            }
            let shown = photos.prefix(reasonsMax).map { "photo \($0.id): \($0.reason)" }
            let more = photos.count > reasonsMax ? ["and \(photos.count - reasonsMax) more"] : []
            return "cannot add \(photos.count) photos; " + (shown + more).joined(separator: "; ")
        }
    }

    /// A photo whose file can't be sent as it is now.
    public struct UnsendablePhoto: Hashable, Sendable {
        /// The photo.
        public var id: CaptureID
        /// Why its file can't be sent, without a full stop.
        public var reason: String
    }

    /// Names of the destinations.
    public var destinations: [DestinationName] { workers.map(\.target.name) }

    /// One page of jobs, newest first; running ones with their progress.
    public func jobs(_ filter: UploadFilter = UploadFilter(), before: JobID? = nil, limit: Int) async throws
        -> [UploadJob]
    {
        var running: [JobID: UploadJob] = [:]
        for worker in workers { for job in await worker.runningJobs { running[job.id] = job } }
        let jobs = try await ledger.store.uploads(filter, before: before, limit: limit)
        return jobs.map { $0.isRunning ? running[$0.id] ?? $0 : $0 }
    }

    /// Pauses a destination, or all of them, until it is resumed; a restart does not change that.
    public func pause(_ destination: DestinationName? = nil) async throws {
        try await setPaused(true, destination)
    }

    /// Lets a destination, or all of them, go on, also one that refused us: passwords and keys are read anew.
    public func resume(_ destination: DestinationName? = nil) async throws {
        try await setPaused(false, destination)
    }

    private func setPaused(_ paused: Bool, _ destination: DestinationName?) async throws {
        for worker in try chosen(destination) {
            try await ledger.change {
                try await $0.setUploadSetting(Self.pauseKey(worker.target.name), paused ? "yes" : nil)
            }
            await worker.setPaused(paused)
        }
        await changedByPerson()
    }

    /// Tries failed and waiting jobs again, now.
    ///
    /// - Returns: how many.
    public func retry(_ filter: UploadFilter) async throws -> Int { try await apply(.retried, filter) }

    /// Holds jobs back, running ones as well.
    ///
    /// - Returns: how many.
    public func hold(_ filter: UploadFilter) async throws -> Int { try await apply(.held(.person), filter) }

    /// Lets held jobs go, whatever holds them; no mode holds them again. Photos that belong to no session go only by the
    /// numbers of their jobs.
    ///
    /// - Returns: how many.
    public func release(_ filter: UploadFilter) async throws -> Int {
        var filter = filter.leavingUnsorted
        filter.state = .held
        return try await apply(.released(byPerson: true), filter)
    }

    /// Sends jobs before all others, whatever keeps them back. Photos that belong to no session go only by the numbers of
    /// their jobs.
    ///
    /// - Returns: how many.
    public func putFirst(_ filter: UploadFilter) async throws -> Int {
        try await apply(.putFirst, filter.leavingUnsorted)
    }

    /// The number of jobs that ``release(_:)`` and ``putFirst(_:)`` leave held, because their photos belong to no session.
    public func leftUnsorted(_ filter: UploadFilter) async throws -> Int {
        try await ledger.store.unsortedUploads(filter)
    }

    /// Takes jobs out of the queue; delivered ones stay on record.
    ///
    /// - Returns: how many.
    public func drop(_ filter: UploadFilter) async throws -> Int { try await apply(.dropped, filter) }

    /// Adds photos late: those of a session, of a camera, or by number. Held and failed jobs of theirs start again,
    /// delivered ones stay. Photos that belong to no session are added only by number.
    ///
    /// - Parameter names: The destinations; `nil` for all.
    /// - Returns: how many jobs are new or go on.
    /// - Throws: ``VerbError``; then nothing was added.
    public func add(
        session: SessionID? = nil, camera: CameraID? = nil, captures: [CaptureID]? = nil,
        to names: Set<DestinationName>? = nil
    ) async throws -> Int {
        for name in names ?? [] { _ = try chosen(name) }
        let added = try await planner.add(session: session, camera: camera, ids: captures, to: names)
        await changedByPerson()
        return added
    }

    /// The number of photos that ``add(session:camera:captures:to:)`` leaves out, because they belong to no session.
    ///
    /// - Throws: ``VerbError``.
    public func leftUnsorted(
        session: SessionID? = nil, camera: CameraID? = nil, captures: [CaptureID]? = nil,
        to names: Set<DestinationName>? = nil
    ) async throws -> Int {
        guard session == nil, captures == nil else { return 0 }
        let chosen = try names.map { try $0.flatMap { try self.chosen($0) } } ?? workers
        return try await ledger.store.unsortedPhotos(
            camera: camera, missingAt: chosen.map(\.target.name))
    }

    /// Switches how a session's photos are uploaded, now.
    ///
    /// - Parameters:
    ///   - session: `nil` for photos without a session.
    ///   - change: What the mode does from now on, in every session; photos of this one are judged by it again.
    /// - Returns: how many jobs changed.
    public func setMode(
        _ mode: UploadMode, session: SessionID?, _ change: UploadPolicyChange = UploadPolicyChange()
    ) async throws -> Int {
        guard let changed = try await planner.setMode(mode, session: session, change) else {
            throw VerbError.noSuchSession(session ?? 0)
        }
        await changedByPerson()
        return changed
    }

    /// What the modes do now.
    public func policy() async -> UploadModePolicy { await planner.policy }

    /// How photos without a session are uploaded.
    public func modeWithoutSession() async -> UploadMode { await planner.modeWithoutSession }

    /// Tries out a destination, and uploads and removes a probe.
    ///
    /// - Returns: What a person should know of the place, although it works: the features that it refuses, with their
    ///   fallbacks, and whether it replaces names. `nil` for nothing.
    /// - Throws: ``UploadFailure``, or ``VerbError/noSuchDestination(_:)``.
    public func test(_ destination: DestinationName) async throws -> String? {
        var advice: [String] = []
        for worker in try chosen(destination) {
            let place = worker.target.destination
            await place.relearn()
            try await place.test()
            if let summary = worker.target.memory.capabilities.summary { advice.append(summary) }
            if worker.target.isNameChosen, await place.replacesTakenNames() == true {
                advice.append(TakenNameAdvice.sentence)
            }
        }
        return advice.isEmpty ? nil : advice.joined(separator: " ")
    }

    /// Forgets which features a destination refuses: the next upload or test tries them again.
    ///
    /// - Throws: ``VerbError/noSuchDestination(_:)``.
    public func relearn(_ destination: DestinationName) async throws {
        for worker in try chosen(destination) {
            await worker.target.memory.reset()
            await worker.target.destination.relearn()
            await worker.encourage()
        }
    }

    /// The features that uploads to a destination use, as they were last seen.
    ///
    /// - Throws: ``VerbError/noSuchDestination(_:)``.
    public func features(of destination: DestinationName) throws -> [FeatureState] {
        try chosen(destination).flatMap { $0.target.memory.capabilities.states(of: $0.target.features) }
    }

    /// Takes what is at a destination's place for the destination from now on.
    ///
    /// - Throws: ``UploadFailure``, or ``VerbError/noSuchDestination(_:)``.
    public func adopt(_ destination: DestinationName) async throws {
        for worker in try chosen(destination) {
            try await worker.target.destination.adopt()
            await worker.tryNow()
        }
        await changedByPerson()
    }

    /// Makes sure that a destination is configured, or has jobs of the time when it was.
    ///
    /// - Throws: ``VerbError/noSuchDestination(_:)``.
    public func checkKnown(_ destination: DestinationName) async throws {
        if destinations.contains(destination) { return }
        guard try await ledger.store.uploadCounts()[destination] != nil else {
            throw VerbError.noSuchDestination(destination)
        }
    }

    private func apply(_ event: UploadJob.Event, _ filter: UploadFilter) async throws -> Int {
        let count = try await ledger.store.applyToUploads(event, filter: filter) { changes in
            for change in changes {
                self.ledger.tell(change.action == .remove ? .dropped(change.job) : .job(change.job))
                guard change.action == .stop || change.action == .remove else { continue }
                for worker in self.workers where worker.target.name == change.job.destination {
                    await worker.stopUpload(change.job.id)
                    if change.action == .remove { await worker.own(change.job) }
                }
            }
        }
        await changedByPerson()
        return count
    }

    private func chosen(_ destination: DestinationName?) throws -> [UploadWorker] {
        guard let destination else { return workers }
        guard let worker = workers.first(where: { $0.target.name == destination }) else {
            throw VerbError.noSuchDestination(destination)
        }
        return [worker]
    }
}
