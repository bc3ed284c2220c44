public import Logging

extension Logger {
    /// For HTTP's library: from warnings on, because it says more of each connection than a log of a camera should hold; and
    /// without what a stop ends.
    public var ofServer: Logger {
        Logger(label: label) { [handler] _ in ServerLog(log: handler) }
    }
}

/// A log without the errors that are none: what outlives the grace of a stop is cancelled, and the library calls that an error
/// ("Waiting on child channel: CancellationError()", Hummingbird 2's Server.swift).
private struct ServerLog: LogHandler {
    var log: any LogHandler

    var logLevel: Logger.Level {
        get { max(log.logLevel, .warning) }
        set { log.logLevel = newValue }
    }

    var metadata: Logger.Metadata {
        get { log.metadata }
        set { log.metadata = newValue }
    }

    var metadataProvider: Logger.MetadataProvider? {
        get { log.metadataProvider }
        set { log.metadataProvider = newValue }
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { log[metadataKey: key] }
        set { log[metadataKey: key] = newValue }
    }

    func log(event: LogEvent) {
        guard !"\(event.message)".hasSuffix("\(CancellationError())") else { return }
        log.log(event: event)
    }
}
