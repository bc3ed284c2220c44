/// One thing that is wrong with the configuration.
public struct ConfigurationError: Hashable, Sendable, CustomStringConvertible {
    /// File, or what else it came from: `environment`, `--socket`.
    public var source: String
    /// Line in the file, from 1; `nil` when there is none.
    public var line: Int?
    /// What is wrong, with a suggestion where there is one.
    public var message: String

    /// Notes something.
    public init(source: String, line: Int? = nil, message: String) {
        self.source = source
        self.line = line
        self.message = message
    }

    /// `file:line: message`, as compilers write it.
    public var description: String { source + (line.map { ":\($0)" } ?? "") + ": " + message }
}

/// Where a table stands in the configuration, and each of its keys.
public struct ConfigurationOrigin: Hashable, Sendable {
    /// One place.
    struct Spot: Hashable, Sendable {
        /// File, or what else it came from.
        var source: String
        /// Line in the file, from 1; `nil` when there is none.
        var line: Int?
    }

    /// The table itself.
    var table: Spot
    /// Its keys by name.
    var keys: [String: Spot]

    /// Something that is wrong there.
    ///
    /// - Parameter key: The key that is wrong; `nil` for the table as a whole.
    public func error(_ key: String?, _ message: String) -> ConfigurationError {
        let spot = key.flatMap { keys[$0] } ?? table
        return ConfigurationError(source: spot.source, line: spot.line, message: message)
    }
}

/// Everything that is wrong with the configuration. Never empty.
public struct ConfigurationErrors: Error, Hashable, Sendable, CustomStringConvertible {
    /// Status of a program that was configured wrongly: EX_CONFIG of sysexits.h.
    public static let exitStatus: Int32 = 78

    /// Each of them.
    public var errors: [ConfigurationError]

    /// Gathers them.
    public init(errors: [ConfigurationError]) { self.errors = errors }

    /// A line an error.
    public var description: String { errors.map(\.description).joined(separator: "\n") }
}
