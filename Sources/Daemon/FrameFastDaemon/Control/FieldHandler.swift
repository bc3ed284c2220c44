import APIServer
import Foundation
import FrameFastAPI
import FrameFastModel
import Store
import TextForms

/// Fields: what the next photos of the running session are given, and the list that they are walked through.
struct FieldHandler: EndpointHandler {
    let ledger: LedgerStore
    let lookup: CameraLookup
    let hub: EventHub

    func attach(to table: inout EndpointTable) {
        table.on(\.fields.list, list)
        table.on(\.fields.change, change)
        table.on(\.fields.setList, setList)
        table.on(\.fields.removeList, removeList)
        table.on(\.fields.step, step)
        table.on(\.fields.rows, rows)
    }

    func list() async throws(ControlError) -> FieldsReply {
        guard let session = try await ledger.asking({ try await $0.currentSession() }) else {
            return FieldsReply()
        }
        return try await reply(session.id)
    }

    func change(_ request: FieldsChangeRequest) async throws(ControlError) -> FieldsReply {
        let session = try await running()
        let camera = try camera(request.camera)
        let texts = FieldTexts(byName: request.set ?? [:])
        let before = try await ledger.asking { try await $0.fields(session: session) }
        guard Set(before.map(\.name)).union(texts.keys).count <= FieldName.countMax else {
            throw ControlError(
                .invalid, "cannot set more than \(FieldName.countMax) fields in a session",
                nextStep: "Clear one with 'framefast field clear NAME'.")
        }
        try await ledger.asking {
            try await $0.setFields(
                texts, clear: request.clear ?? [], session: session, camera: camera, at: Date())
        }
        return try await changed(session, before)
    }

    func setList(_ request: FieldListRequest) async throws(ControlError) -> FieldsReply {
        let session = try await running()
        let list = try FieldList(table: request.table)
        try await ledger.asking { try await $0.setFieldList(list, session: session) }
        return try await changed(session)
    }

    func removeList() async throws(ControlError) -> FieldsReply {
        let session = try await running()
        try await ledger.asking { try await $0.removeFieldList(session: session) }
        return try await changed(session)
    }

    func step(_ request: FieldStepRequest) async throws(ControlError) -> FieldsReply {
        let session = try await running()
        let camera = try camera(request.camera)
        let step: FieldStep =
            switch (request.code, request.move) {
            case (let code?, _): .code(code)
            case (nil, .previous?): .previous
            default: .next
            }
        let before = try await ledger.asking { try await $0.fields(session: session) }
        let outcome = try await ledger.asking {
            try await $0.stepFieldList(step, session: session, camera: camera, at: Date())
        }
        switch outcome {
        case .row: return try await changed(session, before)
        case .noList: throw Self.noList
        case .noRow(let standing):
            let place = standing.map { "row \($0) stands" } ?? "no row stands yet"
            let refusal =
                switch step {
                case .next: "the list ends here"
                case .previous: "the list begins here"
                case .code(let code): "no row of the list begins with '\(code)'"
                }
            throw ControlError(
                .notFound, "\(refusal): \(place)", nextStep: "See the rows with 'framefast field rows'.")
        }
    }

    func rows(_ query: FieldRowsQuery) async throws(ControlError) -> FieldRowsReply {
        let session = try await running()
        guard let list = try await ledger.asking({ try await $0.fieldList(session: session) }) else {
            throw Self.noList
        }
        let rows = list.rows.filter { query.missing != true || $0.shots == 0 }
        return FieldRowsReply(
            columns: list.columns,
            rows: rows.map { .init(number: $0.number, texts: $0.texts, shots: $0.shots) })
    }

    /// Tells whoever follows what the next photos are given.
    func announce() async {
        if let now = try? await list() { hub.publish(.fields(now)) }
    }

    private static let noList = ControlError(
        .conflict, "the session has no list", nextStep: "Give it one with 'framefast field import FILE.csv'.")

    private func running() async throws(ControlError) -> SessionID {
        guard let session = try await ledger.asking({ try await $0.currentSession() }) else {
            throw ControlError(
                .conflict, "cannot set fields: no session is running",
                nextStep: "Start one with 'framefast session start NAME'.")
        }
        return session.id
    }

    private func camera(_ reference: CameraReference?) throws(ControlError) -> CameraID? {
        guard let reference else { return nil }
        return try lookup.camera(reference).id
    }

    /// The answer to a change, which everybody is told.
    private func changed(
        _ session: SessionID, _ before: [FieldSetting]? = nil
    ) async throws(ControlError) -> FieldsReply {
        var reply = try await reply(session)
        hub.publish(.fields(reply))
        let now = Set(reply.fields.map { [$0.name.rawValue, $0.camera?.rawValue ?? "", $0.text] })
        reply.before = before?.map(FieldReply.init).filter {
            !now.contains([$0.name.rawValue, $0.camera?.rawValue ?? "", $0.text])
        }
        return reply
    }

    private func reply(_ session: SessionID) async throws(ControlError) -> FieldsReply {
        let fields = try await ledger.asking { try await $0.fields(session: session) }
        let list = try await ledger.asking { try await $0.fieldList(session: session) }
        return FieldsReply(
            session: session, fields: fields.map(FieldReply.init), list: list.map(FieldListReply.init))
    }
}

extension FieldReply {
    /// As the wire has it.
    init(_ setting: FieldSetting) {
        self.init(
            name: setting.name, text: setting.text, camera: setting.camera, shots: setting.shots,
            at: setting.at)
    }
}

extension FieldListReply {
    /// As the wire has it.
    init(_ list: FieldList) {
        let places = list.places.map { Place(camera: $0.key, number: $0.value) }
        self.init(
            columns: list.columns, rows: list.rows.count, missing: list.rows.count { $0.shots == 0 },
            places: places.sorted { ($0.camera?.rawValue ?? "") < ($1.camera?.rawValue ?? "") })
    }
}

extension [FieldSetting] {
    /// What the photos of a camera are given.
    func texts(for camera: CameraID?) -> FieldTexts {
        let own = filter { $0.camera != nil && $0.camera == camera }
        return (filter { $0.camera == nil } + own).reduce(into: [:]) { $0[$1.name] = $1.text }
    }
}
