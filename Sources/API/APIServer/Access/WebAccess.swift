public import Foundation
public import FrameFastAPI
public import FrameFastSystem
public import Logging
public import WebPairing

/// A registry of the devices that may use the web page. The registry pairs, recognizes and revokes devices.
///
/// The actor keeps all devices in memory. A request from a page therefore needs no access to the ledger.
public actor WebAccess {
    /// The maximum number of paired devices, including devices that are being stored. Open codes reserve no
    /// place, because a code for many devices usually pairs only a few.
    public static let devicesMax = 200
    /// The minimum time between two updates of a device's last use in the ledger, in seconds.
    static let useSeconds: TimeInterval = 3600

    /// The place where devices are stored.
    public struct Storage: Sendable {
        /// Returns all devices.
        public var load: @Sendable () async throws -> [WebDevice]
        /// Stores a new device. Returns the device with its id, and with the name and end of its session.
        public var add: @Sendable (WebDevice) async throws -> WebDevice
        /// Stores the last use and the final ratings of a device.
        public var update: @Sendable (WebDevice) async throws -> Void
        /// Removes devices.
        public var remove: @Sendable ([WebDeviceID]) async throws -> Void

        /// Creates a storage.
        public init(
            load: @escaping @Sendable () async throws -> [WebDevice],
            add: @escaping @Sendable (WebDevice) async throws -> WebDevice,
            update: @escaping @Sendable (WebDevice) async throws -> Void,
            remove: @escaping @Sendable ([WebDeviceID]) async throws -> Void
        ) {
            self.load = load
            self.add = add
            self.update = update
            self.remove = remove
        }
    }

    /// The result of a device's attempt to pair.
    public enum Pairing: Sendable {
        /// The device is paired. The browser keeps the token as a cookie.
        case paired(WebDevice, DeviceToken)
        /// The code is wrong, expired or used.
        case refused
        /// Too many wrong codes came from the address. The next attempt is allowed after this number of
        /// seconds.
        case limited(seconds: Double)
        /// ``devicesMax`` devices are paired. The code can still be used.
        case full
    }

    /// An open pairing code and its expiry.
    public struct OpenCode: Sendable {
        /// The code.
        public var code: PairingCode
        /// The time at which the code expires, by this computer's date.
        public var expiresAt: Date
    }

    private let storage: Storage
    private let clock: HostClock
    private let logger: Logger
    /// Called with `true` when too many wrong codes have voided the open codes, and with `false` when a new
    /// code is open.
    private let onCodesVoided: @Sendable (Bool) -> Void
    private var codes = PairingCodes()
    private var devicesByID: [WebDeviceID: WebDevice] = [:]
    private var ids: [SecretDigest: WebDeviceID] = [:]
    /// The devices that lost access but are still in the storage. ``removeEndedDevices()`` removes them.
    private var endedDevices: [WebDeviceID: WebDevice] = [:]
    /// The end times of the sessions that have stopped since the service started. A session may stop while
    /// one of its devices is being stored. The device then gets its end time from this dictionary.
    private var sessionEnds: [SessionID: Date] = [:]
    /// The names of devices that are being stored.
    private var pendingNames: Set<String> = []
    private var endHandlers: [@Sendable (WebDeviceID) -> Void] = []
    /// The address and certificate of the page, or `nil` while no server listens.
    public private(set) var site: WebSite?

    /// Creates an actor without devices. Call ``load()`` before the first request.
    public init(
        storage: Storage, clock: HostClock, logger: Logger,
        onCodesVoided: @escaping @Sendable (Bool) -> Void
    ) {
        self.storage = storage
        self.clock = clock
        self.logger = logger
        self.onCodesVoided = onCodesVoided
    }

    /// Loads the stored devices.
    public func load() async throws {
        for device in try await storage.load() { insert(device) }
    }

    /// Sets the address and certificate of the page.
    ///
    /// - Parameter site: The page's site, or `nil` when the server stops.
    public func setSite(_ site: WebSite?) { self.site = site }

    /// Adds a function that is called with the id of each device that was revoked or has expired. The server
    /// uses the function to end the device's streams.
    public func addEndHandler(_ handler: @escaping @Sendable (WebDeviceID) -> Void) {
        endHandlers.append(handler)
    }

    // MARK: Pairing

    /// Opens a code for new devices, or returns `nil` if ``PairingCodes/codesMax`` codes are open.
    ///
    /// - Parameter uses: The number of devices that the code can pair.
    public func openCode(for grant: PairingGrant, uses: Int) -> OpenCode? {
        let code = PairingCode(randomBits: clock.randomBits())
        guard codes.add(code, for: grant, uses: uses, at: clock.uptime()) else { return nil }
        onCodesVoided(false)
        logger.notice(
            "opened a code for the web page",
            metadata: ["role": "\(grant.role.rawValue)", "uses": "\(uses)"])
        return OpenCode(code: code, expiresAt: clock.now() + PairingCodes.validSeconds)
    }

    /// Pairs a device that sent a code.
    ///
    /// - Parameters:
    ///   - name: The name that the person entered, already cleaned and shortened. If another device has this
    ///     name, the device gets the name with a number, such as "iPad 2".
    ///   - address: The address of the device, without its port.
    /// - Throws: An error of the storage. The attempt may have spent one use of the code.
    public func pair(code: String, name: String, from address: String) async throws -> Pairing {
        try await removeEndedDevices()
        guard devicesByID.count + pendingNames.count < Self.devicesMax else { return .full }
        switch codes.redeem(code, from: address, at: clock.uptime()) {
        case .limited(let seconds): return .limited(seconds: seconds)
        case .refused:
            logger.notice("refused a code for the web page", metadata: ["address": "\(address)"])
            return .refused
        case .voided:
            logger.warning(
                "voided all codes for the web page after wrong codes", metadata: ["address": "\(address)"])
            onCodesVoided(true)
            return .refused
        case .accepted(let grant):
            let token = DeviceToken(randomBits: clock.randomBits)
            let unique = uniqueName(name)
            pendingNames.insert(unique)
            defer { pendingNames.remove(unique) }
            let device = try await storage.add(
                WebDevice(
                    id: 0, name: unique, role: grant.role, session: grant.session, createdAt: clock.now(),
                    digest: token.digest))
            insert(device)
            logger.notice(
                "paired a device with the web page",
                metadata: [
                    "device": "\(device.id)", "name": "\(unique)", "role": "\(grant.role.rawValue)",
                    "address": "\(address)",
                ])
            return .paired(device, token)
        }
    }

    /// Returns the name. If another device has this name, adds the lowest free number from 2.
    private func uniqueName(_ name: String) -> String {
        let used = pendingNames.union(devicesByID.values.map(\.name))
        var (unique, number) = (name, 1)
        while used.contains(unique) {
            number += 1
            let suffix = " \(number)"
            unique = String(name.prefix(WebDevice.nameLengthMax - suffix.count)) + suffix
        }
        return unique
    }

    /// Voids the codes of a session that stopped. The session's devices lose access
    /// ``WebDevice/secondsAfterSession`` later.
    public func sessionStopped(_ session: SessionID, at date: Date) {
        codes.removeCodes(of: session)
        sessionEnds[session] = date
        for (id, device) in devicesByID where device.session == session {
            devicesByID[id]?.sessionStoppedAt = date
        }
    }

    // MARK: Devices

    /// Returns the device of a cookie's value, or `nil` if the value is unknown, revoked or expired.
    ///
    /// Records the use of the device, at most once in ``useSeconds``. If the storage fails, the request
    /// is still accepted.
    public func device(forToken text: String) async -> WebDevice? {
        guard let digest = DeviceToken(text)?.digest, let id = ids[digest], let device = device(id) else {
            return nil
        }
        let now = clock.now()
        guard now.timeIntervalSince(device.lastUsedAt) >= Self.useSeconds else { return device }
        devicesByID[id]?.lastUsedAt = now
        await store(id)
        return self.device(id)
    }

    /// Returns a device, or `nil` if it is unknown, revoked or expired.
    public func device(_ id: WebDeviceID) -> WebDevice? {
        guard let device = devicesByID[id], !device.isExpired(at: clock.now()) else { return nil }
        return device
    }

    /// Returns all devices that may use the page, oldest first.
    public func devices() -> [WebDevice] {
        let now = clock.now()
        return devicesByID.values.filter { !$0.isExpired(at: now) }.sorted { $0.id < $1.id }
    }

    /// Revokes a device. The next request of the device is refused, and its streams end.
    ///
    /// - Returns: The revoked device, or `nil` if no such device is paired.
    /// - Throws: An error of the storage. The device is refused until the service restarts. A later call of
    ///   this function or of ``removeEndedDevices()`` can still remove the device from the storage.
    public func revoke(_ id: WebDeviceID) async throws -> WebDevice? {
        guard let device = devicesByID[id] ?? endedDevices[id] else { return nil }
        endAccess(of: device)
        let metadata: Logger.Metadata = ["device": "\(id)", "name": "\(device.name)"]
        do { try await removeFromStorage([id]) } catch {
            logger.error(
                "cannot store that a device of the web page is revoked: \(error)", metadata: metadata)
            throw error
        }
        logger.notice("revoked a device of the web page", metadata: metadata)
        return device
    }

    /// Records that a client has sent its final ratings.
    ///
    /// - Returns: The changed device, or `nil` if no such device is paired.
    /// - Throws: An error of the storage. The device is then unchanged.
    public func finish(_ id: WebDeviceID) async throws -> WebDevice? {
        guard var device = device(id) else { return nil }
        guard !device.isDone else { return device }
        device.doneAt = clock.now()
        try await storage.update(device)
        devicesByID[id]?.doneAt = device.doneAt
        return self.device(id)
    }

    /// Removes devices whose access has expired, and ends their streams. Also retries removals
    /// that failed earlier.
    public func removeEndedDevices() async throws {
        let now = clock.now()
        for device in devicesByID.values where device.isExpired(at: now) { endAccess(of: device) }
        guard !endedDevices.isEmpty else { return }
        try await removeFromStorage(Array(endedDevices.keys))
    }

    private func removeFromStorage(_ ids: [WebDeviceID]) async throws {
        try await storage.remove(ids)
        for id in ids { endedDevices[id] = nil }
    }

    private func insert(_ stored: WebDevice) {
        var device = stored
        if device.sessionStoppedAt == nil {
            device.sessionStoppedAt = device.session.flatMap { sessionEnds[$0] }
        }
        devicesByID[device.id] = device
        ids[device.digest] = device.id
    }

    /// Refuses a device from now on. The caller removes the device from the storage.
    private func endAccess(of device: WebDevice) {
        endedDevices[device.id] = device
        guard devicesByID[device.id] != nil else { return }
        devicesByID[device.id] = nil
        ids[device.digest] = nil
        for handler in endHandlers { handler(device.id) }
    }

    private func store(_ id: WebDeviceID) async {
        guard let device = devicesByID[id] else { return }
        do { try await storage.update(device) } catch {
            logger.warning("cannot store the use of a web page's device: \(error)")
        }
    }
}

/// The address of the web page for other devices.
public struct WebSite: Hashable, Sendable {
    /// The page's URL without a path: `https://192.168.1.20:9480`.
    public var url: String
    /// The SHA-256 fingerprint of the certificate, as 32 pairs of hex digits with colons, or `nil` without
    /// TLS.
    public var fingerprint: String?

    /// Creates a site.
    public init(url: String, fingerprint: String? = nil) {
        self.url = url
        self.fingerprint = fingerprint
    }
}
