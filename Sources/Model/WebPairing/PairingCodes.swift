public import Identities
public import Vocabulary

/// The access that a device gets when it is paired.
public struct PairingGrant: Hashable, Sendable {
    /// The role of the device.
    public var role: WebRole
    /// The only session that the device may see, or `nil` for an owner.
    public var session: SessionID?

    /// Creates a grant.
    public init(role: WebRole, session: SessionID? = nil) {
        self.role = role
        self.session = session
    }
}

/// The result of an attempt to pair a device.
public enum PairingOutcome: Hashable, Sendable {
    /// The code is right. One use of the code is spent.
    case accepted(PairingGrant)
    /// The code is wrong, expired or used.
    case refused
    /// Too many wrong codes came from the address, or wrong codes came from too many addresses. The next
    /// attempt is allowed after this number of seconds.
    case limited(seconds: Double)
    /// The code is wrong, and this attempt voided all open codes.
    case voided
}

/// The open pairing codes, and the recent attempts with wrong codes.
///
/// The codes are only in memory, so a restart of the service voids all codes. Times are in seconds of a clock
/// that never jumps.
public struct PairingCodes: Sendable {
    /// The validity of a code, in seconds.
    public static let validSeconds: Double = 600
    /// The maximum number of devices that one code can pair.
    public static let usesMax = 100
    /// The maximum number of codes that are open at the same time.
    public static let codesMax = 32
    /// The maximum number of wrong codes from one address in ``trySeconds``.
    public static let triesMax = 5
    /// The time after which a wrong code from an address no longer counts, in seconds.
    public static let trySeconds: Double = 60
    /// The number of wrong codes from all addresses that voids all open codes. With 32 open codes, 30 guesses
    /// find a code with a probability of one in a billion.
    public static let failuresMax = 30
    /// The maximum number of addresses with recent wrong codes. Further addresses must wait.
    static let addressesMax = 256

    private struct Entry {
        var grant: PairingGrant
        var usesLeft: Int
        var expiresAt: Double
    }

    private var entries: [SecretDigest: Entry] = [:]
    private var tries: [String: [Double]] = [:]
    private var failures = 0

    /// Creates an empty list of codes.
    public init() {}

    /// Opens a code.
    ///
    /// - Parameters:
    ///   - uses: The number of devices that the code can pair, 1...``usesMax``.
    ///   - uptime: The current time.
    /// - Returns: Whether the code was added. `false` means that ``codesMax`` codes are open.
    public mutating func add(
        _ code: PairingCode, for grant: PairingGrant, uses: Int = 1, at uptime: Double
    ) -> Bool {
        removeExpired(at: uptime)
        guard entries.count < Self.codesMax else { return false }
        entries[code.digest] = Entry(
            grant: grant, usesLeft: min(max(uses, 1), Self.usesMax), expiresAt: uptime + Self.validSeconds)
        return true
    }

    /// Checks a code that a device sent. If the code is right, spends one of its uses.
    ///
    /// - Parameters:
    ///   - text: The text that the device sent.
    ///   - address: The address of the device, without its port.
    ///   - uptime: The current time.
    public mutating func redeem(_ text: String, from address: String, at uptime: Double) -> PairingOutcome {
        removeExpired(at: uptime)
        let recent = tries[address] ?? []
        if recent.count >= Self.triesMax, let first = recent.first {
            return .limited(seconds: first + Self.trySeconds - uptime)
        }
        if tries[address] == nil, tries.count >= Self.addressesMax {
            return .limited(seconds: Self.trySeconds)
        }
        if let digest = PairingCode(text)?.digest, var entry = entries[digest] {
            entry.usesLeft -= 1
            entries[digest] = entry.usesLeft > 0 ? entry : nil
            return .accepted(entry.grant)
        }
        tries[address] = recent + [uptime]
        guard !entries.isEmpty else { return .refused }
        failures += 1
        guard failures >= Self.failuresMax else { return .refused }
        entries = [:]
        failures = 0
        return .voided
    }

    /// Voids the codes of a session that stopped.
    public mutating func removeCodes(of session: SessionID) {
        entries = entries.filter { $0.value.grant.session != session }
    }

    /// Returns the number of codes that can still pair a device.
    public mutating func openCount(at uptime: Double) -> Int {
        removeExpired(at: uptime)
        return entries.count
    }

    private mutating func removeExpired(at uptime: Double) {
        entries = entries.filter { $0.value.expiresAt > uptime }
        tries = tries.compactMapValues { times in
            let recent = times.filter { $0 + Self.trySeconds > uptime }
            return recent.isEmpty ? nil : recent
        }
        // Without an open code, no guess can succeed. The next code starts with a count of 0 wrong codes.
        if entries.isEmpty { failures = 0 }
    }
}
