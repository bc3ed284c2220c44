import FrameFastModel
import TestRig
import Testing
import WorkerProtocol

/// Tests of the order of published settings and replies. The daemon handles the worker's events in order. If
/// a reply preceded its published settings, the status would be older than the reply.
@Suite(.serialized, .programs(2)) struct PublishedSettingsTests {
    /// The action after which the worker publishes the value: a change request, a read request or a turned
    /// dial.
    enum Action: String, CaseIterable, Sendable { case set, get, dial }

    struct Row: Sendable, CustomTestStringConvertible {
        var maker: String
        var action: Action
        var testDescription: String { "\(maker), \(action.rawValue)" }
    }

    private static let rows = ["generic", "canon", "nikon", "fuji", "sony"].flatMap { maker in
        Action.allCases.map { Row(maker: maker, action: $0) }
    }
    private static let values: [CameraSettingKey: [String]] = [
        .iso: ["800", "1600", "200"], .aperture: ["5.6", "8", "4"],
    ]

    @Test(arguments: Tier.rows(rows, gate: [rows[1], rows[6], rows[11], rows[14]]))
    func `publishes a new value once, before the reply that contains the value`(row: Row) throws {
        let camera = try SimulatedCamera(maker: row.maker)
        let worker = try WorkerProcess()
        _ = try worker.open(camera)
        _ = try worker.list()
        _ = try worker.wait { if case .settingsChanged = $0 { true } else { nil } }
        for key in [CameraSettingKey.iso, .aperture] {
            let setting = try #require(worker.settings([key.rawValue]).first)
            let offered = setting.choices.compactMap(\.value?.text)
            let text = try #require(
                Self.values[key]?.first { offered.contains($0) && $0 != setting.value?.text })
            func isPublished(_ event: WorkerEvent) -> Bool {
                guard case .settingsChanged(let settings, _) = event else { return false }
                return settings.contains { $0.key == key && $0.value?.text == text }
            }
            let start = worker.events.count
            if row.action == .set {
                #expect(try worker.change([key.rawValue: text]).map(\.outcome) == [.set])
            } else {
                let answer = try camera.send("dial \(key.rawValue)=\(text)")
                #expect(answer.hasPrefix("ok"), "\(answer)")
            }
            if row.action == .dial {
                // Requests refreshes, as the daemon does regularly. A Fujifilm does not report that a dial
                // was turned, and its driver returns the last value for some seconds.
                try pollUntil {
                    _ = try worker.request { .refresh(id: $0) }
                    return worker.events[start...].contains(where: isPublished)
                }
            }
            if row.action != .set {
                // The driver may return its last value until the camera has reported the new one.
                try pollUntil { try worker.settings([key.rawValue]).first?.value?.text == text }
            }
            #expect(try worker.settings([key.rawValue]).first?.value?.text == text)
            #expect(worker.events[start...].count(where: isPublished) == 1, "\(key.rawValue)=\(text)")
        }
    }
}
