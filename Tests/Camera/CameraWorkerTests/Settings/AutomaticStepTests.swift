import FrameFastModel
import Glibc
import TestRig
import Testing
import WorkerProtocol

/// Tests of steps that the service requests automatically when a camera connects. The worker crashes or
/// is killed during such a step.
@Suite(.serialized, .programs(2)) struct AutomaticStepTests {
    enum Step: String, CaseIterable, Sendable {
        case setting = "aperture"
        case clock = "datetime"

        func command(_ id: UInt64) -> WorkerCommand {
            switch self {
            case .setting:
                .writeSettings(
                    id: id,
                    CameraSettingsCommand(
                        [CameraSettingChange(name: "aperture", value: "8")], isAutomatic: true))
            case .clock: .setClock(id: id, zoneOffsetSeconds: 0, isAutomatic: true)
            }
        }
    }

    @Test(arguments: Step.allCases)
    func `skips a step that crashed the driver until a person requests it`(step: Step) throws {
        let camera = try SimulatedCamera()
        let first = try WorkerProcess()
        _ = try first.open(camera)
        func writes() throws -> Int { try camera.state().requests["setDevicePropValue"] ?? 0 }
        let before = try writes()
        try camera.send("fault stall*always @op 0x1016")
        try first.send { step.command($0) }
        try pollUntil { try writes() > before }
        kill(first.pid, SIGSEGV)
        #expect(first.waitForExit() & 0x7F == SIGSEGV)
        try camera.send("clear-faults")

        let second = try WorkerProcess(home: first.scratch)
        #expect(try second.open(camera, crashed: [first.pid]).unrestored == [step.rawValue])
        let sent = try writes()
        switch try second.request({ step.command($0) }) {
        case .settingResults(_, let results):
            #expect(step == .setting && results.map(\.outcome) == [.skipped])
            #expect(results.first?.reason?.contains("crashed") == true)
        case .failed(_, let failure):
            #expect(step == .clock && failure.kind == .unsupported && failure.text.contains("crashed"))
        case let other: Issue.record("\(other)")
        }
        #expect(try writes() == sent)
        // Other settings can be set in the same connection.
        #expect(try second.change(["iso": "800"], automatic: true).map(\.outcome) == [.set])
        switch step {
        case .setting: #expect(try second.change(["aperture": "8"]).map(\.outcome) == [.set])
        case .clock:
            guard case .clockSet = try second.request({ .setClock(id: $0, zoneOffsetSeconds: 0) }) else {
                Issue.record("the clock was not set")
                return
            }
        }
        try second.send { _ in .close }
        #expect(second.waitForExit() == 0)
        #expect(try WorkerProcess(home: first.scratch).open(camera).unrestored.isEmpty)
    }

    @Test func `repeats a step after the worker was killed`() throws {
        let camera = try SimulatedCamera()
        let first = try WorkerProcess()
        _ = try first.open(camera)
        try camera.send("fault stall*always @op 0x1016")
        try first.send { Step.setting.command($0) }
        try pollUntil { try camera.state().requests["setDevicePropValue"] ?? 0 > 0 }
        kill(first.pid, SIGKILL)
        first.waitForExit()
        try camera.send("clear-faults")
        let second = try WorkerProcess(home: first.scratch)
        #expect(try second.open(camera).unrestored.isEmpty)
        #expect(try second.change(["aperture": "8"], automatic: true).map(\.outcome) == [.set])
    }
}
