import Foundation
public import FrameFastModel
public import Store

/// The commands of a person for the queue.
extension UploadService {
    /// The reason why a command failed.
    public enum VerbError: Error, Hashable, Sendable, CustomStringConvertible {
        /// The destination does not exist.
        case noSuchDestination(DestinationName)
        /// The session does not exist.
        case noSuchSession(SessionID)
        /// The current files of these photos cannot be sent. The command changed nothing.
        case cannotBeSent([UnsendablePhoto])

        /// A description of the error, for people.
        public var description: String {
            switch self {
            case .noSuchDestination(let name): "cannot find a destination '\(name)'"
            case .noSuchSession(let id): "cannot find session \(id)"
            case .cannotBeSent(let photos): Self.sentence(photos)
            }
        }

        /// The largest number of photos whose reasons are in the message.
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

    /// A photo whose current file cannot be sent.
    public struct UnsendablePhoto: Hashable, Sendable {
        /// The photo's number.
        public var id: CaptureID
        /// The reason, without a final period.
        public var reason: String
    }

    /// The names of all destinations.
    public var destinations: [DestinationName] { runners.map(\.target.name) }

    /// Returns one page of jobs, newest first. Running jobs include their progress.
    public func jobs(_ filter: UploadFilter = UploadFilter(), before: JobID? = nil, limit: Int) async throws
        -> [UploadJob]
    {
        var running: [JobID: UploadJob] = [:]
        for runner in runners { for job in await runner.runningJobs { running[job.id] = job } }
        let jobs = try await ledger.store.uploads(filter, before: before, limit: limit)
        return jobs.map { $0.isRunning ? running[$0.id] ?? $0 : $0 }
    }

    /// Pauses one destination, or all. The pause survives a restart, and lasts until a person resumes the
    /// destination.
    public func pause(_ destination: DestinationName? = nil) async throws {
        try await setPaused(true, destination)
    }

    /// Resumes one destination, or all, even if a destination refuses uploads. Reads passwords and keys of
    /// the destinations again.
    public func resume(_ destination: DestinationName? = nil) async throws {
        try await setPaused(false, destination)
    }

    private func setPaused(_ paused: Bool, _ destination: DestinationName?) async throws {
        for runner in try findRunners(for: destination) {
            try await ledger.changeOnce {
                try await $0.setUploadSetting(Self.pauseKey(runner.target.name), paused ? "yes" : nil)
            }
            await runner.setPaused(paused)
        }
        await wakeAfterUserChange()
    }

    /// Retries failed jobs, and jobs that wait for their retry, now.
    ///
    /// - Returns: The number of changed jobs.
    public func retry(_ filter: UploadFilter, isTrial: Bool = false) async throws -> Int {
        try await apply(.retried, filter, isTrial: isTrial)
    }

    /// Holds waiting and running jobs.
    ///
    /// - Returns: The number of changed jobs.
    public func hold(_ filter: UploadFilter, isTrial: Bool = false) async throws -> Int {
        try await apply(.held(.person), filter, isTrial: isTrial)
    }

    /// Releases jobs that are held for any reason. No mode holds these jobs again. A job that is held as
    /// ``UploadHold/unsorted`` is released only if the filter contains its number.
    ///
    /// - Returns: The number of changed jobs.
    public func release(_ filter: UploadFilter, isTrial: Bool = false) async throws -> Int {
        var filter = filter.leavingUnsorted
        filter.state = .held
        return try await apply(.released(byPerson: true), filter, isTrial: isTrial)
    }

    /// Moves jobs to the front of the queue and starts them, even if they are held or waiting for a retry. A
    /// job that is held as ``UploadHold/unsorted`` is included only if the filter contains its number.
    ///
    /// - Returns: The number of changed jobs.
    public func putFirst(_ filter: UploadFilter, isTrial: Bool = false) async throws -> Int {
        try await apply(.putFirst, filter.leavingUnsorted, isTrial: isTrial)
    }

    /// Returns the number of jobs that ``release(_:)`` and ``putFirst(_:)`` skip because the jobs are held as
    /// ``UploadHold/unsorted``.
    public func leftUnsorted(_ filter: UploadFilter) async throws -> Int {
        try await ledger.store.unsortedUploads(filter)
    }

    /// Drops jobs from the queue. Delivered jobs stay in the ledger.
    ///
    /// - Returns: The number of changed jobs.
    public func drop(_ filter: UploadFilter, isTrial: Bool = false) async throws -> Int {
        try await apply(.dropped, filter, isTrial: isTrial)
    }

    /// Adds jobs for the photos of a session or a camera, or for photos with given numbers. Releases held
    /// jobs of these photos, and retries failed jobs. Delivered jobs do not change.
    ///
    /// A photo is unsorted if it is older than the session that was running when the service found the photo.
    /// Jobs for unsorted photos are added only if their numbers are given.
    ///
    /// - Parameters:
    ///   - captures: The numbers of the photos, or `nil` for all photos of the session and the camera.
    ///   - names: The destinations, or `nil` for all.
    /// - Returns: The number of new, released and retried jobs.
    /// - Throws: ``VerbError``, before the function adds a job.
    public func add(
        session: SessionID? = nil, camera: CameraID? = nil, captures: [CaptureID]? = nil,
        to names: Set<DestinationName>? = nil
    ) async throws -> Int {
        for name in names ?? [] { _ = try findRunners(for: name) }
        let added = try await planner.add(session: session, camera: camera, ids: captures, to: names)
        await wakeAfterUserChange()
        return added
    }

    /// Returns the number of unsorted photos that ``add(session:camera:captures:to:)`` skips.
    ///
    /// - Throws: ``VerbError``.
    public func leftUnsorted(
        session: SessionID? = nil, camera: CameraID? = nil, captures: [CaptureID]? = nil,
        to names: Set<DestinationName>? = nil
    ) async throws -> Int {
        guard session == nil, captures == nil else { return 0 }
        let chosen = try names.map { try $0.flatMap { try self.findRunners(for: $0) } } ?? runners
        return try await ledger.store.unsortedPhotos(
            camera: camera, missingAt: chosen.map(\.target.name))
    }

    /// Changes the upload mode of a session.
    ///
    /// - Parameters:
    ///   - session: The session, or `nil` for photos without a session.
    ///   - change: The changed settings of the modes, which all sessions share. The waiting jobs of `session`
    ///     follow the changed settings immediately.
    /// - Returns: The number of changed jobs.
    /// - Throws: ``VerbError/noSuchSession(_:)``.
    public func setMode(
        _ mode: UploadMode, session: SessionID?, _ change: UploadPolicyChange = UploadPolicyChange()
    ) async throws -> Int {
        guard let changed = try await planner.setMode(mode, session: session, change) else {
            throw VerbError.noSuchSession(session ?? 0)
        }
        await wakeAfterUserChange()
        return changed
    }

    /// Returns the current settings of the modes.
    public func policy() async -> UploadModePolicy { await planner.rules.policy }

    /// Returns the upload mode of photos without a session.
    public func modeWithoutSession() async -> UploadMode { await planner.rules.defaultMode }

    /// Tests a destination by uploading and deleting a probe.
    ///
    /// - Returns: Advice about a working destination, or `nil` if there is no advice. The advice lists
    ///   refused features with their fallbacks, and warns of a risk of replaced files.
    /// - Throws: ``UploadFailure``, or ``VerbError/noSuchDestination(_:)``.
    public func test(_ destination: DestinationName) async throws -> String? {
        var advice: [String] = []
        for runner in try findRunners(for: destination) {
            let place = runner.target.destination
            await place.relearnFeatures()
            try await place.test()
            if let summary = runner.target.memory.capabilities.summary { advice.append(summary) }
            if runner.target.isNameChosen, await place.replacesTakenNames() == true {
                advice.append(TakenNameAdvice.sentence)
            }
        }
        return advice.isEmpty ? nil : advice.joined(separator: " ")
    }

    /// Deletes the feature observations of a destination. The next upload or test tries all features again.
    ///
    /// - Throws: ``VerbError/noSuchDestination(_:)``.
    public func relearn(_ destination: DestinationName) async throws {
        for runner in try findRunners(for: destination) {
            await runner.target.memory.reset()
            await runner.target.destination.relearnFeatures()
            await runner.retryIfRefused()
        }
    }

    /// Returns the features that uploads to a destination use, with their latest observations.
    ///
    /// - Throws: ``VerbError/noSuchDestination(_:)``.
    public func features(of destination: DestinationName) throws -> [FeatureState] {
        try findRunners(for: destination).flatMap {
            $0.target.memory.capabilities.states(of: $0.target.features)
        }
    }

    /// Accepts the current folder as the destination.
    ///
    /// - Throws: ``UploadFailure``, or ``VerbError/noSuchDestination(_:)``.
    public func adopt(_ destination: DestinationName) async throws {
        for runner in try findRunners(for: destination) {
            try await runner.target.destination.adoptPlace()
            await runner.retryDestination()
        }
        await wakeAfterUserChange()
    }

    /// Checks that a destination is configured, or has jobs from an earlier configuration.
    ///
    /// - Throws: ``VerbError/noSuchDestination(_:)``.
    public func checkKnown(_ destination: DestinationName) async throws {
        if destinations.contains(destination) { return }
        guard try await ledger.store.uploadCounts()[destination] != nil else {
            throw VerbError.noSuchDestination(destination)
        }
    }

    /// Applies an event to jobs.
    ///
    /// - Parameter isTrial: Whether to count the jobs that would change, without changing them.
    private func apply(_ event: UploadJob.Event, _ filter: UploadFilter, isTrial: Bool) async throws -> Int {
        if isTrial { return try await ledger.store.countUploads(changedBy: event, filter: filter) }
        let count = try await ledger.store.applyToUploads(event, filter: filter) { changes in
            self.handleCommit(changes)
        } onChange: { changes in
            let names = Set(changes.filter { $0.action == .remove }.map(\.job.destination))
            for runner in self.roster.currentAndAbandoned where names.contains(runner.target.name) {
                await runner.enqueueDropped()
            }
        }
        await wakeAfterUserChange()
        return count
    }

    /// Stops the attempts of held and dropped jobs, and reports the changes of a commit. Called before the
    /// next commit.
    func handleCommit(_ changes: [UploadChange]) {
        for change in changes {
            let (job, photo) = (change.job, change.photo)
            if change.action == .remove {
                // Includes the runners of removed destinations, because they may still be finishing uploads.
                for runner in roster.currentAndAbandoned where runner.target.name == job.destination {
                    runner.recordDrop(of: job)
                }
            }
            // Stops the attempt before the event is reported. Otherwise, the attempt could report progress
            // after the event.
            if change.action == .stop || change.action == .remove { attempts.stop(job.id) }
            ledger.report(
                change.action == .remove ? .dropped(job, photo: photo) : .job(job, photo: photo))
        }
    }

    private func findRunners(for destination: DestinationName?) throws -> [DestinationRunner] {
        guard let destination else { return runners }
        guard let runner = runners.first(where: { $0.target.name == destination }) else {
            throw VerbError.noSuchDestination(destination)
        }
        return [runner]
    }
}
