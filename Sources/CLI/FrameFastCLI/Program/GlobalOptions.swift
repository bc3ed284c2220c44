import APIClient
import ArgumentParser
import Glibc
import TerminalUI

/// The options of every verb.
struct GlobalOptions: ParsableArguments {
    @Option(help: GlobalOption.socket.help)
    var socket: String?

    @Flag(help: GlobalOption.json.help)
    var json = false

    @Flag(help: GlobalOption.plain.help)
    var plain = false

    @Option(help: GlobalOption.color.help)
    var color = ColorChoice.auto

    @Option(help: GlobalOption.theme.help)
    var theme = ThemeChoice.auto

    @Option(help: GlobalOption.contrast.help)
    var contrast: Contrast?

    func validate() throws {
        if json && plain { throw ValidationError("--json and --plain cannot be combined") }
    }

    var format: OutputFormat { json ? .json : plain ? .plain : .human }

    /// The style that the options choose and that standard output supports.
    var style: Style {
        .ofStandardOutput(wish: plain ? .never : color, theme: theme.palette, contrast: contrast)
    }

    var client: FrameFastClient { Self.client(socket: socket) }

    /// Returns a client of the daemon at a socket.
    ///
    /// - Parameter socket: The path of the socket, or `nil` for the default.
    static func client(socket: String?) -> FrameFastClient {
        let environment = { (name: String) in getenv(name).map { String(cString: $0) } }
        return FrameFastClient(
            socketPath: socket ?? defaultSocket(environment: environment) { access($0, F_OK) == 0 })
    }

    /// Returns the default socket: the path in `FRAMEFAST_SOCKET`, else the socket of a user service if it
    /// exists, else the socket of the system service.
    static func defaultSocket(
        environment: (String) -> String?, exists: (String) -> Bool
    ) -> String {
        if let path = environment("FRAMEFAST_SOCKET"), !path.isEmpty { return path }
        if let runtime = environment("XDG_RUNTIME_DIR"), runtime.hasPrefix("/") {
            let path = runtime + "/framefast/framefast.sock"
            if exists(path) { return path }
        }
        return GlobalOption.systemSocket
    }

    /// The names of the options that take a value.
    private static let valued = GlobalOption.allCases.filter { $0.valueName != nil }.map(\.name)
    /// The names of the flags.
    private static let flags = GlobalOption.allCases.filter { $0.valueName == nil }.map(\.name)

    /// Moves the global options before `--` behind the verb and its arguments. Keeps `--` and all arguments
    /// after it at the end.
    ///
    /// A person may write global options before the verb. The argument parser accepts them only after the
    /// verb.
    static func movedBehindVerb(_ arguments: [String]) -> [String] {
        let end = arguments.firstIndex(of: "--") ?? arguments.endIndex
        var verbArguments: [String] = []
        var globalOptions: [String] = []
        var index = arguments.startIndex
        while index < end {
            let argument = arguments[index]
            let takesValue = valued.contains(argument) && index + 1 < end
            if takesValue || flags.contains(argument)
                || valued.contains(where: { argument.hasPrefix($0 + "=") })
            {
                globalOptions += arguments[index...(index + (takesValue ? 1 : 0))]
            } else {
                verbArguments.append(argument)
            }
            index += takesValue ? 2 : 1
        }
        return verbArguments.isEmpty ? arguments : verbArguments + globalOptions + arguments[end...]
    }
}
