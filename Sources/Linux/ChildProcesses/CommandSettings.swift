/// The settings of a program that runs for a photo or an event.
public struct CommandSettings: Hashable, Sendable {
    /// The absolute path of the program.
    public var program: String
    /// The arguments. `{file}`, `{name}`, `{sha256}`, `{bytes}` and `{FACT}` for each fact (`{CAMERA}`,
    /// `{SESSION}`, …) are replaced inside an argument. An argument stays one argument whatever a fact
    /// contains. Other text in braces is not changed.
    public var arguments: [String]
    /// The time limit of a run, in seconds. After it the whole process group is ended.
    public var timeoutSeconds: Double
    /// The exit codes that mean "try again later", in addition to 75 (EX_TEMPFAIL of sysexits.h).
    public var retryCodes: Set<Int32>
    /// Additional environment variables. The program gets `PATH`, `HOME`, `LANG` and these; it inherits no
    /// others.
    public var environment: [String: String]
    /// The working directory.
    public var folder: String
    /// The bandwidth limit for all concurrent runs together, in bytes per second; `nil` for no limit. Only
    /// the program can apply the limit, which it gets in `FRAMEFAST_BANDWIDTH`.
    public var bytesPerSecond: UInt64?

    /// Creates settings.
    public init(
        program: String, arguments: [String] = [], timeoutSeconds: Double = 300, retryCodes: Set<Int32> = [],
        environment: [String: String] = [:], folder: String = "/", bytesPerSecond: UInt64? = nil
    ) {
        self.program = program
        self.arguments = arguments
        self.timeoutSeconds = timeoutSeconds
        self.retryCodes = retryCodes
        self.environment = environment
        self.folder = folder
        self.bytesPerSecond = bytesPerSecond
    }

    /// The faults of these settings, as parts of sentences; empty for valid settings. Reads the program's
    /// file attributes.
    public var faults: [String] { CommandCheck.faults(self) }
}
