/// Who asked for what is being done: a user of this computer, or a device that the page let in.
///
/// A request carries it to where the ledger writes down what changed. What the service does by itself has none.
public struct Asker: RawRepresentable, Hashable, Sendable {
    /// As the ledger keeps it: `uid 1000`, or `device` and its name.
    public let rawValue: String
    /// Takes the ledger's text.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// A user of this computer, by number: names are looked up where they are shown, because that may take long.
    public init(user: UInt32) { rawValue = Self.userPrefix + String(user) }

    /// A device that the page let in, by its name.
    public init(device: String) { rawValue = Self.devicePrefix + device }

    /// The user's number; `nil` for a device.
    public var user: UInt32? {
        rawValue.hasPrefix(Self.userPrefix) ? UInt32(rawValue.dropFirst(Self.userPrefix.count)) : nil
    }

    private static let userPrefix = "uid "
    /// Devices are named by their people: a word before it keeps a name from looking like a user.
    public static let devicePrefix = "device "

    /// Who asked for what runs now; `nil` for nobody.
    @TaskLocal public static var current: Asker?
}
