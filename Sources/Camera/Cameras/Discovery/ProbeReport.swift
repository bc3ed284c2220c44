public import FoundationEssentials

/// A camera that greeted us, opened a session, said who it is and closed the session again.
public struct FoundCamera: Hashable, Sendable {
    /// Where it is.
    public var address: NetworkAddress
    /// The name that it gave in the greeting. Data: to be escaped. May be empty.
    public var name: String
    /// Maker as in DeviceInfo, for example `Canon Inc.`.
    public var maker: String
    /// Model as in DeviceInfo.
    public var model: String
    /// Serial number as in DeviceInfo; empty when it gives none.
    public var serial: String

    /// Creates a camera.
    public init(address: NetworkAddress, name: String, maker: String, model: String, serial: String) {
        self.address = address
        self.name = name
        self.maker = maker
        self.model = model
        self.serial = serial
    }
}

/// What a search for cameras gave.
public struct ProbeReport: Hashable, Sendable {
    /// An address without a camera for us.
    public struct Miss: Hashable, Sendable {
        /// The address.
        public var address: NetworkAddress
        /// Why.
        public var failure: ProbeFailure

        /// Creates a miss.
        public init(address: NetworkAddress, failure: ProbeFailure) {
            self.address = address
            self.failure = failure
        }
    }

    /// Cameras, in the order of the addresses.
    public var found: [FoundCamera]
    /// The other addresses, in order.
    public var misses: [Miss]
    /// Whether the search was called off: addresses that had not answered by then are in neither list.
    public var isCutShort: Bool

    /// Creates a report.
    public init(found: [FoundCamera] = [], misses: [Miss] = [], isCutShort: Bool = false) {
        self.found = found
        self.misses = misses
        self.isCutShort = isCutShort
    }

    /// Cameras that took our greeting and have not answered: they ask their owner. The line to them is kept open.
    public var asking: [Asking] = []

    /// A camera that asks its owner whether this computer may connect.
    public struct Asking: Hashable, Sendable {
        /// Its address.
        public var address: NetworkAddress
        /// When we stop waiting for the answer.
        public var until: Date
    }

    /// Enters what came of an address that asked.
    mutating func end(_ address: NetworkAddress, _ outcome: Result<FoundCamera, ProbeFailure>) {
        asking.removeAll { $0.address == address }
        switch outcome {
        case .success(let camera): found.append(camera)
        case .failure(let failure): misses.append(Miss(address: address, failure: failure))
        }
    }

    /// Puts the rows into the order of the addresses that were asked for.
    mutating func order(as addresses: [NetworkAddress]) {
        let places = Dictionary(addresses.enumerated().map { ($1, $0) }) { first, _ in first }
        found.sort { places[$0.address] ?? 0 < places[$1.address] ?? 0 }
        misses.sort { places[$0.address] ?? 0 < places[$1.address] ?? 0 }
    }

    /// How many addresses gave an answer or failed to.
    public var tried: Int { found.count + misses.count + asking.count }

    /// How often each kind of failure was met, most frequent first; equal counts by name.
    public var counts: [(kind: ProbeFailure.Kind, count: Int)] {
        Dictionary(grouping: misses, by: \.failure.kind).map { (kind: $0.key, count: $0.value.count) }
            .sorted { ($1.count, $0.kind.rawValue) < ($0.count, $1.kind.rawValue) }
    }

    /// Addresses that turned us down, where somebody should look at the camera's screen. The search does not try them
    /// again by itself: to connect and hang up ends the pairing on the camera.
    public var pairing: [Miss] {
        misses.filter {
            if case .refused(let refusal) = $0.failure { refusal.mayWantPairing } else { false }
        }
    }
}
