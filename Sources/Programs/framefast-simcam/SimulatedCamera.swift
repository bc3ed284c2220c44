import ArgumentParser
import CameraSimulator
import Glibc

/// The program `framefast-simcam`, a simulated camera.
@main struct SimulatedCamera: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "framefast-simcam",
        abstract: "Simulate a network or USB camera for dry runs, demos and tests.",
        discussion: """
            The simulated camera uses PTP/IP. Connect to it as to a real camera, for example with
              gphoto2 --port ptpip:127.0.0.1:15740 --capture-tethered
            or with framefastd and address = "ptpip:127.0.0.1:15740".

            Take ten photos, one per second, after a client connects:
              framefast-simcam --shots 10 --wait-for-client
            Take a photo manually, from a folder of your photos:
              framefast-simcam --photos ~/Pictures/test & kill -USR1 $!

            With --usb, all programs on this computer detect a USB camera: udev, \
            gphoto2, the desktop and framefastd see a Canon, Nikon, Sony or Fujifilm. This option uses Linux's virtual USB, \
            which requires root:
              sudo modprobe vhci-hcd
              sudo framefast-simcam --usb --maker canon --shots 10 --interval 2000
            Start in card reader mode, and change the USB mode while the camera is running:
              sudo framefast-simcam --usb --maker canon --usb-mode storage --control /run/simcam.sock &
              echo mode ptp | sudo nc -N -U /run/simcam.sock
            Ctrl-C unplugs the camera.
            """)

    @OptionGroup(title: "Camera") var camera: CameraOptions
    @OptionGroup(title: "Photos") var photos: PhotoOptions
    @OptionGroup(title: "Script") var script: ScriptOptions
    @OptionGroup(title: "Link and faults") var link: LinkOptions
    @OptionGroup(title: "USB") var cable: CableOptions

    mutating func run() throws {
        var options = SimulatorOptions()
        camera.apply(to: &options, card: photos.card)
        try photos.apply(to: &options)
        script.apply(to: &options)
        try link.apply(to: &options)
        cable.apply(to: &options)

        // All threads inherit this mask, so only `sigwait` receives the signals.
        var signals = sigset_t()
        sigemptyset(&signals)
        for number in [SIGUSR1, SIGTERM, SIGINT] { sigaddset(&signals, number) }
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        signal(SIGPIPE, SIG_IGN)

        let simulator: Simulator
        do {
            simulator = try Simulator(options)
            let address = try simulator.start()
            Self.writeLine(address, on: STDOUT_FILENO)
        } catch {
            Self.writeLine("framefast-simcam: \(error)", on: STDERR_FILENO)
            throw ExitCode.failure
        }
        while true {
            var received: Int32 = 0
            guard sigwait(&signals, &received) == 0 else { continue }
            guard received == SIGUSR1 else { break }
            do { try simulator.press() } catch {
                Self.writeLine("framefast-simcam: \(error)", on: STDERR_FILENO)
            }
        }
        simulator.stop()
    }

    /// Writes a line without buffering. A parent process that reads a pipe receives the line immediately.
    private static func writeLine(_ line: String, on descriptor: Int32) {
        let bytes = Array((line + "\n").utf8)
        _ = write(descriptor, bytes, bytes.count)
    }
}
