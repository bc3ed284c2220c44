import APIServer
import CaptureEngine
import Foundation
import FrameFastAPI
import FrameFastModel
import FrameFastSystem
import Store

/// The endpoints that list, return and count captures, and retry damaged captures.
struct CaptureHandler: EndpointHandler {
    let ledger: LedgerStore
    let lookup: CameraLookup
    let engine: CaptureEngine
    let verify: CaptureSettings.Verify
    let clock: HostClock

    func attachHandlers(to table: inout EndpointTable) {
        table.handle(\.captures.list, with: list)
        table.handle(\.captures.get, with: get)
        table.handle(\.captures.retry, with: retry)
    }

    func list(_ query: CapturesQuery) async throws(ControlError) -> CapturesReply {
        let before: ShotID? = try .parsing(cursor: query.cursor)
        let captureQuery = CaptureQuery(
            before: before, limit: query.limit, camera: try await lookup.recordedCameraID(query.camera),
            session: query.session, state: try query.state.map(Self.captureState))
        let captures = try await ledger.mapErrors { try await $0.captures(captureQuery) }
        let shots = Set(captures.map(\.record.shotID))
        let cursor = shots.count == query.limit ? shots.min()?.description : nil
        return CapturesReply(
            captures: captures.map { CaptureReply($0, naming: engine.naming) }, nextCursor: cursor)
    }

    func get(_ id: CaptureID) async throws(ControlError) -> CaptureReply {
        let shot = try await ledger.mapErrors { try await $0.shot(of: id) }
        guard let capture = shot.first(where: { $0.record.id == id }) else {
            throw ControlError(
                .notFound, "there is no photo \(id)", nextStep: "List the photos with 'framefast captures'.")
        }
        return CaptureReply(capture, naming: engine.naming)
    }

    func retry(_ id: CaptureID) async throws(ControlError) -> CaptureReply {
        let before = try await get(id)
        guard try await ledger.mapErrors({ _ in try await engine.retry(id) }) != nil else {
            throw ControlError(
                .conflict, "cannot read photo \(id) again: it is \(before.$state), not damaged")
        }
        return try await get(id)
    }

    func statistics() async throws(ControlError) -> CaptureStatisticsReply {
        let now = clock.now()
        let totals = try await ledger.mapErrors {
            try await $0.totals(startOfDay: Calendar.current.startOfDay(for: now), now: now)
        }
        return CaptureStatisticsReply(
            shots: totals.shots, shotsToday: totals.shotsToday, shotsPerMinute: totals.shotsLastMinute,
            total: totals.saved, today: totals.today, bytes: Int64(clamping: totals.bytes),
            verify: verify.rawValue,
            awaitingReread: totals.awaitingReread)
    }

    private static func captureState(_ state: Word<CaptureState>) throws(ControlError) -> CaptureState {
        guard let known = state.known else {
            throw ControlError(.invalid, "'\(state)' is not a photo state")
        }
        return known
    }
}
