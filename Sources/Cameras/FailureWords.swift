import FrameFastModel
import WorkerProtocol

/// What a failure to connect means for the person at the camera.
enum FailureWords {
    static func words(for failure: WorkerFailure, camera: ConfiguredCamera) -> (
        sentence: String, nextStep: String
    ) {
        let name = camera.name
        let isNetwork = camera.port.hasPrefix("ptpip:")
        switch failure.kind {
        case .busy:
            return (
                "\(name) is in use by another program.",
                "Close other camera programs on this computer and other devices that are connected to the camera."
            )
        case .permission:
            return (
                "This service may not open \(name).",
                "Give the service's user access to the USB device: the udev rule in udev/60-framefast.rules does that."
            )
        case .noDriver, .unsupported:
            return (
                "libgphoto2 has no driver for \(name) at \(camera.port).",
                "Switch the camera to PTP or tether mode; [drivers] allow may have to name another driver."
            )
        case .timeout, .disconnected, .refused, .objectGone, .diskFull, .hostIO, .corrupt:
            return (
                "\(name) does not answer at \(camera.port).",
                isNetwork
                    ? "Switch the camera on, check that it shows its network connection, and that the address is right."
                    : "Switch the camera on and check the cable; some bodies need their USB mode set to PTP or tether."
            )
        }
    }
}
