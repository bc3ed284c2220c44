import Makers
import USBHotplug

/// A camera's place on the USB from arrival to departure.
struct USBPlace: Sendable {
    let device: USBDevice
    /// What its descriptors say of it.
    let verdict: Verdict
    let bus: USBBus
}
