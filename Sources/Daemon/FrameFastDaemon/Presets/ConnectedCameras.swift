import Cameras
import CaptureEngine
import Foundation
import FrameFastAPI
import FrameFastConfiguration
import FrameFastModel
import FrameFastSystem
import Logging
import Store
import Synchronization
import WorkerProtocol

/// Prepares newly connected cameras, in parallel with the transfer of their photos.
///
/// Resumes the camera's interval, restores the settings that ended sessions changed, applies the configured
/// preset, and sets the clock.
final class ConnectedCameras: ConnectionOwner {
    /// The time within which a camera must reconnect to skip its preset, in seconds. A short disconnect is
    /// probably caused by a bad cable. Applying the preset again would discard the photographer's changes.
    private static let reconnectSeconds = 60.0
    /// The pause between two attempts to continue an interval on a busy camera.
    private static let busyPause: Duration = .seconds(2)

    private let engine: CaptureEngine
    private let intervals: IntervalPlans
    private let presets: PresetStore
    private let sessions: SessionPresets
    private let changer: SettingsChanger
    private let ledger: LedgerStore
    private let conditionBoard: ConditionBoard
    private let logger: Logger
    private let clock: HostClock
    /// The ``HostClock/uptime`` at which each camera's last connection ended, and the body's serial number. A
    /// time server can set the date between two connections.
    private let ends = Mutex<[CameraID: (uptime: Double, serial: String?)]>([:])

    init(
        engine: CaptureEngine, intervals: IntervalPlans, presets: PresetStore, sessions: SessionPresets,
        changer: SettingsChanger,
        ledger: LedgerStore, conditionBoard: ConditionBoard, logger: Logger, clock: HostClock
    ) {
        self.engine = engine
        self.intervals = intervals
        self.presets = presets
        self.sessions = sessions
        self.changer = changer
        self.ledger = ledger
        self.conditionBoard = conditionBoard
        self.logger = logger
        self.clock = clock
    }

    func serve(_ connection: CameraConnection) async -> ConnectionEnd {
        // Read the records first. They then contain no session that starts later, so `prepare` does not undo
        // the preset of such a session.
        let records = await sessions.pendingRecords(for: connection)
        // The end of the connection does not wait for this task, because a camera may take a minute to
        // respond. Pending requests fail when the connection closes.
        let preparing = Task { await prepare(connection, records) }
        let end = await engine.serve(connection)
        preparing.cancel()
        ends.withLock { $0[connection.camera] = (uptime: clock.uptime(), serial: connection.serial) }
        return end
    }

    /// Resumes the interval, restores settings, applies the preset and sets the clock.
    func prepare(_ connection: CameraConnection, _ records: [GiveBackRecord]) async {
        // Continue the interval first, because its next photo is due at a fixed time.
        var isResumed = await intervals.resume(connection)
        // If the running session is unknown, restore nothing.
        do {
            let running = try await ledger.currentSession()?.id
            _ = await sessions.giveBack(connection, records, running: running)
        } catch {
            logger.error("cannot determine the running session", metadata: ["error": "\(error)"])
        }
        let end = ends.withLock { $0[connection.camera] }
        let isReconnection =
            end.map {
                connection.canBe($0.serial) && clock.uptime() - $0.uptime <= Self.reconnectSeconds
            } ?? false
        if !isReconnection { await applyPreset(connection) }
        await setClock(connection)
        // The interval waits for the end of an exposure or movie that a person started.
        while !isResumed {
            do { try await clock.sleep(for: Self.busyPause) } catch { return }
            isResumed = await intervals.resume(connection)
        }
    }

    /// Applies the preset that is configured for a camera, and raises or clears the `presetNotApplied`
    /// condition.
    private func applyPreset(_ connection: CameraConnection) async {
        let camera = connection.configured
        guard let name = camera.preset, !Task.isCancelled else { return }
        let problem: String?
        do {
            let values = try presets.preset(PresetName(rawValue: name)).settings
            let results = try await changer.change(
                connection, CameraSettingsCommand(try SettingName.changes(values), isAutomatic: true))
            let failed = results.map(SettingResultReply.init).filter { !$0.isDone }
            problem =
                failed.isEmpty
                ? nil : failed.map { "\($0.key) \($0.asked) (\($0.$result))" }.joined(separator: ", ")
        } catch let error as ControlError {
            problem = error.message
        } catch {
            problem = (error as? WorkerFailure)?.text ?? "\(error)"
        }
        guard let problem else {
            return conditionBoard.clear(.presetNotApplied, subject: .camera(connection.camera))
        }
        conditionBoard.raise(
            .presetNotApplied, subject: .camera(connection.camera),
            sentence: "\(camera.name) is not set to preset \(name): \(problem).",
            nextStep:
                "See the differences with 'framefast preset diff \(name) \(camera.name)', change them on the camera or in the "
                + "preset, then run 'framefast preset apply \(name) \(camera.name)'.")
    }

    private func setClock(_ connection: CameraConnection) async {
        guard connection.configured.clock == .always, let drift = connection.facts.clockDriftSeconds,
            drift.magnitude * 1_000 > ClockReply.driftMaxMs, !Task.isCancelled
        else { return }
        guard Self.maySetClock(drift: drift, isHostSynchronized: HostClock.isSynchronized) else {
            logger.notice(
                "did not set a camera's clock, because this computer's clock may be behind",
                metadata: ["camera": "\(connection.configured.name)", "seconds": "\(drift)"])
            return
        }
        do throws(WorkerFailure) { _ = try await connection.setClock(isAutomatic: true) } catch {
            logger.warning(
                "cannot set a camera's clock",
                metadata: ["camera": "\(connection.configured.name)", "error": "\(error.text)"])
        }
    }

    /// Returns whether the service may set a camera's clock without a request. All later photos would have a
    /// wrong time if this computer's clock was wrong.
    ///
    /// The time since the last shutdown can look like a time zone. Such a difference counts as another zone
    /// only if the state of this computer's clock is unknown.
    ///
    /// - Parameters:
    ///   - drift: The camera's clock minus this computer's, in seconds.
    ///   - isHostSynchronized: The value of ``HostClock/isSynchronized``.
    static func maySetClock(drift: Int, isHostSynchronized: Bool?) -> Bool {
        switch isHostSynchronized {
        case true?: true
        case false?: !CameraClock.hostMayBeBehind(drift)
        case nil: !CameraClock.hostMayBeBehind(drift) || CameraClock.looksLikeZone(drift)
        }
    }
}
