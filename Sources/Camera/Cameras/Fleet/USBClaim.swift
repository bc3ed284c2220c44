import FrameFastModel
import Makers
import USBHotplug

/// The camera that a USB device belongs to.
enum USBClaim: Hashable {
    /// A camera in the configuration.
    case configured(CameraID)
    /// A camera that is not in the configuration, with its id and still without a name.
    case plugged(ConfiguredCamera)

    /// Finds the camera in the configuration, or else derives it from the device. Returns `nil` if the device
    /// is not used.
    ///
    /// - Parameters:
    ///   - known: The known cameras.
    ///   - plugged: The known cameras that are plugged in.
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
        // Some makers give every camera the same serial number. A camera with an id from its port keeps this
        // id over a restart, in whichever order the cameras appear.
        let own = Self.id(of: device, maker)
        let here = CameraID(rawValue: "\(own)-at-\(CameraNames.slug(device.portPath))")
        let isShared = plugged.contains(own) || (known.contains(here) && !plugged.contains(here))
        camera.id = isShared ? here : own
        self = .plugged(camera)
    }

    /// Returns an id that is stable for a camera with a serial number, or otherwise for its USB port.
    private static func id(of device: USBDevice, _ maker: Maker?) -> CameraID {
        let maker = maker?.rawValue ?? "usb"
        guard let serial = device.serial.flatMap(CameraBodies.meaningful) else {
            return CameraID(rawValue: "\(maker)-at-\(CameraNames.slug(device.portPath))")
        }
        return CameraID(rawValue: "\(maker)-\(CameraNames.slug(serial))")
    }
}
