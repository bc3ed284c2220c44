import APIServer
public import FrameFastAPI

extension ScriptedControlSurface {
    func attachUploadAnswers(to table: inout EndpointTable) {
        table.handle(\.destinations.list, with: destinations)
        table.handle(\.destinations.test, with: testDestination)
        table.handle(\.destinations.relearn, with: relearnDestination)
        table.handle(\.destinations.pause) { [self] given throws(ControlError) in
            try await pauseDestination(name: given, true)
        }
        table.handle(\.destinations.resume) { [self] given throws(ControlError) in
            try await pauseDestination(name: given, false)
        }
        table.handle(\.destinations.adopt, with: adoptDestination)
        table.handle(\.uploads.list, with: uploads)
        table.handle(\.uploads.pause) { [self] () throws(ControlError) in try await pauseUploads(true) }
        table.handle(\.uploads.resume) { [self] () throws(ControlError) in try await pauseUploads(false) }
        table.handle(\.uploads.retry) { [self] given throws(ControlError) in
            try await changeUploads(.retry, given)
        }
        table.handle(\.uploads.hold) { [self] given throws(ControlError) in
            try await changeUploads(.hold, given)
        }
        table.handle(\.uploads.release) { [self] given throws(ControlError) in
            try await changeUploads(.release, given)
        }
        table.handle(\.uploads.drop) { [self] given throws(ControlError) in
            try await changeUploads(.drop, given)
        }
        table.handle(\.uploads.add, with: addUploads)
        table.handle(\.uploads.mode, with: mode)
        table.handle(\.uploads.setMode, with: setMode)
        table.handle(\.sessions.keep, with: keepSession)
        table.handle(\.storage.summary, with: storage)
        table.handle(\.storage.clear, with: clearStorage)
        table.handle(\.storage.adopt, with: adoptStorage)
    }

    /// The changes of upload jobs.
    public enum QueueChange: String, Sendable {
        /// Retries, holds, releases or drops jobs.
        case retry, hold, release, drop
    }

    /// Returns the script's destinations.
    public func destinations() async throws(ControlError) -> DestinationsReply {
        DestinationsReply(destinations: try record("destinations").destinations)
    }

    /// Returns the script's test result with the name of the given destination.
    public func testDestination(name: DestinationName) async throws(ControlError) -> DestinationTestReply {
        let now = try record("testDestination \(name)")
        try check(name, in: now)
        var reply = now.destinationTest
        reply.destination = name
        return reply
    }

    /// Returns the destination. A real surface would also forget the destination's learned features.
    public func relearnDestination(name: DestinationName) async throws(ControlError) -> DestinationReply {
        let now = try record("relearnDestination \(name)")
        try check(name, in: now)
        return now.destinations.filter { $0.name == name }[0]
    }

    /// Pauses or resumes a destination and returns it.
    public func pauseDestination(
        name: DestinationName, _ isPaused: Bool
    ) async throws(ControlError) -> DestinationReply {
        try check(name, in: record("pauseDestination \(name) \(isPaused)"))
        return pause(isPaused) { $0.name == name }[0]
    }

    /// Returns the destination.
    public func adoptDestination(name: DestinationName) async throws(ControlError) -> DestinationReply {
        let now = try record("adoptDestination \(name)")
        try check(name, in: now)
        return now.destinations.filter { $0.name == name }[0]
    }

    /// Pauses or resumes all destinations and returns them.
    public func pauseUploads(_ isPaused: Bool) async throws(ControlError) -> DestinationsReply {
        _ = try record("pauseUploads \(isPaused)")
        return DestinationsReply(destinations: pause(isPaused) { _ in true })
    }

    /// Returns a page of jobs. The cursor is the last ID of the previous page.
    public func uploads(_ query: UploadsQuery) async throws(ControlError) -> UploadsReply {
        let all = try record("uploads").jobs.filter { job in
            query.cursor.flatMap { Int64($0) }.map { job.id.rawValue < $0 } ?? true
                && (query.states.isEmpty || query.states.contains(job.$state))
                && query.destination.map { job.destination == $0 } ?? true
                && query.session.map { job.session == $0 } ?? true
                && query.camera.map { $0.matches(job.cameraID, job.cameraName) } ?? true
        }
        let page = Array(all.prefix(query.limit))
        return UploadsReply(
            jobs: page, nextCursor: all.count > page.count ? page.last.map { $0.id.description } : nil)
    }

    /// Changes the jobs that match the selection and permit the change, or only counts them in a dry run.
    /// Removes dropped jobs from the script.
    public func changeUploads(
        _ change: QueueChange, _ selection: UploadSelection
    ) async throws(ControlError) -> UploadChangeReply {
        let word = selection.dryRun == true ? "count" : change.rawValue
        let now = try record("\(word)Uploads")
        if let destination = selection.destination { try check(destination, in: now) }
        let states: Set<UploadJobReply.State> =
            switch change {
            case .retry: [.failed, .retrying]
            case .hold: [.queued, .retrying, .failed]
            case .release: [.held]
            case .drop: Set(UploadJobReply.State.undelivered)
            }
        let chosen = Set(
            now.jobs.filter { job in
                guard let state = job.state, states.contains(state) else { return false }
                return selection.destination.map { job.destination == $0 } ?? true
                    && selection.session.map { job.session == $0 } ?? true
                    && selection.camera.map { $0.matches(job.cameraID, job.cameraName) } ?? true
                    && selection.state.map { job.$state == $0 } ?? true
                    && selection.ids.map { $0.contains(job.id) } ?? true
            }.map(\.id))
        guard selection.dryRun != true else { return UploadChangeReply(changed: chosen.count) }
        self.change { script in
            if change == .drop { script.jobs.removeAll { chosen.contains($0.id) } }
            for index in script.jobs.indices where chosen.contains(script.jobs[index].id) {
                script.jobs[index].state = change == .hold ? .held : .queued
            }
        }
        return UploadChangeReply(changed: chosen.count)
    }

    /// Counts the script's photos that match the request.
    public func addUploads(_ request: UploadAddRequest) async throws(ControlError) -> UploadChangeReply {
        let now = try record("addUploads \(request.to)")
        try check(request.to, in: now)
        let chosen = now.captures.filter { capture in
            request.session.map { capture.session == $0 } ?? true
                && request.camera.map { $0.matches(capture.cameraID, capture.cameraName) } ?? true
                && request.ids.map { $0.contains(capture.id) } ?? true
        }
        return UploadChangeReply(changed: chosen.count)
    }

    /// Returns the script's upload mode.
    public func mode() async throws(ControlError) -> ModeReply { try record("mode").mode }

    /// Changes the script's upload mode and returns it.
    public func setMode(_ request: ModeRequest) async throws(ControlError) -> ModeReply {
        _ = try record("setMode \(request.$mode)")
        change { script in
            script.mode.mode = request.mode
            script.mode.threshold = request.threshold
            script.mode.window = request.window
            script.mode.afterPhotos = request.afterPhotos
            script.mode.sentence = "Photos go out by mode \(request.$mode)."
        }
        return try record("mode").mode
    }

    /// Returns the current session, or the sample session, with the requested retention.
    public func keepSession(
        id: SessionID, _ request: SessionKeepRequest
    ) async throws(ControlError) -> SessionReply {
        let call = "keepSession \(id) \(request.keep ?? "as configured")"
        var session = try record(call).status.session ?? Samples.session
        session.keep = request.keep
        return session
    }

    /// Returns the script's storage summary.
    public func storage() async throws(ControlError) -> StorageSummaryReply { try record("storage").storage }

    /// Returns the script's disk.
    public func adoptStorage() async throws(ControlError) -> DiskReply {
        try record("adoptStorage").status.disk
    }

    /// Returns the amount of uploaded photos in the script or in a session. Clears nothing.
    public func clearStorage(_ request: StorageClearRequest) async throws(ControlError) -> StorageClearReply {
        let now = try record(request.dryRun == true ? "countStorage" : "clearStorage")
        func reply(_ amount: StorageAmountReply) -> StorageClearReply {
            StorageClearReply(files: amount.files, bytes: amount.bytes)
        }
        guard let session = request.session else { return reply(now.storage.uploaded) }
        guard let row = now.storage.sessions.first(where: { $0.session == session }) else {
            throw ControlError(.notFound, "cannot find session \(session)")
        }
        return reply(row.uploaded)
    }

    private func check(_ destination: DestinationName, in script: Script) throws(ControlError) {
        guard script.destinations.contains(where: { $0.name == destination }) else {
            throw ControlError(
                .notFound, "cannot find destination '\(destination)'",
                nextStep: "See `framefast destinations`.")
        }
    }

    private func pause(
        _ isPaused: Bool, where matches: (DestinationReply) -> Bool
    ) -> [DestinationReply] {
        var changed: [DestinationReply] = []
        change { script in
            for index in script.destinations.indices where matches(script.destinations[index]) {
                script.destinations[index].state = isPaused ? .paused : .ready
                changed.append(script.destinations[index])
            }
        }
        return changed
    }
}
