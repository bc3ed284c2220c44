import APIServer
import CaptureEngine
import FrameFastAPI
import FrameFastModel
import Store
import UploadEngine

/// The endpoints that list and change the upload queue.
struct UploadHandler: EndpointHandler {
    let uploads: UploadService
    let ledger: LedgerStore
    let lookup: CameraLookup
    let naming: CaptureNaming

    func attachHandlers(to table: inout EndpointTable) {
        table.handle(\.uploads.list, with: list)
        table.handle(\.uploads.retry, with: retry)
        table.handle(\.uploads.hold, with: hold)
        table.handle(\.uploads.release, with: release)
        table.handle(\.uploads.first, with: first)
        table.handle(\.uploads.drop, with: drop)
        table.handle(\.uploads.add, with: add)
    }

    func list(_ query: UploadsQuery) async throws(ControlError) -> UploadsReply {
        let before: JobID? = try .parsing(cursor: query.cursor)
        var filter = UploadFilter(
            destination: query.destination, session: query.session,
            camera: try await lookup.recordedCameraID(query.camera))
        let wanted = try query.states.map(Self.state)
        filter.state = wanted.count == 1 ? wanted.first : nil
        let (jobs, cursor) = try await page(filter, wanted: Set(wanted), before: before, limit: query.limit)
        let photos = Set(jobs.map(\.captureID))
        let records = try await ledger.mapErrors { try await $0.captures(ids: photos) }
        let replies = jobs.map {
            UploadJobReply($0, records[$0.captureID], naming: naming, configured: uploads.destinations)
        }
        return UploadsReply(jobs: replies, nextCursor: cursor)
    }

    /// Returns a page of the jobs in the requested states. Reads pages of the queue until the page is full.
    private func page(
        _ filter: UploadFilter, wanted: Set<UploadJob.State>, before: JobID?, limit: Int
    ) async throws(ControlError) -> ([UploadJob], cursor: String?) {
        var found: [UploadJob] = []
        var before = before
        while true {
            let start = before
            let part = try await uploads.mapErrors { try await $0.jobs(filter, before: start, limit: limit) }
            for job in part where wanted.isEmpty || wanted.contains(job.state) {
                found.append(job)
                if found.count == limit { return (found, job.id.description) }
            }
            guard part.count == limit, let last = part.last else { return (found, nil) }
            before = last.id
        }
    }

    func retry(_ selection: UploadSelection) async throws(ControlError) -> UploadChangeReply {
        try await change(selection) { try await $0.retry($1, isTrial: $2) }
    }

    func hold(_ selection: UploadSelection) async throws(ControlError) -> UploadChangeReply {
        try await change(selection) { try await $0.hold($1, isTrial: $2) }
    }

    func release(_ selection: UploadSelection) async throws(ControlError) -> UploadChangeReply {
        try await change(selection, leavesUnsorted: true) { try await $0.release($1, isTrial: $2) }
    }

    func first(_ selection: UploadSelection) async throws(ControlError) -> UploadChangeReply {
        try await change(selection, leavesUnsorted: true) { try await $0.putFirst($1, isTrial: $2) }
    }

    func drop(_ selection: UploadSelection) async throws(ControlError) -> UploadChangeReply {
        try await change(selection) { try await $0.drop($1, isTrial: $2) }
    }

    private func change(
        _ selection: UploadSelection, leavesUnsorted: Bool = false,
        _ change: @Sendable (UploadService, UploadFilter, Bool) async throws -> Int
    ) async throws(ControlError) -> UploadChangeReply {
        let chosen = UploadFilter(
            ids: selection.ids, destination: selection.destination,
            state: try selection.state.map(Self.state),
            session: selection.session, camera: try await lookup.recordedCameraID(selection.camera))
        let filter = leavesUnsorted ? chosen.leavingUnsorted : chosen
        if let name = selection.destination { try await uploads.mapErrors { try await $0.checkKnown(name) } }
        let changed = try await uploads.mapErrors {
            try await change($0, filter, selection.dryRun == true)
        }
        let left =
            if leavesUnsorted { try await uploads.mapErrors { try await $0.leftUnsorted(chosen) } } else { 0 }
        return UploadChangeReply(changed: changed, leftUnsorted: left > 0 ? left : nil)
    }

    func add(_ request: UploadAddRequest) async throws(ControlError) -> UploadChangeReply {
        let camera = try await lookup.recordedCameraID(request.camera)
        let changed = try await uploads.mapErrors { uploads in
            try await uploads.add(
                session: request.session, camera: camera, captures: request.ids,
                to: [request.to])
        }
        let left = try await uploads.mapErrors { uploads in
            try await uploads.leftUnsorted(
                session: request.session, camera: camera, captures: request.ids, to: [request.to])
        }
        return UploadChangeReply(changed: changed, leftUnsorted: left > 0 ? left : nil)
    }

    private static func state(_ state: Word<UploadState>) throws(ControlError) -> UploadState {
        guard let known = state.known else {
            throw ControlError(.invalid, "'\(state)' is not an upload state")
        }
        return known
    }
}
