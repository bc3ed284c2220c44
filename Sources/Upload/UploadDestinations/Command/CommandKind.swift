import ChildProcesses
import SettingKeys
import UploadEngine

/// A destination kind that runs a user's program.
enum CommandKind: DestinationDescriptor {
    struct Keys: KeyTable {
        static let section = "destination"
        static let keys = Keys()

        let command = SettingKey(
            "command", required: .texts("program and arguments"),
            example: "[\"/usr/local/bin/deliver\", \"{file}\"]",
            "`command`: the absolute path of the program, and its arguments. FrameFast starts the program without a shell."
        )
        let timeout = SettingKey(
            "timeout", optional: .duration(max: .seconds(86_400)), example: "\"10 min\"",
            "`command`: the time limit of a run. Default: 5 minutes.")
        let retryCodes = SettingKey(
            "retry_codes",
            optional: .texts("exit codes") {
                UInt8($0).map { $0 > 0 } == true ? nil : "'\($0)' is not an exit code from \"1\" to \"255\""
            }, example: "[\"1\", \"69\"]", topic: .transfer,
            """
            `command`: additional exit codes that mean 'try again later'. Code 75 always has this meaning. Code 0 \
            means success, and every other code means failure.
            """)
    }

    static func location(_ settings: Settings<Keys>) -> String { settings.command.first ?? "" }

    static func acceptsProbes(_ settings: Settings<Keys>) -> Bool { false }

    /// Returns the time limit of a run, because a program reports no activity before it exits.
    static func silenceMax(_ settings: Settings<Keys>) -> Duration {
        settings.timeout ?? .seconds(CommandSettings(program: "").timeoutSeconds)
    }

    /// Whether uploads continue after the computer's sleep. The time limit of the program excludes the sleep.
    static var continuesAfterSleep: Bool { true }

    static func make(_ settings: Settings<Keys>, at site: DestinationSite) -> any UploadDestination {
        let line = settings.command
        var command = CommandSettings(program: line.first ?? "", arguments: Array(line.dropFirst()))
        command.bytesPerSecond = site.bytesPerSecond
        command.retryCodes = Set((settings.retryCodes ?? []).compactMap(Int32.init))
        if let time = settings.timeout { command.timeoutSeconds = time / .seconds(1) }
        return CommandDestination(name: site.name, settings: command, logger: site.logger)
    }
}
