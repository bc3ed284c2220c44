import APIServer
import CaptureEngine
import FrameFastAPI
import FrameFastModel
import Store

/// What happened to photos.
struct HistoryHandler: EndpointHandler {
    let ledger: LedgerStore
    let captures: CaptureHandler

    func attach(to table: inout EndpointTable) {
        table.on(\.history.list, list)
        table.on(\.history.get, get)
    }

    func list(_ query: HistoryQuery) async throws(ControlError) -> HistoryReply {
        let after: HistoryStepID? = try .before(query.cursor)
        let steps = try await ledger.asking {
            try await $0.history(since: query.since, after: after, limit: query.limit)
        }
        var reply = HistoryReply(steps: try await replies(steps))
        if steps.count == query.limit { reply.nextCursor = steps.last?.id.description }
        return reply
    }

    func get(_ id: CaptureID) async throws(ControlError) -> CaptureHistoryReply {
        let capture = try await captures.get(id)
        let steps = try await ledger.asking { try await $0.history(of: id) }
        return CaptureHistoryReply(capture: capture, steps: try await replies(steps))
    }

    private func replies(_ steps: [HistoryStep]) async throws(ControlError) -> [HistoryStepReply] {
        let ids = Set(steps.map(\.captureID))
        let records = try await ledger.asking { try await $0.captures(ids: ids) }
        return steps.compactMap { step in
            records[step.captureID].map { HistoryStepReply(step, $0, naming: captures.engine.naming) }
        }
    }
}

extension HistoryStepReply {
    /// As the wire has it.
    init(_ step: HistoryStep, _ record: CaptureRecord, naming: CaptureNaming) {
        self.init(
            id: step.id, capture: step.captureID, originalName: record.object.name, path: record.path,
            cameraName: naming.camera(record.bodyID).name, at: step.at,
            kind: .init(rawValue: step.kind.rawValue), destination: step.destination, seconds: step.seconds,
            bytes: step.bytes.map(Int64.init(clamping:)), bytesPerSecond: step.bytesPerSecond,
            outcome: step.outcome, detail: step.detail, by: step.by?.rawValue)
    }
}
