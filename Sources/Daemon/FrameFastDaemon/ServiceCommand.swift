public import ArgumentParser
import Foundation
import FrameFastAPI
import FrameFastConfiguration
import FrameFastModel
import FrameFastSystem
import Logging
import Makers
import SettingKeys
import USBHotplug

/// The service's command line.
public struct ServiceCommand: AsyncParsableCommand {
    /// The help of `framefastd`.
    public static let configuration = CommandConfiguration(
        commandName: "framefastd",
        abstract: "Saves each photo from the connected cameras to disk when it is taken.",
        discussion: """
            Runs in the foreground until SIGTERM or SIGINT. Usually, systemd starts this program.
            Configuration: defaults, then the file, then conf.d/*.toml in its folder, then FRAMEFAST_… variables, then flags.
            Exit status: 0 stopped cleanly, 1 failed, 64 usage, 78 configuration.
            """,
        version: ProductVersion.current)

    @Option(help: "Configuration file. Default: /etc/framefast/framefast.toml, if it exists.")
    var config: String?

    @Option(help: "Directory for the ledger and other state. Default: the configuration's [state] directory.")
    var stateDir: String?

    @Option(help: "Path of the API socket. Default: the configuration's [api] socket.")
    var socket: String?

    @Flag(
        help: """
            Check the configuration, test whether the service can save photos, print problems, and exit \
            with 0 or 78. Also tests the folders and files of destinations.
            """)
    var checkConfig = false

    /// The folders to test, for the process that `--check-config` starts. See ``FolderCheck``.
    @Option(help: .hidden)
    var tryFolder: [String] = []

    /// The files to test, for the process that `--check-config` starts. See ``FolderCheck``.
    @Option(help: .hidden)
    var tryFile: [String] = []

    /// Whether to check the parts of the configuration, in a process that `--check-config` starts. See
    /// ``PartCheck``.
    @Flag(help: .hidden)
    var tryParts = false

    @Flag(
        help:
            "Diagnose problems without a running service, print them as JSON, and exit. 'framefast doctor' shows them."
    )
    var diagnose = false

    @Flag(
        help:
            "Compare the ledger with the files and the upload receipts, print JSON lines, and exit. 'framefast doctor --audit' shows them."
    )
    var audit = false

    /// Creates a command with default values, for the argument parser.
    public init() {}

    /// Runs the service until a signal stops it, or runs the check that an option requests.
    public mutating func run() async throws {
        let flags = ConfigurationFlags(configFile: config, stateDirectory: stateDir, socket: socket)
        let isByFlags = flags != ConfigurationFlags()
        let hasStateVariable = ProcessInfo.processInfo.environment["STATE_DIRECTORY"] != nil
        let isRunByUser = isByFlags || hasStateVariable
        guard tryFolder.isEmpty, tryFile.isEmpty else {
            let trial = FolderTrial(observer: .detected(isRunByUser: isRunByUser))
            let tests =
                tryFolder.map { path -> @Sendable () -> FolderTrialResult in { trial.test(path) } }
                + tryFile.map { path -> @Sendable () -> FolderTrialResult in { trial.test(file: path) } }
            return try await CheckProcess.runChecks(tests, print: Self.printResults)
        }
        let load: @Sendable () throws -> Configuration = {
            try Configuration.load(flags: flags, checkTemplate: Self.templateError(_:))
        }
        let configuration: Configuration
        do { configuration = try load() } catch {
            if audit { try? Self.writeLine(Self.auditError(error)) }
            FileHandle.standardError.write(Data("\(error)\n".utf8))
            throw ExitCode(ConfigurationErrors.exitStatus)
        }
        guard !tryParts else {
            let checks = configuration.checkedParts(isByHand: true).map(\.findFaults)
            return try await CheckProcess.runChecks(checks, print: Self.printResults)
        }
        guard !checkConfig else {
            let check = FolderCheck(
                places: ServicePlace.all(in: configuration), isSystemService: !isRunByUser,
                isByFlags: isByFlags, program: Self.program, options: flags.options)
            return try await Self.report(configuration, check)
        }
        if diagnose {
            return try await Self.diagnose(configuration, observer: .detected(isRunByUser: isRunByUser))
        }
        if audit {
            // `framefast doctor --audit` sets `STATE_DIRECTORY` only for a user service.
            let run = AuditRun(
                configuration: configuration, configFile: config, isUserService: hasStateVariable,
                clock: .system)
            guard try await run.run(print: Self.writeLine) else { throw ExitCode.failure }
            return
        }
        LogLevel.current = configuration.log.level
        ServiceLog.bootstrap(environment: ProcessInfo.processInfo.environment)
        let logger = Logger(label: "framefastd")
        do {
            try await Daemon(configuration: configuration, reload: load, clock: .system, logger: logger).run()
        } catch {
            logger.critical("framefastd cannot continue", metadata: ["reason": "\(error)"])
            throw ExitCode.failure
        }
    }

    /// Prints the faults and warnings of a configuration.
    ///
    /// - Throws: The exit status, if the service can't use the configuration.
    private static func report(_ configuration: Configuration, _ check: FolderCheck) async throws {
        let source = configuration.files.last ?? "defaults"
        let partCheck = PartCheck(
            parts: configuration.checkedParts(isByHand: true), source: source, program: check.program,
            options: check.options)
        async let results = partCheck.results()
        let ofFolders = await check.findings()
        let faults =
            partCheck.errors(await results, reported: ofFolders.unresponsivePaths)
            + ofFolders.faults.map { ConfigurationError(source: source, message: $0) }
        let warnings = configuration.warnings.map { "\($0)" } + ofFolders.warnings
        let lines = faults.map { "\($0)" } + warnings.map { "warning: " + $0 }
        FileHandle.standardError.write(Data(lines.map { $0 + "\n" }.joined().utf8))
        guard faults.isEmpty else { throw ExitCode(ConfigurationErrors.exitStatus) }
        let files =
            configuration.files.isEmpty ? "defaults only" : configuration.files.joined(separator: ", ")
        print("the configuration is valid (\(files))")
    }

    private static func diagnose(_ configuration: Configuration, observer: Observer) async throws {
        let bus = try? USBBus()
        defer { bus?.close() }
        let doctor = Doctor(
            configuration: configuration, knowledge: try KnowledgeBase.bundled(), bus: bus, service: nil,
            hostClock: .system, observer: observer)
        let reply = try WireCoder.encode(await doctor.examine())
        print(String(decoding: reply, as: UTF8.self))
    }

    /// Prints a line of results without a buffer, so the reading process receives the line immediately.
    private static func printResults(_ line: String) throws {
        try FileHandle.standardOutput.write(contentsOf: Data("\(line)\n".utf8))
    }

    /// Prints a line of the audit.
    private static func writeLine(_ line: AuditLine) throws {
        var bytes = try WireCoder.encode(line)
        bytes.append(UInt8(ascii: "\n"))
        try FileHandle.standardOutput.write(contentsOf: bytes)
    }

    /// Returns the line that ends the audit if the configuration cannot be used.
    static func auditError(_ error: any Error) -> AuditLine {
        let reason = "\(error)".replacing("\n", with: "; ")
        return AuditLine(
            error: ErrorReply.Detail(
                code: .invalid, message: "cannot use the configuration: \(reason)",
                nextStep: "Correct the configuration file."))
    }

    /// The absolute path of this program.
    private static var program: String {
        URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().path
    }

    private static func templateError(_ template: String) -> String? {
        do throws(NamingTemplateError) {
            _ = try NamingTemplate(template)
            return nil
        } catch {
            return error.description
        }
    }
}

extension ConfigurationFlags {
    /// The command-line options for these flags, for a process with another working directory.
    fileprivate var options: [String] {
        let here = FileManager.default.currentDirectoryPath
        return [("--config", configFile), ("--state-dir", stateDirectory), ("--socket", socket)].flatMap {
            name, value in
            value.map { [name, $0.hasPrefix("/") ? $0 : "\(here)/\($0)"] } ?? []
        }
    }
}
