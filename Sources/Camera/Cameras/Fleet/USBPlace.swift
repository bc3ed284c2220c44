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

    /// Switches the power of the port off and on, as if somebody pulled the plug; where that is not to be had the port is reset.
    func cyclePower(_ logger: Logger) async {
        guard case .allowed = bus.access(to: device), await bus.holder(of: device) == nil else { return }
        guard let port = PortPower(portPath: device.portPath) else { return await resetPort(logger) }
        do throws(PortPower.Failure) {
            try await port.cycle()
            logger.warning(
                "switched the camera's USB port off and on", metadata: ["port": "\(device.portPath)"])
        } catch {
            logger.info("cannot switch the port's power", metadata: ["reason": "\(error.text)"])
            await resetPort(logger)
        }
    }
}
