import APIServer
import Foundation
import FrameFastAPI
import FrameFastModel
import Store
import UploadEngine

/// Destinations and what people do to the upload queue.
extension DaemonControl {
    func attachUploads(to table: inout EndpointTable) {
        table.on(\.destinations.list, destinations)
        table.on(\.destinations.test, testDestination)
        table.on(\.destinations.pause) { [self] name throws(ControlError) in
            try await pauseDestination(name: name, true)
        }
        table.on(\.destinations.resume) { [self] name throws(ControlError) in
            try await pauseDestination(name: name, false)
        }
        table.on(\.destinations.adopt, adoptDestination)
        table.on(\.uploads.pause) { [self] () throws(ControlError) in
            try await pauseUploads(true)
        }
        table.on(\.uploads.resume) { [self] () throws(ControlError) in
            try await pauseUploads(false)
        }
        table.on(\.uploads.list, uploads)
        table.on(\.uploads.retry) { [self] selection throws(ControlError) in
            try await changeUploads(selection) { try await $0.retry($1) }
        }
        table.on(\.uploads.hold) { [self] selection throws(ControlError) in
            try await changeUploads(selection) { try await $0.hold($1) }
        }
        table.on(\.uploads.release) { [self] selection throws(ControlError) in
            try await changeUploads(selection) { try await $0.release($1) }
        }
        table.on(\.uploads.drop) { [self] selection throws(ControlError) in
            try await changeUploads(selection) { try await $0.drop($1) }
        }
        table.on(\.uploads.add, addUploads)
        table.on(\.uploads.mode, mode)
        table.on(\.uploads.setMode, setMode)
    }

    func destinations() async throws(ControlError) -> DestinationsReply {
        let replies = try await uploading { [self] uploads in
            try await uploads.statistics().map { reply($0) }
        }
        return DestinationsReply(destinations: replies)
    }

    func testDestination(name: DestinationName) async throws(ControlError) -> DestinationTestReply {
        let start = ContinuousClock.now
        func took() -> Int { Int(start.duration(to: .now) / .milliseconds(1)) }
        let advice: String?
        do {
            advice = try await uploads.test(name)
        } catch let failure as UploadFailure {
            return DestinationTestReply(
                destination: name, ok: false, sentence: failure.sentence, nextStep: failure.stepByHand,
                tookMs: took())
        } catch {
            throw Self.refusal(error)
        }
        return DestinationTestReply(
            destination: name, ok: true,
            sentence: ["A probe was uploaded, verified and removed.", advice].compactMap(\.self)
                .joined(separator: " "), tookMs: took())
    }

    func pauseDestination(name: DestinationName, _ isPaused: Bool) async throws(ControlError)
        -> DestinationReply
    {
        try await uploading { uploads in
            if isPaused { try await uploads.pause(name) } else { try await uploads.resume(name) }
        }
        return try await destination(name)
    }

    func adoptDestination(name: DestinationName) async throws(ControlError) -> DestinationReply {
        do { try await uploads.adopt(name) } catch let failure as UploadFailure {
            throw ControlError(
                failure.kind == .permanent(.misconfigured) ? .unsupported : .conflict,
                "cannot adopt '\(name)': \(failure.sentence)", nextStep: failure.nextStep)
        } catch { throw Self.refusal(error) }
        return try await destination(name)
    }

    private func destination(_ name: DestinationName) async throws(ControlError) -> DestinationReply {
        guard let reply = try await destinations().destinations.first(where: { $0.name == name }) else {
            throw Self.refusal(UploadService.VerbError.noSuchDestination(name))
        }
        return reply
    }

    func pauseUploads(_ isPaused: Bool) async throws(ControlError) -> DestinationsReply {
        try await uploading { uploads in
            if isPaused { try await uploads.pause() } else { try await uploads.resume() }
        }
        return try await destinations()
    }

    // MARK: jobs

    func uploads(_ query: UploadsQuery) async throws(ControlError) -> UploadsReply {
        let before: JobID? = try Self.id(before: query.cursor)
        var filter = UploadFilter(
            destination: query.destination, session: query.session,
            camera: try await onRecord(query.camera))
        let wanted = try query.states.map(Self.state)
        filter.state = wanted.count == 1 ? wanted.first : nil
        let (jobs, cursor) = try await page(filter, wanted: Set(wanted), before: before, limit: query.limit)
        let photos = Set(jobs.map(\.captureID))
        let records = try await asking { [ledger] in try await ledger.captures(ids: photos) }
        return UploadsReply(jobs: jobs.map { reply($0, records[$0.captureID]) }, nextCursor: cursor)
    }

    /// A page of jobs in one of several states: pages of the queue are read until it is full.
    private func page(
        _ filter: UploadFilter, wanted: Set<UploadJob.State>, before: JobID?, limit: Int
    ) async throws(ControlError) -> ([UploadJob], cursor: String?) {
        var found: [UploadJob] = []
        var before = before
        while true {
            let start = before
            let part = try await uploading { try await $0.jobs(filter, before: start, limit: limit) }
            for job in part where wanted.isEmpty || wanted.contains(job.state) {
                found.append(job)
                if found.count == limit { return (found, job.id.description) }
            }
            guard part.count == limit, let last = part.last else { return (found, nil) }
            before = last.id
        }
    }

    func changeUploads(
        _ selection: UploadSelection,
        _ change: @Sendable (UploadService, UploadFilter) async throws -> Int
    ) async throws(ControlError) -> UploadChangeReply {
        let filter = UploadFilter(
            ids: selection.ids, destination: selection.destination,
            state: try selection.state.map(Self.state),
            session: selection.session, camera: try await onRecord(selection.camera))
        if let name = selection.destination { try await uploading { try await $0.checkKnown(name) } }
        if selection.dryRun == true { return UploadChangeReply(changed: try await count(filter)) }
        let changed = try await uploading { try await change($0, filter) }
        return UploadChangeReply(changed: changed)
    }

    /// How many jobs that are not delivered a change would meet.
    private func count(_ filter: UploadFilter) async throws(ControlError) -> Int {
        let open = Set(UploadJob.State.allCases).subtracting([.delivered])
        var count = 0
        var cursor: String?
        repeat {
            let (jobs, next) = try await page(
                filter, wanted: open, before: try Self.id(before: cursor), limit: UploadsQuery.limitMax)
            count += jobs.count
            cursor = next
        } while cursor != nil
        return count
    }

    func addUploads(_ request: UploadAddRequest) async throws(ControlError) -> UploadChangeReply {
        let camera = try await onRecord(request.camera)
        let changed = try await uploading { uploads in
            try await uploads.add(
                session: request.session, camera: camera, captures: request.ids,
                to: [request.to])
        }
        return UploadChangeReply(changed: changed)
    }

    // MARK: parts

    /// Asks the upload service; what a person got wrong is told as that, the rest is the service's fault.
    func uploading<Value: Sendable>(
        _ body: @Sendable (UploadService) async throws -> Value
    ) async throws(ControlError) -> Value {
        do { return try await body(uploads) } catch { throw Self.refusal(error) }
    }

    private static func refusal(_ error: any Error) -> ControlError {
        guard let error = error as? UploadService.VerbError else {
            return ControlError(
                .internal, "cannot read the queue: \(error)", nextStep: "Check the service's log.")
        }
        return ControlError(
            .notFound, error.description,
            nextStep: "See 'framefast destinations' and 'framefast session list'.")
    }

    private static func state(_ state: UploadJobReply.State) throws(ControlError) -> UploadJob.State {
        guard let known = UploadJob.State(rawValue: state.rawValue) else {
            throw ControlError(.invalid, "there are no uploads in state '\(state.rawValue)'")
        }
        return known
    }
}
