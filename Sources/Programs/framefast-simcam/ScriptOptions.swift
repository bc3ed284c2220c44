import ArgumentParser
import CameraSimulator

/// The options for automatic shots and for control.
struct ScriptOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Number of shutter presses.", valueName: "n"))
    var shots = 0

    @Option(help: ArgumentHelp("Time between two presses; 0 takes all photos at once.", valueName: "ms"))
    var interval = 1000

    @Option(help: ArgumentHelp("Photos taken at each press.", valueName: "n"))
    var burst = 1

    @Flag(help: "Start when a client has opened a session and listens to events.")
    var waitForClient = false

    @Flag(help: "Exit with status 0 when all shots are taken and, if a client connected, fetched.")
    var exitWhenDone = false

    @Option(
        help: ArgumentHelp(
            "How long to keep running after that, so the client can finish.", valueName: "ms"))
    var linger = 500

    @Option(
        help: ArgumentHelp(
            "Unix socket for commands, one per line; 'help' lists them.", valueName: "path"))
    var control: String?

    @Option(
        help: ArgumentHelp(
            "File to which a line of JSON with name, size and SHA-256 is written for each photo.",
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
