import APIServer
public import FrameFastAPI

extension ScriptedControlSurface {
    func attachUploads(to table: inout EndpointTable) {
        table.on(\.destinations.list, destinations)
        table.on(\.destinations.test, testDestination)
        table.on(\.destinations.relearn, relearnDestination)
        table.on(\.destinations.pause) { [self] given throws(ControlError) in
            try await pauseDestination(name: given, true)
        }
        table.on(\.destinations.resume) { [self] given throws(ControlError) in
            try await pauseDestination(name: given, false)
        }
        table.on(\.destinations.adopt, adoptDestination)
        table.on(\.uploads.list, uploads)
        table.on(\.uploads.pause) { [self] () throws(ControlError) in try await pauseUploads(true) }
        table.on(\.uploads.resume) { [self] () throws(ControlError) in try await pauseUploads(false) }
        table.on(\.uploads.retry) { [self] given throws(ControlError) in
            try await changeUploads(.retry, given)
        }
        table.on(\.uploads.hold) { [self] given throws(ControlError) in
            try await changeUploads(.hold, given)
        }
        table.on(\.uploads.release) { [self] given throws(ControlError) in
            try await changeUploads(.release, given)
        }
        table.on(\.uploads.drop) { [self] given throws(ControlError) in
            try await changeUploads(.drop, given)
        }
        table.on(\.uploads.add, addUploads)
        table.on(\.uploads.mode, mode)
        table.on(\.uploads.setMode, setMode)
        table.on(\.sessions.keep, keepSession)
        table.on(\.storage.summary, storage)
        table.on(\.storage.clear, clearStorage)
        table.on(\.storage.adopt, adoptStorage)
    }

    /// What can be done to upload jobs.
    public enum QueueChange: String, Sendable {
        /// Tried again, kept back, let go, forgotten.
        case retry, hold, release, drop
    }

    /// The script's destinations.
    public func destinations() async throws(ControlError) -> DestinationsReply {
        DestinationsReply(destinations: try note("destinations").destinations)
    }

    /// The script's test, of that destination.
    public func testDestination(name: DestinationName) async throws(ControlError) -> DestinationTestReply {
        let now = try note("testDestination \(name)")
        try check(name, in: now)
        var reply = now.destinationTest
        reply.destination = name
        return reply
    }

    /// The destination, of which nothing is known any more.
    public func relearnDestination(name: DestinationName) async throws(ControlError) -> DestinationReply {
        let now = try note("relearnDestination \(name)")
        try check(name, in: now)
        return now.destinations.filter { $0.name == name }[0]
    }

    /// The destination, paused or not.
    public func pauseDestination(
        name: DestinationName, _ isPaused: Bool
    ) async throws(ControlError) -> DestinationReply {
        try check(name, in: note("pauseDestination \(name) \(isPaused)"))
        return pause(isPaused) { $0.name == name }[0]
    }

    /// The destination.
    public func adoptDestination(name: DestinationName) async throws(ControlError) -> DestinationReply {
        let now = try note("adoptDestination \(name)")
        try check(name, in: now)
        return now.destinations.filter { $0.name == name }[0]
    }

    /// Every destination, paused or not.
    public func pauseUploads(_ isPaused: Bool) async throws(ControlError) -> DestinationsReply {
        _ = try note("pauseUploads \(isPaused)")
        return DestinationsReply(destinations: pause(isPaused) { _ in true })
    }

    /// A page; the cursor is the last id of the page before.
    public func uploads(_ query: UploadsQuery) async throws(ControlError) -> UploadsReply {
        let all = try note("uploads").jobs.filter { job in
            query.cursor.flatMap { Int64($0) }.map { job.id.rawValue < $0 } ?? true
                && (query.states.isEmpty || query.states.contains(job.state))
                && query.destination.map { job.destination == $0 } ?? true
                && query.session.map { job.session == $0 } ?? true
                && query.camera.map { $0.means(job.cameraID, job.cameraName) } ?? true
        }
        let page = Array(all.prefix(query.limit))
        return UploadsReply(
            jobs: page, nextCursor: all.count > page.count ? page.last.map { $0.id.description } : nil)
    }

    /// The jobs that fit selection and change; dropped ones leave the script.
    public func changeUploads(
        _ change: QueueChange, _ selection: UploadSelection
    ) async throws(ControlError) -> UploadChangeReply {
        let word = selection.dryRun == true ? "count" : change.rawValue
        let now = try note("\(word)Uploads")
        if let destination = selection.destination { try check(destination, in: now) }
        let states: Set<UploadJobReply.State> =
            switch change {
            case .retry: [.failed, .retrying]
            case .hold: [.queued, .retrying, .failed]
            case .release: [.held]
            case .drop: Set(UploadJobReply.State.open)
            }
        let chosen = Set(
            now.jobs.filter { job in
                states.contains(job.state)
                    && selection.destination.map { job.destination == $0 } ?? true
                    && selection.session.map { job.session == $0 } ?? true
                    && selection.camera.map { $0.means(job.cameraID, job.cameraName) } ?? true
                    && selection.state.map { job.state == $0 } ?? true
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

    /// The script's photos of that session or with those numbers.
    public func addUploads(_ request: UploadAddRequest) async throws(ControlError) -> UploadChangeReply {
        let now = try note("addUploads \(request.to)")
        try check(request.to, in: now)
        let chosen = now.captures.filter { capture in
            request.session.map { capture.session == $0 } ?? true
                && request.camera.map { $0.means(capture.cameraID, capture.cameraName) } ?? true
                && request.ids.map { $0.contains(capture.id) } ?? true
        }
        return UploadChangeReply(changed: chosen.count)
    }

    /// The script's mode.
    public func mode() async throws(ControlError) -> ModeReply { try note("mode").mode }

    /// The script's mode, changed.
    public func setMode(_ request: ModeRequest) async throws(ControlError) -> ModeReply {
        _ = try note("setMode \(request.mode)")
        change { script in
            script.mode.mode = request.mode
            script.mode.threshold = request.threshold
            script.mode.window = request.window
            script.mode.afterPhotos = request.afterPhotos
            script.mode.sentence = "Photos go out by mode \(request.mode)."
        }
        return try note("mode").mode
    }

    /// The status's session, or the sample, kept for so long.
    public func keepSession(
        id: SessionID, _ request: SessionKeepRequest
    ) async throws(ControlError) -> SessionReply {
        let call = "keepSession \(id) \(request.keep ?? "as configured")"
        var session = try note(call).status.session ?? Samples.session
        session.keep = request.keep
        return session
    }

    /// The script's storage.
    public func storage() async throws(ControlError) -> StorageSummaryReply { try note("storage").storage }

    /// The script's disk.
    public func adoptStorage() async throws(ControlError) -> DiskReply {
        try note("adoptStorage").status.disk
    }

    /// What can be cleared.
    public func clearStorage(_ request: StorageClearRequest) async throws(ControlError) -> StorageClearReply {
        let now = try note(request.dryRun == true ? "countStorage" : "clearStorage")
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
        _ isPaused: Bool, where isMeant: (DestinationReply) -> Bool
    ) -> [DestinationReply] {
        var changed: [DestinationReply] = []
        change { script in
            for index in script.destinations.indices where isMeant(script.destinations[index]) {
                script.destinations[index].state = isPaused ? .paused : .ready
                changed.append(script.destinations[index])
            }
        }
        return changed
    }
}
