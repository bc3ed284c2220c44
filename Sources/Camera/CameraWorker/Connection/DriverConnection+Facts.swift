import FrameFastModel
import GPhoto2

extension DriverConnection {
    /// Reads all facts about the camera. Omits facts that the camera does not report.
    mutating func readFacts() -> CameraFacts {
        var facts = facts
        if facts.model.isEmpty {
            // These facts never change, so the worker reads them only once. Each request would also make the
            // driver poll an EOS for events.
            facts.maker = value("manufacturer") ?? ""
            facts.model = value("cameramodel") ?? ""
            facts.serial = value("serialnumber") ?? ""
            facts.firmware = value("deviceversion") ?? ""
            facts.vendorExtension = value("vendorextension") ?? ""
        }
        updateDriverFacts()
        let battery = value("batterylevel")
        facts.batteryPercent = batteryPercent(battery)
        facts.isBatteryLow = battery.map { profile.lowBattery?.contains($0) == true } ?? false
        facts.clockDriftSeconds = clockDrift()
        facts.canTrigger = camera.canTrigger && profile.mayTrigger
        facts.onlyFetchesPhotos = !camera.isGuarded
        facts.canDelete = camera.isGuarded ? camera.canDelete : memory.photos != nil
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
            classify(error, during: "facts")
        }
        facts.burstShotsLeft = readBurstCapacity()
        facts.captureTarget = currentTarget()
        facts.vendorExtensionID = camera.vendorExtension
        facts.hasGenericCapture = camera.hasGenericCapture
        facts.hasSonyCapture = camera.hasSonyCapture
        facts.canList = profile.canList
        facts.unrestored = unrestored
        facts.isShutterOpen = isShutterLeftOpen
        if let photos = memory.photos {
            facts.mustDeleteAfterSave = true
            facts.bufferBytes = photos.bytes
            facts.bufferedObjects = photos.count
            facts.bufferedBytes = photos.usedBytes
        }
        if !profile.canList { facts.bufferedObjects = countInMemory }
        if facts.shotsLeft == nil { facts.shotsLeft = value("availableshots").flatMap { Int($0) } }
        self.facts = facts
        return facts
    }

    /// Updates the driver's values for battery, remaining shots and clock. An EOS reports these values in
    /// events, which the packet tap has withheld from the driver.
    private mutating func updateDriverFacts() {
        guard loss == nil else { return }
        do throws(CameraError) { try camera.requestWithheldFacts() } catch {
            classify(error, during: "facts")
        }
    }

    /// Returns the text of a driver setting, or `nil` if the setting is missing or can't be read.
    mutating func value(_ name: String) -> String? {
        guard loss == nil else { return nil }
        do throws(CameraError) {
            let text = try camera.config(name).value
            // The driver returns "None" for a string that the camera omits.
            return text == "None" || text.isEmpty ? nil : text
        } catch {
            classify(error, during: "facts")
            return nil
        }
    }

    /// The property code of the battery level in the PTP standard, and the highest level of a camera that
    /// does not report percent.
    private static let (battery, topLevel) = ("5001", 3)

    /// Returns the battery level, in percent.
    ///
    /// An EOS M3, M5 or M10, and some PowerShots, report a level from 0 to 3 in the standard's property. The
    /// driver shows the full battery of such a camera as `3%` (_get_BatteryLevel; gphoto2 issue 541).
    ///
    /// - Parameter text: The driver's text, or `nil` if the camera does not report its battery.
    private mutating func batteryPercent(_ text: String?) -> Int? {
        guard let percent = text.flatMap(Self.percent) else { return nil }
        guard percent <= Self.topLevel, loss == nil else { return percent }
        do throws(CameraError) {
            let levels = try camera.config(Self.battery).choices.compactMap { Int($0) }
            return levels.max() == Self.topLevel ? percent * 100 / Self.topLevel : percent
        } catch {
            classify(error, during: "facts")
            return percent
        }
    }

    /// Parses `85%`, `85` or `85% (…)`. Returns `nil` for text such as `Low`.
    private static func percent(_ text: String) -> Int? {
        guard let number = Int(text.prefix { $0.isASCII && $0.isNumber }), (0...100).contains(number) else {
            return nil
        }
        return number
    }
}
