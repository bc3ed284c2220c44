import Cameras
import FrameFastAPI
import FrameFastModel
import Makers
import USBHotplug

/// Checks of libgphoto2: its version, and the known faults of that version for the cameras of this computer.
extension Doctor {
    /// Checks the version of libgphoto2 and lists its known faults. Faults of connected cameras come first.
    func driver() -> [Check] {
        // A running worker reports the version that it has loaded.
        Self.driver(service?.registry.driverVersion ?? WorkerSettings.libraryVersion, bodies: bodies)
    }

    /// - Parameters:
    ///   - version: The version of the library, or `nil` if it is not installed.
    ///   - bodies: The cameras that are plugged in or connected.
    static func driver(_ version: String?, bodies: [DriverFault.Body]) -> [Check] {
        let (id, title) = ("libgphoto2", "Camera driver")
        guard let version else {
            return [
                Check(
                    id: id, title: title, verdict: .danger,
                    sentence:
                        "The libgphoto2 driver ptp2 is not installed: FrameFast cannot connect to any camera.",
                    steps: ["Install the driver: sudo apt install libgphoto2-6"])
            ]
        }
        guard let number = LibraryVersion(version) else {
            return [
                Check(
                    id: id, title: title, verdict: .info,
                    sentence:
                        "libgphoto2 is installed. Its version '\(version)' is not recognized, so known bugs cannot be checked."
                )
            ]
        }
        let faults = DriverFaults.faults(in: number)
        guard !faults.isEmpty else {
            return [
                Check(
                    id: id, title: title, verdict: .ok,
                    sentence: "libgphoto2 \(version) is installed. This version has no known bugs.")
            ]
        }
        let count = faults.count == 1 ? "One bug" : "\(faults.count) bugs"
        let first = Check(
            id: id, title: title, verdict: .info,
            sentence:
                "libgphoto2 \(version) is installed. \(count) of this version \(faults.count == 1 ? "is" : "are") known."
        )
        let ranked = faults.map { Rank(fault: $0, bodies: bodies) }.enumerated().sorted {
            ($1.element.specificity, $0.offset) < ($0.element.specificity, $1.offset)
        }
        return [first]
            + ranked.map { _, rank in
                Check(
                    id: "\(id)-\(rank.fault.id)",
                    title: rank.names.isEmpty ? title : rank.names.joined(separator: ", "),
                    verdict: rank.fault.isSevere && !rank.names.isEmpty ? .warning : .info,
                    sentence: rank.fault.sentence, steps: [rank.fault.step])
            }
    }

    /// A fault and the cameras that it concerns.
    private struct Rank {
        let fault: DriverFault
        let specificity: DriverFault.Specificity
        /// The names of the cameras whose model or maker the fault names.
        let names: [String]

        init(fault: DriverFault, bodies: [DriverFault.Body]) {
            self.fault = fault
            let usual = fault.maker == nil ? DriverFault.Specificity.everyCamera : .otherCameras
            specificity = bodies.map(fault.specificity).max() ?? usual
            names = bodies.filter { fault.specificity($0) >= .maker }.map(\.name)
        }
    }

    /// The cameras that are plugged in or connected.
    private var bodies: [DriverFault.Body] {
        let connected = (service?.registry.all ?? []).filter {
            service?.registry.connection(of: $0.id) != nil
        }
        let allowances = DeviceAllowances(configuration)
        let plugged = (bus?.present ?? []).compactMap { device -> DriverFault.Body? in
            let classification = knowledge.classify(DeviceDescriptors(device), allowing: allowances)
            guard classification.action != .ignore else { return nil }
            let status = Self.pluggedIn(at: device.driverPort, among: service?.registry.all ?? [])
            guard !connected.contains(where: { $0.id == status?.id }) else { return nil }
            return DriverFault.Body(
                name: status?.name ?? classification.name, maker: classification.maker,
                model: classification.model)
        }
        return connected.map { camera in
            DriverFault.Body(
                name: camera.name, maker: knowledge.maker(named: camera.facts?.maker ?? ""),
                model: camera.facts?.model)
        } + plugged.sorted { $0.name < $1.name }
    }
}
