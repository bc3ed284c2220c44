public import FoundationEssentials
public import FrameFastModel

/// A camera that completed the handshake: greeting (Init_Command_Request), PTP session, DeviceInfo and end of
/// the PTP session.
public struct FoundCamera: Hashable, Sendable {
    /// The address of the camera.
    public var address: NetworkAddress
    /// The name in the camera's response to the greeting. May be empty. The name is untrusted and must be
    /// escaped.
    public var name: String
    /// The maker from DeviceInfo, for example `Canon Inc.`.
    public var maker: String
    /// The model from DeviceInfo.
    public var model: String
    /// The serial number from DeviceInfo, or an empty string if the camera reports none.
    public var serial: String
}

/// The result of a search for cameras.
public struct ProbeReport: Hashable, Sendable {
    /// An address without a usable camera.
    public struct Miss: Hashable, Sendable {
        /// The address.
        public var address: NetworkAddress
        /// The reason.
        public var failure: ProbeFailure

        /// Creates a miss.
        public init(address: NetworkAddress, failure: ProbeFailure) {
            self.address = address
            self.failure = failure
        }
    }

    /// The cameras, in the order of the addresses.
    public var found: [FoundCamera]
    /// The addresses without a usable camera, in order.
    public var misses: [Miss]
    /// Whether the search was cancelled. ``found`` and ``misses`` omit addresses without an outcome.
    public var isCancelled: Bool

    /// Creates a report.
    public init(found: [FoundCamera] = [], misses: [Miss] = [], isCancelled: Bool = false) {
        self.found = found
        self.misses = misses
        self.isCancelled = isCancelled
    }

    /// The cameras that wait for the user's approval. The connections to them stay open.
    public var waiting: [WaitingCamera] = []

    /// A camera that requests the user's approval for this computer.
    public struct WaitingCamera: Hashable, Sendable {
        /// The address of the camera.
        public var address: NetworkAddress
        /// The time when the search stops waiting for approval.
        public var until: Date
    }

    /// Records the outcome of a camera that was waiting for approval.
    mutating func recordOutcome(of address: NetworkAddress, _ outcome: Result<FoundCamera, ProbeFailure>) {
        waiting.removeAll { $0.address == address }
        switch outcome {
        case .success(let camera): found.append(camera)
        case .failure(let failure): misses.append(Miss(address: address, failure: failure))
        }
    }

    /// Sorts the found cameras and the misses by the order of `addresses`.
    mutating func sort(inOrderOf addresses: [NetworkAddress]) {
        let places = Dictionary(addresses.enumerated().map { ($1, $0) }) { first, _ in first }
        found.sort { places[$0.address] ?? 0 < places[$1.address] ?? 0 }
        misses.sort { places[$0.address] ?? 0 < places[$1.address] ?? 0 }
    }

    /// The number of addresses that were tried.
    public var tried: Int { found.count + misses.count + waiting.count }

    /// The number of failures of each kind, most frequent first. Equal counts are sorted by name.
    public var counts: [(kind: ProbeFailure.Kind, count: Int)] {
        Dictionary(grouping: misses, by: \.failure.kind).map { (kind: $0.key, count: $0.value.count) }
            .sorted { ($1.count, $0.kind.rawValue) < ($0.count, $1.kind.rawValue) }
    }

    /// The addresses that refused the handshake and may need approval on the camera. The search does not
    /// retry these addresses, because disconnecting would end the pairing on the camera.
    public var pairing: [Miss] {
        misses.filter {
            if case .refused(let refusal) = $0.failure { refusal.mayNeedPairing } else { false }
        }
    }

    /// The addresses that refused the handshake for a reason other than a missing approval. Usually another
    /// computer or app is connected to the camera.
    public var refusing: [Miss] {
        misses.filter {
            if case .refused(let refusal) = $0.failure { !refusal.mayNeedPairing } else { false }
        }
    }
}
