import Foundation

/// A program's command tree, from the JSON of `--experimental-dump-help`.
struct CommandHelp: Decodable {
    var commandName: String
    var abstract: String?
    var discussion: String?
    var shouldDisplay: Bool?
    var arguments: [Argument]?
    var subcommands: [CommandHelp]?

    /// An option, a flag or a positional argument.
    struct Argument: Decodable {
        var kind: String
        var names: [Name]?
        var valueName: String?
        var abstract: String?
        var discussion: String?
        var defaultValue: String?
        var isOptional: Bool
        var isRepeating: Bool
        var shouldDisplay: Bool

        /// One spelling of an option.
        struct Name: Decodable {
            var kind: String
            var name: String

            var text: String { (kind == "short" ? "-" : "--") + name }
        }
    }

    /// Returns the command tree of a built program.
    static func of(_ program: URL) throws -> CommandHelp {
        struct Dump: Decodable { var command: CommandHelp }
        let text = try Output.of(program, ["--experimental-dump-help"])
        return try JSONDecoder().decode(Dump.self, from: Data(text.utf8)).command
    }

    /// The visible subcommands, in order, without the parser's own `help`.
    var shownSubcommands: [CommandHelp] {
        (subcommands ?? []).filter { $0.shouldDisplay != false && $0.commandName != "help" }
    }

    var shownArguments: [Argument] { (arguments ?? []).filter(\.shouldDisplay) }
}

/// A runner of programs, which returns their output.
enum Output {
    /// The error of a program that failed.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    static func of(_ program: URL, _ arguments: [String]) throws -> String {
        let process = Process()
        process.executableURL = program
        process.arguments = arguments
        process.environment = ["PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"]
        let output = Pipe()
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        try process.run()
        let text = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw Failure(
                description: "\(program.lastPathComponent) exited with \(process.terminationStatus)")
        }
        return String(decoding: text, as: UTF8.self)
    }
}
