/// Settings of a program that is run for a photo or an event.
public struct CommandSettings: Hashable, Sendable {
    /// Absolute path of the program.
    public var program: String
    /// Its arguments. `{file}`, `{name}`, `{sha256}`, `{bytes}` and `{FACT}` for each fact (`{CAMERA}`, `{SESSION}`, …)
    /// are replaced inside an argument; an argument stays one argument whatever a fact contains. Other text in braces stays.
    public var arguments: [String]
    /// Longest run, in seconds; then its whole process group is ended.
    public var timeoutSeconds: Double
    /// Exit codes that mean 'try again later', besides 75 (EX_TEMPFAIL of sysexits.h).
    public var retryCodes: Set<Int32>
    /// Further environment variables. `PATH`, `HOME` and `LANG` have sane values; nothing else is inherited.
    public var environment: [String: String]
    /// Working folder.
    public var folder: String
    /// Most bytes a second, over all runs at a time; `nil` for no limit. The program is told (`FRAMEFAST_BANDWIDTH`)
    /// and has to hold it: nothing else can.
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

    /// What cannot work in these settings, as sentences; empty when nothing is wrong. Looks at the program's file.
    public var faults: [String] { CommandCheck.faults(self) }
}
