import Cameras
import CaptureEngine
import Foundation
import FrameFastAPI
import FrameFastConfiguration
import FrameFastModel
import Logging
import Store
import Synchronization
import WorkerProtocol

/// What is done to a camera when it is connected, beside taking its photos: it gets back what a session has changed, is set to
/// its preset, and its clock is set. Photos never wait for it.
final class ConnectedCameras: SessionOwner {
    /// A camera that is back this soon has had a bad cable: what its photographer has changed meanwhile stays.
    private static let backSeconds = 60.0
    /// The time between two orders of an interval to a camera that is busy.
    private static let busyPause: Duration = .seconds(2)

    private let engine: CaptureEngine
    private let intervals: IntervalPlans
    private let presets: PresetStore
    private let sessions: SessionPresets
    private let changer: SettingsChanger
    private let ledger: LedgerStore
    private let health: HealthBoard
    private let logger: Logger
    /// When the last session with a camera ended.
    private let ends = Mutex<[CameraID: Date]>([:])

    init(
        engine: CaptureEngine, intervals: IntervalPlans, presets: PresetStore, sessions: SessionPresets,
        changer: SettingsChanger,
        ledger: LedgerStore, health: HealthBoard, logger: Logger
    ) {
        self.engine = engine
        self.intervals = intervals
        self.presets = presets
        self.sessions = sessions
        self.changer = changer
        self.ledger = ledger
        self.health = health
        self.logger = logger
    }

    func serve(_ session: CameraSession) async -> SessionEnd {
        // Read before the camera takes part: a session that starts from now on keeps its preset until its own end.
        let debts = await sessions.debts(to: session.camera)
        // Not waited for at the end: a camera may take a minute to answer, and its session ends what is still asked.
        let preparing = Task { await prepare(session, debts) }
        let end = await engine.serve(session)
        preparing.cancel()
        ends.withLock { $0[session.camera] = Date() }
        return end
    }

    /// Prepares a camera that was connected: interval, settings of earlier sessions, preset, clock.
    func prepare(_ session: CameraSession, _ debts: [GiveBackRecord]) async {
        // Its next photo has a time.
        var isSettled = await intervals.resume(session)
        // Where the ledger cannot tell which session runs, none is over.
        do {
            let running = try await ledger.currentSession()?.id
            _ = await sessions.giveBack(session, debts, running: running)
        } catch {
            logger.error("cannot tell which session runs", metadata: ["error": "\(error)"])
        }
        let end = ends.withLock { $0[session.camera] }
        if end.map({ Date().timeIntervalSince($0) > Self.backSeconds }) ?? true { await applyPreset(session) }
        await setClock(session)
        // A person's exposure or movie goes first.
        while !isSettled {
            do { try await Task.sleep(for: Self.busyPause) } catch { return }
            isSettled = await intervals.resume(session)
        }
    }

    /// Sets a camera to the preset that is configured for it.
    private func applyPreset(_ session: CameraSession) async {
        let camera = session.configured
        guard let name = camera.preset, !Task.isCancelled else { return }
        let problem: String?
        do {
            let values = try presets.preset(PresetName(rawValue: name)).settings
            let results = try await changer.change(
                session, CameraSettingsOrder(try SettingName.changes(values)))
            let failed = results.map(SettingResultReply.init).filter { !$0.isDone }
            problem =
                failed.isEmpty
                ? nil : failed.map { "\($0.key) \($0.asked) (\($0.result))" }.joined(separator: ", ")
        } catch let error as ControlError {
            problem = error.message
        } catch {
            problem = (error as? WorkerFailure)?.text ?? "\(error)"
        }
        guard let problem else {
            return health.clear(.presetNotApplied, subject: .camera(session.camera))
        }
        health.raise(
            .presetNotApplied, subject: .camera(session.camera),
            sentence: "\(camera.name) is not set to preset \(name): \(problem).",
            nextStep:
                "See what differs with 'framefast preset diff \(name) \(camera.name)', change it on the camera or in the "
                + "preset, then run 'framefast preset apply \(name) \(camera.name)'.")
    }

    private func setClock(_ session: CameraSession) async {
        guard session.configured.clock == .always, let drift = session.facts.clockDriftSeconds,
            drift.magnitude * 1_000 > ClockReply.driftMaxMs, !Task.isCancelled
        else { return }
        do throws(WorkerFailure) { _ = try await session.setClock() } catch {
            logger.warning(
                "cannot set a camera's clock",
                metadata: ["camera": "\(session.configured.name)", "error": "\(error.text)"])
        }
    }
}
