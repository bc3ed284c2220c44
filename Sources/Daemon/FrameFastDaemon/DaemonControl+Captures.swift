import APIServer
import CaptureEngine
import Foundation
import FrameFastAPI
import FrameFastModel
import Store

/// Photos: pages, single ones, counts, and another try for what is damaged.
extension DaemonControl {
    /// The row before which a page begins; `nil` for the first page.
    static func id<ID: Identity>(before cursor: String?) throws(ControlError) -> ID?
    where ID.RawValue == Int64 {
        guard let cursor else { return nil }
        guard let id = Int64(cursor) else {
            throw ControlError(
                .invalid, "the cursor '\(cursor)' is not one of this service",
                nextStep: "Start without a cursor.")
        }
        return ID(rawValue: id)
    }

    func captures(_ query: CapturesQuery) async throws(ControlError) -> CapturesReply {
        let before: ShotID? = try Self.id(before: query.cursor)
        let wanted = CaptureQuery(
            before: before, limit: query.limit, camera: try await onRecord(query.camera),
            session: query.session, state: try query.state.map(Self.captureState))
        let captures = try await asking { [ledger] in try await ledger.captures(wanted) }
        let shots = Set(captures.map(\.record.shotID))
        let cursor = shots.count == query.limit ? shots.min()?.description : nil
        return CapturesReply(captures: captures.map(reply), nextCursor: cursor)
    }

    func capture(id: CaptureID) async throws(ControlError) -> CaptureReply {
        let shot = try await asking { [ledger] in try await ledger.shot(of: id) }
        guard let capture = shot.first(where: { $0.record.id == id }) else {
            throw ControlError(
                .notFound, "there is no photo \(id)", nextStep: "List them with 'framefast captures'.")
        }
        return reply(capture)
    }

    func retryCapture(id: CaptureID) async throws(ControlError) -> CaptureReply {
        let before = try await capture(id: id)
        guard try await asking({ [engine] in try await engine.tryAgain(id) }) != nil else {
            throw ControlError(
                .conflict, "cannot read photo \(id) once more: it is \(before.state.rawValue), not damaged")
        }
        return try await capture(id: id)
    }

    func statistics() async throws(ControlError) -> CaptureStatisticsReply {
        let now = Date()
        let totals = try await asking { [ledger] in
            try await ledger.totals(startOfDay: Calendar.current.startOfDay(for: now), now: now)
        }
        return CaptureStatisticsReply(
            shots: totals.shots, shotsToday: totals.shotsToday, shotsPerMinute: totals.shotsLastMinute,
            total: totals.saved, today: totals.today, bytes: Int64(clamping: totals.bytes),
            verify: settings.verify.rawValue,
            awaitingReread: totals.awaitingReread)
    }

    private static func captureState(_ state: CaptureReply.State) throws(ControlError) -> CaptureState {
        guard let known = CaptureState(rawValue: state.rawValue) else {
            throw ControlError(.invalid, "there are no photos in state '\(state.rawValue)'")
        }
        return known
    }
}
