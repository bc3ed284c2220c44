import Testing

@testable import CameraWorker

/// Tests of the order of duties and of the situations in which each duty may run.
@Suite struct DutyTableTests {
    /// Returns the names of the duties that may run in a situation, highest rank first.
    private static func names(in situation: Admission) -> [String] {
        DutyTable.make().filter { $0.duty.admission.isSuperset(of: situation) }
            .map { String(describing: type(of: $0.duty)) }
    }

    @Test func `duties are sorted by rank`() {
        let ranks = DutyTable.make().map(\.rank)
        #expect(ranks == ranks.sorted())
    }

    @Test func `a release has priority over an operation and a fetch`() {
        let names = Self.names(in: .idle)
        #expect(Array(names.prefix(4)) == ["WaitingReleaseDuty", "ExposureDuty", "EventDuty", "CommandDuty"])
    }

    @Test func `only releases, operations, events, clock and settings requests run between chunks`() {
        let duties = [
            "ReleaseDuty", "ExposureDuty", "EventDuty", "ClockDuty", "SettingsReadingDuty",
            "SettingsWritingDuty",
        ]
        #expect(Self.names(in: .betweenChunks) == duties)
        #expect(Self.names(in: .duringShutterPause) == ["WaitingReleaseDuty"] + duties)
    }

    @Test(arguments: [Admission.idle, .betweenCommands, .betweenChunks, .duringShutterPause])
    func `no settings or clock request runs during an exposure`(situation: Admission) {
        let names = Self.names(in: [situation, .duringOperation, .duringExposure])
        #expect(!names.contains { $0.hasPrefix("Settings") || $0 == "ClockDuty" })
    }

    @Test func `live view does not run during an operation`() {
        #expect(!Self.names(in: [.idle, .duringOperation]).contains("LiveViewDuty"))
    }

    @Test func `only the operation continues while the connection closes`() {
        #expect(Self.names(in: [.whileClosing, .duringOperation, .duringExposure]) == ["ExposureDuty"])
    }
}
