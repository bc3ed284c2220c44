import FrameFastModel
import Makers
import USBHotplug

/// Which camera a device on the USB is.
enum USBClaim: Hashable {
    /// One that the configuration names.
    case configured(CameraID)
    /// One that nobody named, under its id and still without a name.
    case plugged(ConfiguredCamera)

    /// Decides by the configuration, then by the device. `nil` when it is not to be used.
    ///
    /// - Parameters:
    ///   - known: The cameras that there are.
    ///   - plugged: Those of them that are plugged in.
    init?(
        _ device: USBDevice, _ maker: Maker?, options: CameraFleet.Options, known: Set<CameraID>,
        plugged: Set<CameraID>
    ) {
        let named = options.configured
            .compactMap { camera in USBAddress(camera.port).map { (camera, $0) } }
            .filter { $0.1.matches(device) && !plugged.contains($0.0.id) }
        if let (camera, _) = named.first(where: \.1.isPrecise) ?? named.first {
            self = .configured(camera.id)
            return
        }
        guard var camera = options.newcomer else { return nil }
        // Some makers give every body the same serial number. One that was called by its port keeps that over a restart,
        // whichever of them comes first.
        let own = Self.id(of: device, maker)
        let here = CameraID(rawValue: "\(own)-at-\(CameraNames.slug(device.portPath))")
        let isShared = plugged.contains(own) || (known.contains(here) && !plugged.contains(here))
        camera.id = isShared ? here : own
        self = .plugged(camera)
    }

    /// Stable for a body with a serial number, else for the socket that it is plugged into.
    private static func id(of device: USBDevice, _ maker: Maker?) -> CameraID {
        let maker = maker?.rawValue ?? "usb"
        guard let serial = device.serial.flatMap(CameraBodies.meaningful) else {
            return CameraID(rawValue: "\(maker)-at-\(CameraNames.slug(device.portPath))")
        }
        return CameraID(rawValue: "\(maker)-\(CameraNames.slug(serial))")
    }
}
