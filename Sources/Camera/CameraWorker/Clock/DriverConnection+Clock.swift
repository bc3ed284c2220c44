import FrameFastModel
import GPhoto2
import Glibc
import SystemIO
import WorkerProtocol

extension DriverConnection {
    /// The driver's settings for the clock: the wall time, and UTC on newer EOS models. The driver's
    /// `syncdatetime` is not usable, because it sets UTC as the wall time (_put_Canon_SyncTime).
    private static let clockName = "datetime"
    private static let clockNameUTC = "datetimeutc"

    /// Starts setting the clock.
    mutating func setClock(_ id: UInt64, zoneOffsetSeconds: Int, isAutomatic: Bool) {
        guard ClockWriting.zoneSeconds.contains(zoneOffsetSeconds), clock.writing == nil else {
            let failure = WorkerFailure(
                kind: clock.writing == nil ? .refused : .busy, during: "clock",
                text: "the clock is already being set, or the time zone's offset from UTC is out of range")
            return daemon.send(.failed(id: id, failure))
        }
        clock.writing = ClockWriting(
            id: id, zoneOffsetSeconds: zoneOffsetSeconds, isAutomatic: isAutomatic)
    }

    /// Performs the next step of setting the clock.
    mutating func serveClock() {
        guard var writing = clock.writing else { return }
        let isRecorded = writing.isRecorded
        if isRecorded, !backup.beginAttempt(Self.clockName, for: .automatic) {
            let failure = WorkerFailure(
                kind: .unsupported, during: "clock", text: "the driver crashed when the clock was last set")
            return endClock(.failed(id: writing.id, failure))
        }
        defer { if isRecorded { backup.endAttempt(Self.clockName, for: .automatic) } }
        do throws(CameraError) {
            switch writing.phase {
            case .begin: try beginClock(&writing)
            case .moment(let tries): try setClockNow(&writing, tries: tries)
            case .advance(let since, let second, let atMs):
                try watchClock(&writing, since: since, second: second, atMs: atMs)
            }
            if clock.writing != nil { clock.writing = writing }
        } catch {
            let failure = classify(error, during: "clock")
            writing.busy += 1
            guard loss == nil, error.kind == .busy, writing.busy < SettingsWriting.triesMax else {
                return endClock(.failed(id: writing.id, failure))
            }
            writing.due = .now + SettingsWriting.retryInterval
            clock.writing = writing
        }
        if let loss, let writing = clock.writing { endClock(.failed(id: writing.id, loss)) }
    }

    private mutating func endClock(_ event: WorkerEvent) {
        // The published drift uses the zone of the connection, even if the clock was set with a different
        // zone.
        let opened = request.zone.seconds(at: Int64(SystemTime.wallMs / 1_000))
        let otherZone = (clock.writing?.zoneOffsetSeconds).map { $0 - opened } ?? 0
        if case .clockSet = event, clock.writing?.isAutomatic == false { confirmSettings(Self.clockName) }
        clock.writing = nil
        // Discards the drift that was published last.
        clock.published = nil
        if case .clockSet(_, let setting) = event, let drift = setting.driftAfterMs {
            facts.clockDriftSeconds = Int((Double(drift) / 1_000).rounded()) + otherZone
            daemon.send(.facts(facts))
        }
        daemon.send(event)
    }

    private mutating func beginClock(_ writing: inout ClockWriting) throws(CameraError) {
        guard try settingsTable().known.contains(Self.clockName) else {
            return endClock(
                .failed(
                    id: writing.id,
                    WorkerFailure(
                        kind: .unsupported, during: "clock",
                        text: "the clock of this camera cannot be set remotely: set it in the camera's menu")
                ))
        }
        writing.driftBeforeMs = try cameraSecond().map {
            ClockWriting.drift(second: $0 - writing.zoneOffsetSeconds, wallMs: SystemTime.wallMs)
        }
        waitForMoment(&writing, tries: 0)
    }

    private func waitForMoment(_ writing: inout ClockWriting, tries: Int) {
        writing.phase = .moment(tries: tries)
        let wait = writing.advancedMs.map { ClockWriting.wait(wallMs: SystemTime.wallMs, advancedMs: $0) }
        writing.due = .now + .milliseconds(wait ?? ClockWriting.wait(wallMs: SystemTime.wallMs))
    }

    private mutating func setClockNow(_ writing: inout ClockWriting, tries: Int) throws(CameraError) {
        let now = SystemTime.wallMs
        guard
            let second = writing.advancedMs.map({ ClockWriting.second(wallMs: now, advancedMs: $0) })
                ?? ClockWriting.second(wallMs: now)
                ?? (tries < ClockWriting.momentsMax ? nil : now / 1_000)
        else { return waitForMoment(&writing, tries: tries + 1) }
        if try settingsTable().known.contains(Self.clockNameUTC) {
            try camera.setConfig(Self.clockNameUTC, to: String(second))
        }
        try camera.setConfig(Self.clockName, to: String(second + writing.zoneOffsetSeconds))
        recordChangedSettings()
        writing.phase = .advance(since: .now, second: nil, atMs: SystemTime.wallMs)
        writing.due = .now + ClockWriting.readInterval
    }

    private mutating func watchClock(
        _ writing: inout ClockWriting, since: Instant, second: Int?, atMs: Int
    ) throws(CameraError) {
        let found = try cameraSecond().map { $0 - writing.zoneOffsetSeconds }
        let now = SystemTime.wallMs
        guard let found, let second, found != second else {
            // Some EOS models do not report their clock. The worker can't confirm the new second on these
            // models.
            guard Instant.now < since + ClockWriting.readingMax else {
                let setting = CameraClockSetting(driftBeforeMs: writing.driftBeforeMs, driftAfterMs: nil)
                return endClock(.clockSet(id: writing.id, setting))
            }
            writing.phase = .advance(since: since, second: found ?? second, atMs: now)
            writing.due = .now + ClockWriting.readInterval
            return
        }
        let drift = ClockWriting.drift(advancedTo: found, betweenMs: atMs, andMs: now)
        if abs(drift) > ClockWriting.acceptableMs, writing.advancedMs == nil {
            writing.advancedMs = (atMs + now) / 2
            return waitForMoment(&writing, tries: 0)
        }
        let setting = CameraClockSetting(driftBeforeMs: writing.driftBeforeMs, driftAfterMs: drift)
        endClock(.clockSet(id: writing.id, setting))
    }

    /// Returns the second that the camera's clock shows, or `nil` if the camera does not report it.
    private mutating func cameraSecond() throws(CameraError) -> Int? {
        if camera.cachesSettings { return try camera.reportedClock() }
        return try camera.clock()
    }

    // MARK: Drift

    /// Returns the camera's clock minus the host's, in seconds. Treats the camera's wall time as UTC.
    ///
    /// If the camera's value is unchanged, returns the previous drift. An EOS decides when it reports its
    /// clock, and the driver repeats the last report (ptp_canon_eos_getdevicepropdesc).
    mutating func clockDrift() -> Int? {
        guard let text = value("datetime"), let camera = Int(text), camera > 0 else { return nil }
        if let published = clock.published, published.camera == camera { return published.drift }
        let drift = ClockDrift.published(
            camera - zoneSecond(), previous: clock.published?.drift)
        clock.published = (camera, drift)
        return drift
    }

    /// Returns the current wall time in the camera's time zone, in seconds since 1970. Treats the wall time
    /// as UTC.
    func zoneSecond() -> Int {
        let now = SystemTime.wallMs / 1_000
        return now + request.zone.seconds(at: Int64(now))
    }
}
