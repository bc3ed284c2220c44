import FrameFastModel
import TestRig
import Testing
import WorkerProtocol

@testable import CameraWorker

/// Tests of settings that change during an interval.
@Suite(.programs(2)) struct IntervalRampTests {
    /// Runs an interval to its end.
    private func run(_ command: IntervalCommand, _ worker: WorkerProcess) throws -> CameraOperationProgress {
        _ = try worker.request { .begin(id: $0, .interval(command)) }
        return try worker.wait {
            if case .operation(let progress) = $0, progress.state != .running { progress } else { nil }
        }
    }

    private func opened() throws -> (SimulatedCamera, WorkerProcess) {
        let camera = try SimulatedCamera(maker: "generic", ["--size", "50KB"])
        let worker = try WorkerProcess()
        _ = try worker.open(camera)
        _ = try worker.list()
        return (camera, worker)
    }

    /// The period of the intervals, in milliseconds. A tick is missed if the next tick is already due. The
    /// period is long enough for changing the settings on a busy system.
    private static let longPeriod = 6_000

    @Test func `changes the settings of a ramp before their ticks`() throws {
        let (camera, worker) = try opened()
        let ramp = [
            1: [CameraSettingChange(name: "iso", value: "800")],
            2: [CameraSettingChange(name: "iso", value: "1600")],
        ]
        let period = Tier.isNight ? 300 : Self.longPeriod
        let command = IntervalCommand(epochNs: BootClock.nowNs, periodMs: period, count: 3, ramp: ramp)
        #expect(try run(command, worker).done == 3)
        #expect(try worker.settings(["iso"]).first?.value?.text == "1600")
        #expect(try camera.state().requests["setDevicePropValue"] == 2)
    }

    @Test func `applies the latest settings of missed ticks before the next tick`() throws {
        let (camera, worker) = try opened()
        let ramp = [
            1: [
                CameraSettingChange(name: "iso", value: "800"),
                CameraSettingChange(name: "aperture", value: "5.6"),
            ],
            2: [CameraSettingChange(name: "iso", value: "1600")],
        ]
        // Two and a half periods have passed.
        let epochNs = BootClock.nowNs - UInt64(Self.longPeriod) * 2_500_000
        let command = IntervalCommand(epochNs: epochNs, periodMs: Self.longPeriod, count: 4, ramp: ramp)
        #expect(try run(command, worker).state == .ended)
        let values = try worker.settings(["iso", "aperture"]).map { $0.value?.text }
        #expect(values == ["1600", "5.6"])
        #expect(try camera.state().requests["setDevicePropValue"] == 2)
    }

    private static let iso800 = CameraSettingChange(name: "iso", value: "800")
    private static let refusal = "The camera does not accept this value right now."

    /// The camera refuses an ISO change before the first, a middle or the last tick of an interval. The first
    /// tick is due when the interval starts, before the worker can change the settings of this tick.
    @Test(arguments: [(0, 1), (1, 3), (2, 3)])
    func `reports a refused setting with tick and reason, and takes all photos`(
        tick: Int, count: Int
    ) throws {
        let (camera, worker) = try opened()
        try camera.send("refuse 500f 201c")
        let period = Tier.isNight ? 300 : Self.longPeriod
        let command = IntervalCommand(
            epochNs: BootClock.nowNs, periodMs: period, count: count, ramp: [tick: [Self.iso800]])
        let end = try run(command, worker)
        #expect(end.state == .ended && end.done == count)
        let failed = FailedSettingChanges(tick: tick, change: Self.iso800, reason: Self.refusal)
        #expect(end.failedChanges == failed)
        #expect(end.reason == failed.sentence)
        #expect(try worker.settings(["iso"]).first?.value?.text != "800")
    }

    @Test func `adds failed changes to the failures from before an interruption`() throws {
        let (camera, worker) = try opened()
        try camera.send("refuse 5007 ok")
        let ramp = [0: [CameraSettingChange(name: "aperture", value: "5.6"), Self.iso800]]
        var command = IntervalCommand(
            epochNs: BootClock.nowNs, periodMs: Self.longPeriod, count: 1, ramp: ramp)
        let before = FailedSettingChanges(count: 2, tick: 0, change: Self.iso800, reason: Self.refusal)
        command.failedChanges = before
        let end = try run(command, worker)
        // The camera sets the ISO and ignores the aperture.
        #expect(try worker.settings(["iso"]).first?.value?.text == "800")
        #expect(end.failedChanges?.count == 3 && end.failedChanges?.change == before.change)
        #expect(end.reason?.contains(Self.refusal) == true)
    }
}
