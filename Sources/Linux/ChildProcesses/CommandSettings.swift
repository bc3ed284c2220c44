/// The settings of a program that runs for a photo or an event.
public struct CommandSettings: Hashable, Sendable {
    /// The absolute path of the program.
    public var program: String
    /// The arguments. Facts replace `{file}`, `{name}`, `{sha256}`, `{bytes}` and the names of other facts
    /// (`{CAMERA}`, `{SESSION}`, …). A fact that contains spaces stays in one argument. Other text in braces
    /// and variables of a shell (`${file}`) are not changed.
    public var arguments: [String]
    /// The time limit of a run, in seconds. At the limit, the service ends the program's process group.
    public var timeoutSeconds: Double
    /// The exit codes that mean "try again later", in addition to 75 (EX_TEMPFAIL of sysexits.h).
    public var retryCodes: Set<Int32>
    /// Additional environment variables. The program receives only these variables, `PATH`, `HOME`, `LANG`
    /// and the facts.
    public var environment: [String: String]
    /// The working directory.
    public var folder: String
    /// The bandwidth limit for all concurrent runs together, in bytes per second, or `nil` for no limit. The
    /// program receives the limit in `FRAMEFAST_BANDWIDTH` and must enforce the limit.
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

    /// The faults of these settings, as clauses without a final period, or an empty list. Reads the
    /// attributes of the program's file.
    public var faults: [String] { CommandCheck.faults(self) }
}
