public import ArgumentParser
public import CameraSimulator

extension USBMode: ExpressibleByArgument {}

extension USBNumbers: ExpressibleByArgument {
    /// Parses `04a9:32f4`.
    public init?(argument: String) { self.init(argument) }
}

/// The options for the virtual USB connection.
struct CableOptions: ParsableArguments {
    @Flag(
        help: """
            Connect to this computer by virtual USB instead of listening on the network (needs root and the kernel module \
            vhci-hcd). --rate sets the speed of the cable.
            """)
    var usb = false

    @Option(
        help: ArgumentHelp(
            "USB vendor and product ids. Default: the ids of the maker's camera in the USB mode.",
            valueName: "vid:pid"))
    var vidPid: USBNumbers?

    @Option(
        help: ArgumentHelp(
            "The camera's USB mode: ptp, mtp, storage or charging.", valueName: "mode"))
    var usbMode: USBMode = .ptp

    mutating func validate() throws {
        guard usb || (vidPid == nil && usbMode == .ptp) else {
            throw ValidationError("--vid-pid and --usb-mode need --usb")
        }
    }

    func apply(to options: inout SimulatorOptions) {
        guard usb else { return }
        var cable = USBCable.Options()
        cable.mode = usbMode
        cable.numbers = vidPid
        cable.bytesPerSecond = options.server.bytesPerSecond
        options.cable = cable
    }
}
