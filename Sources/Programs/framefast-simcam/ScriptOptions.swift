import ArgumentParser
import CameraSimulator

/// The options for automatic shots and for control.
struct ScriptOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Number of shutter presses.", valueName: "n"))
    var shots = 0

    @Option(
        help: ArgumentHelp(
            "Time between two shutter presses, in milliseconds; 0 takes all photos immediately.",
            valueName: "ms"))
    var interval = 1000

    @Option(help: ArgumentHelp("Number of photos at each shutter press.", valueName: "n"))
    var burst = 1

    @Flag(help: "Start when a client has opened a PTP session and waits for events.")
    var waitForClient = false

    @Flag(
        help:
            "Exit with status 0 after all shots are taken. If a client connected, first wait until the client has fetched the shots."
    )
    var exitWhenDone = false

    @Option(
        help: ArgumentHelp(
            "Time to wait before --exit-when-done exits, in milliseconds.", valueName: "ms"))
    var linger = 500

    @Option(
        help: ArgumentHelp(
            "Unix socket for commands, one per line. The command 'help' lists them.", valueName: "path"))
    var control: String?

    @Option(
        help: ArgumentHelp(
            "File for a JSON line with name, size and SHA-256 of each photo.",
            valueName: "file"))
    var truth: String?

    func apply(to options: inout SimulatorOptions) {
        options.shots = max(0, shots)
        options.intervalMs = max(0, interval)
        options.burst = max(1, burst)
        options.waitsForClient = waitForClient
        options.exitsWhenDone = exitWhenDone
        options.lingerMs = max(0, linger)
        options.control = control
        options.truth = truth
    }
}
