import APIClient
import ArgumentParser
import FoundationEssentials
import FrameFastAPI
import Glibc
import TerminalUI
import TextForms

struct ConnectVerb: Verb {
    /// The default timeout in scripts, in seconds.
    static let timeoutSeconds = 60
    /// The default timeout in scripts with `--find`, in seconds. A camera waits up to 90 s for its owner to
    /// accept this computer.
    static let findTimeoutSeconds = 120

    static let configuration = CommandConfiguration(
        commandName: "connect", abstract: "Connect a camera, step by step.",
        discussion: """
            On a terminal, choose the maker, the session, when photos are uploaded, and the connection. \
            The command then shows the steps for the camera and continues when the camera is ready. If you \
            quit, run the command again to continue.

            Keys: arrows or j and k, numbers, / to find a maker, Enter, Esc to go back, q or Ctrl-C to quit. With \
            --plain or TERM=dumb, the command prints numbered lists and reads lines instead of keys.

            Each prompt has an option with the same effect. Without a terminal, or with --json, the \
            command does not prompt, and requires --usb, --address or --find. Without --maker, the command \
            shows the steps that work for most cameras. Without --session, the running session continues.

            Exits with 0 when the camera is ready, and with 130 if you quit. On a timeout, exits with 4 if \
            the camera needs attention, and with 1 if the camera is not found or not connected yet.
            """)

    @OptionGroup var global: GlobalOptions

    @Option(help: ArgumentHelp("The maker's id, for example canon; or `other`.", valueName: "id"))
    var maker: String?

    @Option(help: "Start a session with this name, or continue the running session of this name.")
    var session: String?

    @Option(help: "The upload mode of the new session, for example offline.")
    var mode: String?

    @Flag(help: "Connect the camera by USB.")
    var usb = false

    @Option(help: "Connect the camera at this network address: 192.168.1.5 or 192.168.1.5:15740.")
    var address: String?

    @Flag(
        help:
            "Find the camera on the network, and wait until you accept this computer on the camera's screen."
    )
    var find = false

    @Option(help: "Name the camera.")
    var name: String?

    @Option(
        help: ArgumentHelp(
            "Give up after this time, for example 90s or 2min. Default: \(timeoutSeconds) s in scripts (\(findTimeoutSeconds) s with --find), never on a terminal.",
            valueName: "time"))
    var timeout: String?

    @Flag(help: WatchVerb.stillHelp)
    var still = false

    func validate() throws {
        guard [usb, address != nil, find].filter({ $0 }).count <= 1 else {
            throw ValidationError("--usb, --address and --find cannot be combined")
        }
        if let mode, UploadMode(rawValue: mode) == nil {
            let words = UploadMode.allCases.map(\.rawValue).joined(separator: ", ")
            throw ValidationError("--mode must be one of \(words)")
        }
        if mode != nil, session == nil, !Self.canAsk(global.format) {
            throw ValidationError("--mode applies only to a new session: add --session with its name")
        }
        if let session, let error = SessionName.validationError(for: session) {
            throw ValidationError("--session: \(error) For example: \"\(SessionName.example)\"")
        }
        if let address, TypedAddress.validationError(for: address) != nil {
            throw ValidationError("--address must be like 192.168.1.5 or 192.168.1.5:15740")
        }
        if let name, name.isEmpty || name.count > CameraRenameRequest.nameLengthMax {
            throw ValidationError("--name must have 1 to \(CameraRenameRequest.nameLengthMax) characters")
        }
        if let timeout, Self.seconds(timeout) == nil {
            throw ValidationError("--timeout must be like 90s or 2min, from 1 s to 1 d")
        }
    }

    func perform(_ context: Context) throws(ClientError) -> ExitStatus {
        let makers = try Self.makers(context.client)
        var selections = ConnectSelections(
            session: session.map { .new(name: $0) }, mode: mode.flatMap(UploadMode.init(rawValue:)),
            connection: connection, name: name)
        if let maker {
            let id = maker.lowercased()
            guard let known = makers.first(where: { $0.id == id }) else {
                guard ["other", "unknown"].contains(id) else {
                    return reportFailure(.unknownMaker(maker, makers), context)
                }
                selections.maker = .notSure
                return run(selections, makers, context)
            }
            selections.maker = .known(known)
        }
        return run(selections, makers, context)
    }

    /// Returns the seconds of a duration from 1 s to 1 d, or `nil` for other text. A bare number is seconds.
    private static func seconds(_ text: String) -> Int? {
        DurationText.duration(of: text, bareUnit: "s").map { Int(($0 / .seconds(1)).rounded(.up)) }
            .flatMap { (1...86_400).contains($0) ? $0 : nil }
    }

    private var connection: ConnectSelections.Connection? {
        if usb { return .usb }
        if let address { return .network(.address(address)) }
        return find ? .network(.search(sweep: false)) : nil
    }

    /// Returns whether the program can prompt a person.
    private static func canAsk(_ format: OutputFormat) -> Bool {
        format.isForPeople && isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1
    }

    private func run(_ selections: ConnectSelections, _ makers: [MakerReply], _ context: Context)
        -> ExitStatus
    {
        let output = context.output
        let canAsk = Self.canAsk(output.format)
        let run = ConnectRun(
            client: context.client, flow: ConnectFlow(selections: selections, canAsk: canAsk),
            clock: context.clock)
        let deadline = Deadline(
            seconds: timeout.flatMap(Self.seconds)
                ?? (canAsk ? nil : find ? Self.findTimeoutSeconds : Self.timeoutSeconds),
            clock: context.clock)
        let isDumb = getenv("TERM").map { String(cString: $0) == "dumb" } ?? true
        let isScreen = canAsk && output.format.mayBeScreen && !isDumb
        let ending =
            isScreen
            ? run.runOnScreen(
                style: output.style, makers: makers, deadline: deadline, finishesAtOnce: connection != nil,
                isStill: still || Motion.isReduced { getenv($0).map { String(cString: $0) } })
            : run.runOnLines(output: output, makers: makers, deadline: deadline)
        switch ending {
        case .ready(let camera):
            if isScreen {
                let screen = ConnectScreen(flow: run.flow, now: context.clock.now())
                screen.body(output.style.layout()).forEach { output.printLine(output.style.encode($0)) }
            }
            return output.format.isForPeople ? .success : printJSON(camera, context)
        case .left: return .left
        case .failed(let explanation): return reportFailure(explanation, context)
        case .signal(let signal): SignalThread.die(of: signal)
        }
    }

    /// Prints the daemon's JSON of the camera. Escapes characters that are harmful in a terminal.
    private func printJSON(_ camera: CameraReply, _ context: Context) -> ExitStatus {
        do throws(ClientError) {
            context.output.printLine(
                TerminalText.escapedJSON(
                    try context.client.call(\.cameras.get, CameraReference(camera.id)).body))
            return .success
        } catch {
            return reportFailure(error.explanation, context)
        }
    }

    private func reportFailure(_ explanation: Explanation, _ context: Context) -> ExitStatus {
        context.output.printError(explanation)
        return explanation.status
    }

    /// Returns the makers, or an empty array if the daemon does not support the call.
    private static func makers(_ client: FrameFastClient) throws(ClientError) -> [MakerReply] {
        do throws(ClientError) { return try client.call(\.cameras.makers).value.makers } catch {
            if case .refused(let detail) = error, detail.code == .unsupported || detail.code == .notFound {
                return []
            }
            throw error
        }
    }
}
