import FrameFastModel
import GPhoto2
import Glibc
import WorkerProtocol

extension CameraSession {
    /// Everything that the camera says about itself. What it does not tell is left out; that is no failure.
    mutating func readFacts() -> CameraFacts {
        var facts = facts
        if facts.model.isEmpty {
            // These stay as they are; an EOS is asked for its events with each.
            facts.maker = value("manufacturer") ?? ""
            facts.model = value("cameramodel") ?? ""
            facts.serial = value("serialnumber") ?? ""
            facts.firmware = value("deviceversion") ?? ""
            facts.vendorExtension = value("vendorextension") ?? ""
        }
        catchUpOnSettings()
        facts.batteryPercent = value("batterylevel").flatMap(Self.percent)
        facts.clockDriftSeconds = clockDrift()
        facts.canTrigger = camera.canTrigger && habits.mayTrigger
        facts.isPhotosOnly = !camera.isGuarded
        facts.canDelete = camera.isGuarded ? camera.canDelete : memory != nil
        do throws(CameraError) {
            let storages = try camera.storages()
            facts.storages = storages.map {
                CameraStorage(
                    folder: $0.folder, label: $0.label, capacityBytes: $0.capacityBytes,
                    freeBytes: $0.freeBytes)
            }
            let images = storages.compactMap(\.freeImages)
            facts.shotsLeft = images.isEmpty ? nil : images.reduce(0, +)
        } catch {
            judge(error, during: "facts")
        }
        facts.burstRoom = burstRoom()
        facts.captureTarget = currentTarget()
        facts.vendorExtensionID = camera.vendorExtension
        facts.hasGenericCapture = camera.hasGenericCapture
        facts.hasSonyCapture = camera.hasSonyCapture
        facts.canList = habits.canList
        facts.unrestored = unrestored
        if let memory {
            facts.mustDeleteAfterSave = true
            facts.bufferBytes = memory.bytes
            facts.bufferedObjects = memory.count
            facts.bufferedBytes = memory.used
        }
        if !habits.canList { facts.bufferedObjects = countInMemory }
        if facts.shotsLeft == nil { facts.shotsLeft = value("availableshots").flatMap { Int($0) } }
        self.facts = facts
        return facts
    }

    private mutating func burstRoom() -> Int? {
        guard loss == nil, let property = habits.burstRoom.flatMap({ UInt16($0, radix: 16) }) else {
            return nil
        }
        do throws(CameraError) { return try camera.number(property) } catch {
            judge(error, during: "facts")
            // Not each model has it.
            if loss == nil, error.kind != .busy { habits.burstRoom = nil }
            return facts.burstRoom
        }
    }

    /// Whether live view is on.
    mutating func tellLiveView() {
        guard facts.isLive != liveView.isOn else { return }
        facts.isLive = liveView.isOn
        daemon.send(.facts(facts))
    }

    /// How the buffer stands during a burst.
    mutating func lookAtBurst() {
        let told = facts.burstRoom
        facts.burstRoom = burstRoom()
        burstLook.looked(nowMs: nowMs())
        if facts.burstRoom != told { daemon.send(.facts(facts)) }
    }

    /// What an EOS told of its battery, its shots and its clock while somebody looked for events only.
    private mutating func catchUpOnSettings() {
        guard loss == nil else { return }
        do throws(CameraError) { try camera.catchUpOnFacts() } catch {
            judge(error, during: "facts")
        }
    }

    /// A configuration value's text; `nil` when the camera has none of that name.
    mutating func value(_ name: String) -> String? {
        guard loss == nil else { return nil }
        do throws(CameraError) {
            let text = try camera.config(name).value
            // The driver's word for a string that the camera left out.
            return text == "None" || text.isEmpty ? nil : text
        } catch {
            judge(error, during: "facts")
            return nil
        }
    }

    /// Camera clock minus host clock. Both are wall clocks: the camera's as seconds that would be its time in UTC.
    ///
    /// A reading that is the same as the last one is as old as that: an EOS tells its clock when it likes, and the
    /// driver repeats what was told last (ptp_canon_eos_getdevicepropdesc).
    private mutating func clockDrift() -> Int? {
        guard let text = value("datetime"), let camera = Int(text), camera > 0 else { return nil }
        if let clock, clock.camera == camera { return clock.drift }
        let drift = ClockDrift.told(
            camera - zoneSecond(), before: clock?.drift)
        clock = (camera, drift)
        return drift
    }

    /// The current time of a clock in the camera's time zone, as seconds since 1970 of a clock in UTC that shows the same.
    func zoneSecond() -> Int {
        let now = Glibc.time(nil)
        return now + request.zone.seconds(at: Int64(now))
    }

    /// `85%`, `85` or `85% (…)`; words like `Low` are no number.
    private static func percent(_ text: String) -> Int? {
        guard let number = Int(text.prefix { $0.isASCII && $0.isNumber }), (0...100).contains(number) else {
            return nil
        }
        return number
    }
}
