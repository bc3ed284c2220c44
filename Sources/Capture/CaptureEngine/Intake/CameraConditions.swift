import Cameras
import FrameFastModel

/// The conditions that follow from a camera's facts: battery, card, clock, memory, settings and shutter.
enum CameraConditions {
    /// The battery level at or below which a warning is raised, in percent.
    static let lowBatteryPercent = 10
    /// The difference between camera clock and computer clock that raises a condition, in seconds. With a
    /// larger difference, photos of several cameras can't be sorted by time.
    static let driftSeconds: UInt = 30
    /// The fill level of a camera's own memory that raises a warning, in percent.
    static let fullMemoryPercent: UInt64 = 70

    /// Updates the conditions of one camera.
    ///
    /// - Parameters:
    ///   - camera: The camera's ID, the subject of the conditions.
    ///   - name: The camera's display name.
    ///   - clock: The policy for the camera's clock.
    static func update(
        _ facts: CameraFacts, camera: CameraID, name: String, clock: ClockPolicy = .ask,
        conditionBoard: ConditionBoard
    ) {
        if let level = lowBattery(facts) {
            conditionBoard.raise(
                .batteryLow, subject: .camera(camera),
                sentence: "The battery of \(name) is \(level).",
                nextStep:
                    "Charge or replace the battery soon. FrameFast fetches the photos on the card after the camera reconnects."
            )
        } else {
            conditionBoard.clear(.batteryLow, subject: .camera(camera))
        }
        if clock != .never, let drift = facts.clockDriftSeconds, drift.magnitude >= driftSeconds {
            conditionBoard.raise(
                .clockDrift, subject: .camera(camera),
                sentence:
                    "The clock of \(name) is \(drift.magnitude) s \(drift > 0 ? "ahead of" : "behind") this computer's"
                    + (CameraClock.looksLikeZone(drift) ? ": it seems to show another time zone." : "."),
                nextStep: stepForDrift(drift, name: name))
        } else {
            conditionBoard.clear(.clockDrift, subject: .camera(camera))
        }
        updateMemory(facts, camera: camera, name: name, conditionBoard: conditionBoard)
        updateUnrestoredSettings(facts, camera: camera, name: name, conditionBoard: conditionBoard)
        conditionBoard.reportShutter(of: camera, name: name, isOpen: facts.isShutterOpen)
        let isFull =
            facts.shotsLeft == 0
            || (!facts.storages.isEmpty && facts.storages.allSatisfy { $0.freeBytes == 0 })
        if isFull {
            conditionBoard.raise(
                .cardFull, subject: .camera(camera), sentence: "The card in \(name) is full.",
                nextStep: "Replace the card, or delete photos that are saved. No photos are lost."
            )
        } else {
            conditionBoard.clear(.cardFull, subject: .camera(camera))
        }
    }

    /// Returns a low battery level as text, such as `at 5 %` or `low`. Returns `nil` if the level is
    /// sufficient or unknown.
    private static func lowBattery(_ facts: CameraFacts) -> String? {
        guard let percent = facts.batteryPercent else { return facts.isBatteryLow ? "low" : nil }
        return percent <= lowBatteryPercent ? "at \(percent) %" : nil
    }

    private static func stepForDrift(_ drift: Int, name: String) -> String {
        let command = "'framefast clock \(name) --set'"
        let mayBeBehind = CameraClock.hostMayBeBehind(drift)
        let check =
            mayBeBehind
            ? "If this computer's clock is behind, set it, for example with 'sudo timedatectl set-ntp true'. "
            : ""
        if CameraClock.looksLikeZone(drift) {
            return check + "If the camera is set to that zone on purpose, set the camera's time_zone in the "
                + "configuration. Otherwise, set the clock with \(command)."
        }
        if mayBeBehind { return check + "If it is right, set the camera's clock with \(command)." }
        return "Set the clock with 'framefast clock \(name) --set', or "
            + "set the camera's time_zone in the configuration."
    }

    /// Updates the condition for a camera's own memory. The camera stops shooting when this memory is full.
    private static func updateMemory(
        _ facts: CameraFacts, camera: CameraID, name: String, conditionBoard: ConditionBoard
    ) {
        guard facts.mustDeleteAfterSave, let size = facts.bufferBytes, let used = facts.bufferedBytes,
            used >= size / 100 * fullMemoryPercent
        else { return conditionBoard.clear(.memoryFilling, subject: .camera(camera)) }
        conditionBoard.raise(
            .memoryFilling, subject: .camera(camera),
            sentence:
                "The memory of \(name) holds \(facts.bufferedObjects ?? 0) photos that are not saved yet; "
                + "when the memory is full, the camera stops shooting.",
            nextStep: "Shoot more slowly until these photos are saved. Do not turn the camera off.")
    }

    /// Updates the condition for settings that were not restored because the driver crashed. The user has
    /// to check the camera.
    private static func updateUnrestoredSettings(
        _ facts: CameraFacts, camera: CameraID, name: String, conditionBoard: ConditionBoard
    ) {
        guard !facts.unrestored.isEmpty else {
            return conditionBoard.clear(.settingsNotRestored, subject: .camera(camera))
        }
        conditionBoard.raise(
            .settingsNotRestored, subject: .camera(camera),
            sentence:
                "Some settings of \(name) were not restored or set (\(facts.unrestored.joined(separator: ", "))): "
                + "the driver crashed while setting them, and FrameFast does not try again.",
            nextStep:
                "Check these settings on the camera, and stop any movie or long exposure there. Then confirm with "
                + "'framefast stop \(name)', which also stops the camera's current operation.")
    }
}
