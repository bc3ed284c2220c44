import Logging
import Makers
import USBHotplug

/// A camera's USB connection, from plugging in to unplugging.
struct USBAttachment: Sendable {
    let device: USBDevice
    /// The classification based on the device's descriptors.
    let classification: DeviceClassification
    let bus: USBBus

    /// Resets the port of a camera that does not respond. Does nothing if another program uses the camera, or
    /// if the system does not permit opening it.
    func resetPort(_ logger: Logger) async {
        guard case .allowed = bus.access(to: device), await bus.holder(of: device) == nil else { return }
        logger.warning("resetting the camera's USB port", metadata: ["port": "\(device.portPath)"])
        do { try await bus.reset(device) } catch {
            logger.info("cannot reset the port", metadata: ["reason": "\(error)"])
        }
    }
}
