import Crypto
public import FoundationEssentials
public import FrameFastAPI

/// Who is let in: codes that are open, devices that were let in, and what each has used up of its limits.
public actor WebDesk {
    /// Where devices are kept. A token is kept as its hash: whoever reads the ledger gets in nowhere.
    public struct Storage: Sendable {
        /// Every device, with the hash of its token.
        public var load: @Sendable () async throws -> [(device: WebDevice, token: [UInt8])]
        /// Keeps a device, in the place of the one with its id.
        public var keep: @Sendable (WebDevice, _ token: [UInt8]) async throws -> Void
        /// Removes a device.
        public var remove: @Sendable (_ id: String) async throws -> Void
        /// The greatest number of a device of which stars or comments are kept; 0 for none.
        public var lastNumber: @Sendable () async throws -> Int

        /// Creates a storage.
        public init(
            load: @escaping @Sendable () async throws -> [(device: WebDevice, token: [UInt8])],
            keep: @escaping @Sendable (WebDevice, _ token: [UInt8]) async throws -> Void,
            remove: @escaping @Sendable (_ id: String) async throws -> Void,
            lastNumber: @escaping @Sendable () async throws -> Int
        ) {
            self.load = load
            self.keep = keep
            self.remove = remove
            self.lastNumber = lastNumber
        }
    }

    /// Things of which a device may do so many a minute.
    enum Allowance: Hashable {
        case rating, comment

        var aMinute: Int {
            switch self {
            case .rating: 60
            case .comment: 10
            }
        }
    }

    /// Devices that are let in at a time.
    static let devicesMax = 200
    /// Bytes of a token: nobody guesses it.
    private static let tokenBytes = 32
    /// Longest name of a device, in characters.
    static let nameMax = 60
    /// How long an owner's device may rest, and how long a client's is good after its session has ended, in seconds.
    private static let ownerRest = 30 * 86_400.0
    private static let afterSession = 12 * 3_600.0
    /// How often it is noted that a device is in use, in seconds.
    private static let noteEvery = 300.0

    private let storage: Storage
    /// When a session ended; `nil` while it runs, and for none of this number.
    private let endOfSession: @Sendable (SessionID) async -> Date?
    private let now: @Sendable () -> Date
    private var codes = PairingCodes()
    private var devices: [String: (device: WebDevice, token: [UInt8])] = [:]
    private var used: [String: [Allowance: [Date]]] = [:]
    private var streams: [String: [Int: @Sendable () -> Void]] = [:]
    private var nextStream = 0
    /// The number of the device that was let in last: stars are kept under it, so that it is nobody else's later.
    private var lastNumber = 0
    private var isLoaded = false

    /// A desk.
    public init(
        storage: Storage, endOfSession: @escaping @Sendable (SessionID) async -> Date?,
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.storage = storage
        self.endOfSession = endOfSession
        self.now = now
    }

    private func load() async throws {
        guard !isLoaded else { return }
        let all = try await storage.load()
        let number = try await storage.lastNumber()
        // Another one may have been quicker, and devices may have been let in since.
        guard !isLoaded else { return }
        for entry in all { devices[entry.device.id] = entry }
        lastNumber = max(number, all.compactMap { Int($0.device.id.dropFirst()) }.max() ?? 0)
        isLoaded = true
    }

    // MARK: Pairing

    /// Opens a code.
    public func open(_ offer: PairingCodes.Offer) -> (code: String, until: Date) {
        var random = SystemRandomNumberGenerator()
        return codes.open(offer, now: now(), random: &random)
    }

    /// Lets a device in.
    ///
    /// - Returns: the device, and the token that it shows from now on.
    func admit(code: String, name: String, from address: String) async throws(ControlError) -> (
        WebDevice, String
    ) {
        let offer: PairingCodes.Offer
        do throws(PairingCodes.Refusal) { offer = try codes.use(code, from: address, now: now()) } catch {
            switch error {
            case .unknown:
                throw ControlError(
                    .forbidden, "this code is not good, or its time is over",
                    nextStep: "Ask the studio for a new one.")
            case .lastOfAll:
                throw ControlError(
                    .forbidden, "too many wrong codes were tried: every code that was open is void now",
                    nextStep: "Ask the studio for a new one.")
            case .tooOften(let seconds):
                throw ControlError(
                    .unavailable, "too many codes were tried", nextStep: "Try again in \(seconds) s.")
            }
        }
        var generator = SystemRandomNumberGenerator()
        let bytes = (0..<Self.tokenBytes).map { _ in UInt8.random(in: 0...255, using: &generator) }
        let token = bytes.map { $0 < 16 ? "0" + String($0, radix: 16) : String($0, radix: 16) }.joined()
        do { try await load() } catch {
            throw ControlError(.internal, "cannot read the devices: \(error)")
        }
        // Its number is taken before anything is waited for: others are let in meanwhile.
        lastNumber += 1
        let number = lastNumber
        let plain = RatingRequest.plain(name).prefix(Self.nameMax)
        let device = WebDevice(
            id: "d\(number)", name: plain.isEmpty ? "device \(number)" : String(plain), role: offer.role,
            session: offer.session, pairedAt: now(), lastUsedAt: now())
        let hash = Self.hash(token)
        devices[device.id] = (device, hash)
        do { try await storage.keep(device, hash) } catch {
            devices[device.id] = nil
            throw ControlError(.internal, "cannot keep the device: \(error)")
        }
        if devices.count > Self.devicesMax,
            let oldest = devices.values.min(by: { $0.device.lastUsedAt < $1.device.lastUsedAt })
        {
            _ = try? await revoke(oldest.device.id)
        }
        return (device, token)
    }

    // MARK: Devices

    /// The device that shows a token; `nil` for none that is let in.
    func device(token: String) async -> WebDevice? {
        guard (try? await load()) != nil else { return nil }
        let hash = Self.hash(token)
        guard let asked = devices.values.first(where: { $0.token == hash })?.device else { return nil }
        let now = now()
        guard await isGood(asked, now) else {
            _ = try? await revoke(asked.id)
            return nil
        }
        // It may have been shut out meanwhile, or be done.
        guard var entry = devices[asked.id] else { return nil }
        if now.timeIntervalSince(entry.device.lastUsedAt) > Self.noteEvery {
            entry.device.lastUsedAt = now
            devices[entry.device.id] = entry
            try? await storage.keep(entry.device, entry.token)
        }
        return entry.device
    }

    private func isGood(_ device: WebDevice, _ now: Date) async -> Bool {
        switch device.role {
        case .owner: return now.timeIntervalSince(device.lastUsedAt) < Self.ownerRest
        case .client, .screen:
            guard let session = device.session, let end = await endOfSession(session) else { return true }
            return now.timeIntervalSince(end) < Self.afterSession
        }
    }

    /// Those that are let in, as they came.
    public func all() async throws -> [WebDevice] {
        try await load()
        return devices.values.map(\.device).sorted { $0.pairedAt < $1.pairedAt }
    }

    /// Shuts a device out; its streams end.
    ///
    /// - Returns: whether there is such a device.
    /// - Throws: why the storage keeps it; it is let in as before then.
    @discardableResult
    public func revoke(_ id: String) async throws -> Bool {
        try await load()
        // Out of the way at once, so that no request that is answered meanwhile keeps it anew.
        guard let entry = devices.removeValue(forKey: id) else { return false }
        do { try await storage.remove(id) } catch {
            devices[id] = entry
            throw error
        }
        used[id] = nil
        endStreams(of: id)
        return true
    }

    /// The person of a device is done: nothing can be rated from there any more.
    func finish(_ device: WebDevice) async throws(ControlError) -> WebDevice {
        guard var entry = devices[device.id] else {
            throw ControlError(.forbidden, "this device was shut out")
        }
        entry.device.isDone = true
        devices[device.id] = entry
        do { try await storage.keep(entry.device, entry.token) } catch {
            throw ControlError(.internal, "cannot keep that you are done: \(error)")
        }
        return entry.device
    }

    // MARK: Limits

    /// Whether a device may do something now; it counts as done.
    func allow(_ allowance: Allowance, _ device: WebDevice) -> Bool {
        let now = now()
        var times = used[device.id]?[allowance] ?? []
        times.removeAll { now.timeIntervalSince($0) >= 60 }
        guard times.count < allowance.aMinute else { return false }
        times.append(now)
        used[device.id, default: [:]][allowance] = times
        return true
    }

    // MARK: Streams

    /// A device opens its stream of events: the one before ends.
    ///
    /// - Returns: a number with which it is taken back.
    func opened(_ device: WebDevice, end: @escaping @Sendable () -> Void) -> Int {
        endStreams(of: device.id)
        nextStream += 1
        streams[device.id, default: [:]][nextStream] = end
        return nextStream
    }

    func closed(_ device: WebDevice, stream: Int) { streams[device.id]?[stream] = nil }

    private func endStreams(of id: String) {
        for end in (streams.removeValue(forKey: id) ?? [:]).values { end() }
    }

    private static func hash(_ token: String) -> [UInt8] { Array(SHA256.hash(data: Array(token.utf8))) }
}
