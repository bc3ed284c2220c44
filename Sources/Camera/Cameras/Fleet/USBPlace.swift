import Logging
import Makers
import USBHotplug

/// A camera's place on the USB from arrival to departure.
struct USBPlace: Sendable {
    let device: USBDevice
    /// What its descriptors say of it.
    let verdict: Verdict
    let bus: USBBus

    /// Resets the port of a camera that answers nobody. One that another program uses is left to it, and one that the
    /// system does not let us open cannot be reset either.
    func resetPort(_ logger: Logger) async {
        guard case .allowed = bus.access(to: device), await bus.holder(of: device) == nil else { return }
        logger.warning("resetting the camera's USB port", metadata: ["port": "\(device.portPath)"])
        do { try await bus.reset(device) } catch {
            logger.info("cannot reset the port", metadata: ["reason": "\(error)"])
        }
    }
}
