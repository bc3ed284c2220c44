import ArgumentParser
import FoundationEssentials
import Glibc
import TerminalUI

/// The command-line program: runs a command line and returns its exit status.
public enum Program {
    /// Runs one command line.
    ///
    /// - Parameter arguments: The arguments of the process, starting with the program's name.
    /// - Returns: The exit status.
    public static func run(_ arguments: [String]) -> Int32 {
        run(arguments: Array(arguments.dropFirst())).rawValue
    }

    /// Runs one command line.
    ///
    /// - Parameter arguments: The arguments without the program's name.
    static func run(arguments: [String]) -> ExitStatus {
        if let bar = StatusBarArguments(arguments) { return run(bar) }
        do {
            var command = try command(arguments)
            guard let verb = command as? any Verb else {
                try command.run()
                return .success
            }
            return run(verb)
        } catch {
            return printParserMessage(error)
        }
    }

    /// Parses a command line with the argument parser.
    static func command(_ arguments: [String]) throws -> any ParsableCommand {
        try FrameFast.parseAsRoot(GlobalOptions.movedBehindVerb(arguments))
    }

    private static func run(_ bar: StatusBarArguments) -> ExitStatus {
        let output = Output(
            format: .human, style: .ofStandardOutput(wish: bar.color, theme: bar.theme.palette))
        bar.output(output.style, isStream: false).printOnce(
            GlobalOptions.client(socket: bar.socket), output.printLine)
        return .success
    }

    private static func run(_ verb: any Verb) -> ExitStatus {
        let output = Output(format: verb.global.format, style: verb.global.style)
        do {
            return try verb.perform(
                Context(client: verb.global.client, output: output, clock: .system))
        } catch {
            output.printError(error.explanation)
            return error.explanation.status
        }
    }

    /// Prints the argument parser's own output: help, the version, or an error in the command line.
    private static func printParserMessage(_ error: any Error) -> ExitStatus {
        let message = FrameFast.fullMessage(for: error)
        let isHelp = FrameFast.exitCode(for: error) == .success
        if !message.isEmpty {
            FileDescriptorText.write(message + "\n", to: isHelp ? STDOUT_FILENO : STDERR_FILENO)
        }
        return isHelp ? .success : .usage
    }
}
