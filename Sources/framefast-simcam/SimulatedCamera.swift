import ArgumentParser
import CameraSimulator
import Glibc

/// `framefast-simcam`: a camera on the network that is not there.
@main struct SimulatedCamera: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "framefast-simcam",
        abstract: "A camera on the network that is not there, for dry runs, demos and tests.",
        discussion: """
            It speaks PTP/IP and is reached like a real camera, for example by
              gphoto2 --port ptpip:127.0.0.1:15740 --capture-tethered
            or by framefastd with address = "ptpip:127.0.0.1:15740".

            Ten photos, one a second, as soon as somebody listens:
              framefast-simcam --shots 10 --wait-for-client
            Your own photos, taken by hand:
              framefast-simcam --photos ~/Pictures/test & kill -USR1 $!
            """)

    @OptionGroup(title: "Camera") var camera: CameraOptions
    @OptionGroup(title: "Photos") var photos: PhotoOptions
    @OptionGroup(title: "Script") var script: ScriptOptions
    @OptionGroup(title: "Link and faults") var link: LinkOptions

    mutating func run() throws {
        var options = SimulatorOptions()
        camera.apply(to: &options)
        try photos.apply(to: &options)
        script.apply(to: &options)
        try link.apply(to: &options)

        // Every thread inherits this mask: signals are taken by sigwait below and nowhere else.
        var signals = sigset_t()
        sigemptyset(&signals)
        for number in [SIGUSR1, SIGTERM, SIGINT] { sigaddset(&signals, number) }
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        signal(SIGPIPE, SIG_IGN)

        let simulator: Simulator
        do {
            simulator = try Simulator(options)
            let port = try simulator.start()
            Self.say("listening on \(options.server.address):\(port)", on: STDOUT_FILENO)
        } catch {
            Self.say("framefast-simcam: \(error)", on: STDERR_FILENO)
            throw ExitCode.failure
        }
        while true {
            var received: Int32 = 0
            guard sigwait(&signals, &received) == 0 else { continue }
            guard received == SIGUSR1 else { break }
            if (try? simulator.press()) == nil {
                Self.say("cannot take a photo: the card is full", on: STDERR_FILENO)
            }
        }
        simulator.stop()
    }

    /// Writes a line at once, so that whoever started this program sees it also through a pipe.
    private static func say(_ line: String, on descriptor: Int32) {
        let bytes = Array((line + "\n").utf8)
        _ = write(descriptor, bytes, bytes.count)
    }
}
