import APIClient
import ArgumentParser
import FoundationEssentials
import Glibc
import TerminalUI

/// The program without its process: arguments in, exit status out.
public enum Program {
    /// Runs one command line.
    ///
    /// - Parameter arguments: the process' own, with its name.
    /// - Returns: the exit status.
    public static func run(_ arguments: [String]) -> Int32 {
        run(arguments: Array(arguments.dropFirst())).rawValue
    }

    /// Runs one command line.
    ///
    /// - Parameter arguments: Without the program's own name.
    static func run(arguments: [String]) -> ExitStatus {
        if !GlobalOptions.isInEnglish(arguments) { Translation.useOfEnvironment() }
        if let bar = StatusBarArguments(arguments) { return run(bar) }
        do {
            var command = try command(arguments)
            guard let verb = command as? any Verb else {
                try command.run()
                return .success
            }
            return run(verb)
        } catch {
            return report(error)
        }
    }

    /// Reads a command line with the argument parser.
    static func command(_ arguments: [String]) throws -> any ParsableCommand {
        let arguments = GlobalOptions.movedBehindVerb(arguments)
        guard arguments.first == FleetVerbs.option else { return try FrameFast.parseAsRoot(arguments) }
        return try FrameFast.parseAsRoot([FleetVerbs.configuration.commandName ?? ""] + arguments.dropFirst())
    }

    private static func run(_ bar: StatusBarArguments) -> ExitStatus {
        let output = Output(
            format: .human, style: .ofStandardOutput(wish: bar.color, theme: bar.theme.palette))
        bar.output(output.style, isStream: false).once(GlobalOptions.client(socket: bar.socket), output.line)
        return .success
    }

    private static func run(_ verb: any Verb) -> ExitStatus {
        let output = Output(format: verb.global.format, style: verb.global.style)
        do {
            return try verb.perform(Context(client: verb.global.client, output: output))
        } catch {
            output.fail(error.explanation)
            return error.explanation.status
        }
    }

    /// The argument parser's own answers: help, version, and what is wrong with the command line.
    private static func report(_ error: any Error) -> ExitStatus {
        let message = FrameFast.fullMessage(for: error)
        let isHelp = FrameFast.exitCode(for: error) == .success
        if !message.isEmpty {
            FileDescriptorText.write(message + "\n", to: isHelp ? STDOUT_FILENO : STDERR_FILENO)
        }
        return isHelp ? .success : .usage
    }
}

/// What a verb works with.
struct Context {
    let client: FrameFastClient
    let output: Output
}
