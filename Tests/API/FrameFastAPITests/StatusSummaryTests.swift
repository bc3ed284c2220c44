import Foundation
import FrameFastAPI
import Testing

@Suite struct StatusSummaryTests {
    private static func camera(
        _ name: String, _ state: CameraReply.State, battery: Int? = nil, shots: Int? = nil,
        isIgnored: Bool = false
    ) -> CameraReply {
        CameraReply(
            id: CameraID(rawValue: "id-" + name), name: name, state: state, batteryPercent: battery,
            shotsLeft: shots,
            isIgnored: isIgnored)
    }

    private static func status(_ cameras: [CameraReply]) -> StatusReply {
        StatusReply(
            version: "1", state: .running, startedAt: Date(timeIntervalSince1970: 0), cameras: cameras,
            captures: .init(shotsToday: 3, shotsPerMinute: 2),
            disk: DiskReply(directory: "/photos", freeBytes: 4, minFreeBytes: 1, guard: .ok))
    }

    @Test func `groups cameras by state in the order of the status`() {
        let summary = StatusSummaryReply(
            Self.status([
                Self.camera("a", .ready, battery: 80), Self.camera("b", .reconnecting, battery: 20, shots: 9),
                Self.camera("c", .ready, shots: 7),
                Self.camera("d", .failed, battery: 1, shots: 1, isIgnored: true),
            ]))
        #expect(summary.cameras.map(\.state) == [.ready, .reconnecting])
        #expect(summary.cameras.map(\.count) == [2, 1] && summary.cameras.map(\.first) == ["a", "b"])
        // An ignored camera does not count.
        #expect(summary.batteryPercent == 20 && summary.shotsLeft == 7)
        #expect(summary.shotsToday == 3 && summary.shotsPerMinute == 2 && summary.freeBytes == 4)
        #expect(summary.sessionName == nil && summary.attention == nil)
    }

    @Test(arguments: [
        ([ConditionReply.Severity.info], nil as ConditionReply.Severity?), ([.danger, .warning], .danger),
        ([.warning, .info], .warning),
    ])
    func `reports the worst condition, ignoring conditions of severity info`(
        severities: [ConditionReply.Severity], worst: ConditionReply.Severity?
    ) {
        var status = Self.status([])
        status.conditions = severities.map {
            ConditionReply(
                code: "x", severity: $0, since: Date(), about: .service, short: "\($0.rawValue)",
                sentence: "X.")
        }
        let attention = StatusSummaryReply(status).attention
        #expect(attention?.severity == worst && attention?.short == worst?.rawValue)
    }

    @Test func `the length of a summary does not depend on the camera count`() throws {
        let one = try WireCoder.encode(StatusSummaryReply(Self.status([Self.camera("a", .ready)])))
        let hundred = try WireCoder.encode(
            StatusSummaryReply(Self.status((0..<100).map { Self.camera("a\($0)", .ready) })))
        #expect(hundred.count <= one.count + 3)
    }
}
