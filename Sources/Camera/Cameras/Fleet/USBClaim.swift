import FrameFastModel
import USBHotplug

/// The camera that a USB device belongs to.
enum USBClaim: Hashable {
    /// A camera in the configuration.
    case configured(CameraID)
    /// A camera that is not in the configuration, with its id but without a name.
    case plugged(ConfiguredCamera)

    /// Finds the camera in the configuration, or derives it from the device. Returns `nil` if the device is
    /// not used.
    ///
    /// - Parameters:
    ///   - known: The ids of all cameras in the fleet.
    ///   - plugged: The ids of all cameras that are plugged in.
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
        // Some makers give every camera the same serial number. The second camera with a serial number gets
        // an id that also contains its port. After a restart, the camera at this port gets the same id again,
        // regardless of the order in which the cameras are plugged in.
        let own = Self.id(of: device, maker)
        let here = CameraID(rawValue: "\(own)-at-\(CameraNames.slug(device.portPath))")
        let isShared = plugged.contains(own) || (known.contains(here) && !plugged.contains(here))
        camera.id = isShared ? here : own
        self = .plugged(camera)
    }

    /// Returns an id derived from the serial number, or from the USB port if the camera has no meaningful
    /// serial number.
    private static func id(of device: USBDevice, _ maker: Maker?) -> CameraID {
        let maker = maker?.rawValue ?? "usb"
        guard let serial = device.serial.flatMap(CameraBodies.meaningful) else {
            return CameraID(rawValue: "\(maker)-at-\(CameraNames.slug(device.portPath))")
        }
        return CameraID(rawValue: "\(maker)-\(CameraNames.slug(serial))")
    }
}
