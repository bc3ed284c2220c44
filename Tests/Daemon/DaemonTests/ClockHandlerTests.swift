import Cameras
import FrameFastAPI
import FrameFastModel
import ScriptedWorker
import TestRig
import Testing
import WorkerProtocol

@testable import FrameFastDaemon

/// Tests of reading and setting the clocks of cameras.
@Suite(.blocking) struct ClockHandlerTests {
    @Test func `reads and sets the clock of one camera and of all cameras`() async throws {
        var (left, right) = (
            CameraHandlerTests.body(1, "left", photos: 0), CameraHandlerTests.body(2, "right", photos: 0)
        )
        left.driftSeconds = -75
        left.worker.setsClock(CameraClockSetting(driftBeforeMs: -75_000, driftAfterMs: 120))
        right.driftSeconds = nil
        right.worker.settingsFail(
            WorkerFailure(kind: .unsupported, during: "clock", text: "it has no clock to set"))
        try await ScriptedService().running(with: [left, right], photos: 0) { control in
            let all = try await control.clocks.clocks()
            #expect(all.clocks == [.init(camera: .init(id: "test-t-1", name: "left"), driftMs: -75_000)])
            #expect(all.refused == [.init(camera: "right", message: "the camera does not report its time")])
            #expect(!all.clocks[0].isCorrect)
            #expect(try await control.clocks.clock("test-t-2").clocks.isEmpty)
            let set = try await control.clocks.setClock("left")
            #expect(set.clocks.map(\.driftMs) == [120] && set.clocks.map(\.driftBeforeMs) == [-75_000])
            #expect(set.clocks[0].isCorrect && left.worker.clocks == [0])
            let unable = await #expect(throws: ControlError.self) {
                try await control.clocks.setClock("right")
            }
            #expect(unable?.code == .unsupported)
            let both = try await control.clocks.setClocks()
            #expect(both.clocks.map(\.camera.name) == ["left"] && both.refused.map(\.camera) == ["right"])
            #expect(left.worker.clocks.count == 2 && left.worker.automaticClocks == 0)
        }
    }

    @Test func `refuses to set clocks without a connected camera`() async throws {
        let service = try await ScriptedService()
        #expect(try await service.control.clocks.clocks().clocks.isEmpty)
        let refusal = await #expect(throws: ControlError.self) {
            try await service.control.clocks.setClocks()
        }
        #expect(refusal?.code == .conflict)
    }

    @Test(arguments: [
        (ClockPolicy.always, 3, 1), (.always, -3, 1), (.always, 2, 0), (.ask, 90, 0), (.never, 90, 0),
    ])
    func `sets a wrong clock on connection only if configured`(
        clock: ClockPolicy, drift: Int, times: Int
    ) async throws {
        var body = SettingsHandlerTests.body()
        (body.clock, body.driftSeconds, body.preset) = (clock, drift, nil)
        let service = try await ScriptedService()
        try await service.remember([body])
        try await service.running {
            let (connection, _) = try service.open(body)
            await service.parts.connected.prepare(connection, [])
            connection.abandon()
            #expect(body.worker.clocks.count == times && body.worker.automaticClocks == times)
        }
    }

    /// A computer without a clock battery and without a network has an old time. `set_clock = "always"` must
    /// not copy this time to correct cameras.
    @Test(
        arguments: [
            (90, nil, true), (-864_000, nil, true), (3_590, false, true), (864_000, true, true),
            (864_000, false, false), (864_000, nil, false),
            // Two hours can be another time zone, or the time since the last shutdown.
            (7_200, true, true), (7_200, nil, true), (7_200, false, false), (-7_200, false, true),
        ] as [(Int, Bool?, Bool)])
    func `does not set clocks that are far ahead of an unsynchronized computer`(
        drift: Int, isSynchronized: Bool?, mayBeSet: Bool
    ) {
        #expect(
            ConnectedCameras.maySetClock(drift: drift, isHostSynchronized: isSynchronized) == mayBeSet)
    }
}
