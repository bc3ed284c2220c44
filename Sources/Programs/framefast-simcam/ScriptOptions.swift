import ArgumentParser
import CameraSimulator

/// The options for automatic shots and for control.
struct ScriptOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Times the shutter is pressed.", valueName: "n"))
    var shots = 0

    @Option(help: ArgumentHelp("Time between two presses; 0 takes all at once.", valueName: "ms"))
    var interval = 1000

    @Option(help: ArgumentHelp("Photos taken at each press.", valueName: "n"))
    var burst = 1

    @Flag(help: "Begin when a client has a session open and listens to events.")
    var waitForClient = false

    @Flag(help: "Exit with status 0 when all shots are taken and, if a client came, fetched.")
    var exitWhenDone = false

    @Option(
        help: ArgumentHelp(
            "How long to stay after that, so that the client can finish what it does.", valueName: "ms"))
    var linger = 500

    @Option(
        help: ArgumentHelp(
            "Unix socket that takes commands, one a line; 'help' lists them.", valueName: "path"))
    var control: String?

    @Option(
        help: ArgumentHelp(
            "File that gets a line of JSON with name, size and SHA-256 for each photo.", valueName: "file"))
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
