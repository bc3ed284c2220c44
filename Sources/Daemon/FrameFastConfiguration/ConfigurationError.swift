/// An error in the configuration.
public struct ConfigurationError: Hashable, Sendable, CustomStringConvertible {
    /// The file, or another source: `environment`, `--socket`.
    public var source: String
    /// The line in the file, from 1, or `nil` if the source has no lines.
    public var line: Int?
    /// The problem, with a suggestion if available.
    public var message: String

    /// Creates an error.
    public init(source: String, line: Int? = nil, message: String) {
        self.source = source
        self.line = line
        self.message = message
    }

    /// `file:line: message`, in the format of compilers.
    public var description: String { source + (line.map { ":\($0)" } ?? "") + ": " + message }
}

/// The locations of a table and of each of its keys.
public struct ConfigurationOrigin: Hashable, Sendable {
    struct Location: Hashable, Sendable {
        /// The file, or another source.
        var source: String
        /// The line in the file, from 1, or `nil` if the source has no lines.
        var line: Int?
    }

    /// The location of the table.
    var table: Location
    /// The locations of the keys, by name.
    var keys: [String: Location]

    /// Creates an error at the location of a key.
    ///
    /// - Parameter key: The invalid key, or `nil` for the table as a whole.
    public func error(_ key: String?, _ message: String) -> ConfigurationError {
        let location = key.flatMap { keys[$0] } ?? table
        return ConfigurationError(source: location.source, line: location.line, message: message)
    }
}

/// All errors of the configuration, at least one.
public struct ConfigurationErrors: Error, Hashable, Sendable, CustomStringConvertible {
    /// The exit status for an invalid configuration: EX_CONFIG of sysexits.h.
    public static let exitStatus: Int32 = 78

    /// The errors.
    public var errors: [ConfigurationError]

    /// Collects errors.
    public init(errors: [ConfigurationError]) { self.errors = errors }

    /// The descriptions of the errors, one error per line.
    public var description: String { errors.map(\.description).joined(separator: "\n") }
}
