/// The situations and conditions in which a duty may run.
struct Admission: OptionSet, Sendable {
    let rawValue: UInt8

    // MARK: Situations

    /// No other work is in progress.
    static let idle = Admission(rawValue: 1 << 0)
    /// After a command, before the next command.
    static let betweenCommands = Admission(rawValue: 1 << 1)
    /// Between two chunks of a photo. Each request delays the transfer.
    static let betweenChunks = Admission(rawValue: 1 << 2)
    /// During a pause of a transfer, while the photographer is shooting.
    static let duringShutterPause = Admission(rawValue: 1 << 3)
    /// The connection is closing, and the running operation has to end.
    static let whileClosing = Admission(rawValue: 1 << 4)

    // MARK: Conditions

    /// An operation is running.
    static let duringOperation = Admission(rawValue: 1 << 5)
    /// The worker holds the shutter open.
    static let duringExposure = Admission(rawValue: 1 << 6)

    /// All conditions. A duty with these conditions may run regardless of operations.
    static let always: Admission = [.duringOperation, .duringExposure]
}
