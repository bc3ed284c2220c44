public import FoundationEssentials

/// `POST /v1/discover`: a search for cameras on the network.
public struct DiscoveryRequest: WireRequest {
    /// The id of the maker whose usual addresses are tried, or `nil` for all makers.
    public var maker: String?
    /// The address to try first, or `nil` to try only announced and usual addresses. With an address and
    /// without a maker, the search skips announced and usual addresses.
    public var address: String?
    /// Whether to try every address of the host's networks, in several requests. See
    /// ``DiscoveryReply/sweep``.
    public var sweep: Bool?
    /// In a sweep, ``DiscoveryReply/Sweep/next`` of the previous reply, or `nil` for the first part of the
    /// addresses. Each request tries one part.
    public var after: String?

    /// The descriptions of the fields in the OpenAPI document.
    public static var fields: [WireField] {
        [
            .init(CodingKeys.maker, "Id of a maker from GET /v1/makers. Default: all makers"),
            .init(CodingKeys.address, "The address to try first"),
            .init(
                CodingKeys.sweep,
                "True to also try every address of this computer's networks, one part at a time"),
            .init(CodingKeys.after, "In a sweep: `sweep.next` of the previous reply"),
        ]
    }

    /// Creates a request.
    public init(maker: String? = nil, address: String? = nil, sweep: Bool? = nil, after: String? = nil) {
        self.maker = maker
        self.address = address
        self.sweep = sweep
        self.after = after
    }
}

/// The result of a search for cameras on the network.
public struct DiscoveryReply: WireValue {
    /// Cameras that completed the PTP/IP handshake.
    public var found: [Found]
    /// The failures at the other addresses, most frequent first.
    public var failures: [Failure]
    /// The number of addresses tried.
    public var tried: Int
    /// Cameras that are waiting for a person to allow the connection on the camera's screen. The daemon keeps
    /// each connection open. A request for one of these addresses returns when the person decides. If the
    /// person does not decide within a few seconds, the request returns the same row again.
    public var asking: [Asking]
    /// The progress of a sweep, or `nil` for a search without a sweep.
    @OrNull public var sweep: Sweep?
    /// Instructions if no camera was found, or `nil` if a camera was found.
    @OrNull public var guidance: GuidanceReply?

    /// Creates a reply.
    public init(
        found: [Found], failures: [Failure], tried: Int, asking: [Asking] = [], sweep: Sweep? = nil,
        guidance: GuidanceReply? = nil
    ) {
        self.found = found
        self.failures = failures
        self.tried = tried
        self.asking = asking
        self._sweep = OrNull(wrappedValue: sweep)
        self._guidance = OrNull(wrappedValue: guidance)
    }

    /// A camera that waits until a person allows the connection on its screen.
    public struct Asking: WireValue {
        /// The address: `ptpip:192.168.1.5:15740`.
        public var address: String
        /// The time when the daemon stops waiting for the person.
        public var until: Date

        /// Creates a row.
        public init(address: String, until: Date) {
            self.address = address
            self.until = until
        }
    }

    /// The progress of a sweep of every address.
    public struct Sweep: WireValue {
        /// The number of addresses tried.
        public var done: Int
        /// The number of all addresses.
        public var total: Int
        /// The value of ``DiscoveryRequest/after`` for the next part, or `nil` after the last part.
        @OrNull public var next: String?
        /// Networks of this computer that are skipped because they have too many addresses: `10.0.0.0/16`.
        public var tooLarge: [String]

        /// The descriptions of the fields in the OpenAPI document.
        public static var fields: [WireField] {
            [
                .init(CodingKeys.next, "`after` for the next request; null after the last part"),
                .init(CodingKeys.tooLarge, "Networks of this computer that are too large to search"),
            ]
        }

        /// Creates a progress value.
        public init(done: Int, total: Int, next: String?, tooLarge: [String] = []) {
            self.done = done
            self.total = total
            self._next = OrNull(wrappedValue: next)
            self.tooLarge = tooLarge
        }
    }

    /// A camera that completed the handshake.
    public struct Found: WireValue {
        /// The address: `ptpip:192.168.1.5:15740`.
        public var address: String
        /// The camera's name in the handshake; may be empty. Untrusted data: escape it before printing it to
        /// a terminal.
        public var cameraName: String
        /// The id of the camera, or `nil` if the camera is not known yet.
        @OrNull public var camera: CameraID?

        /// Creates a row.
        public init(address: String, cameraName: String, camera: CameraID? = nil) {
            self.address = address
            self.cameraName = cameraName
            self._camera = OrNull(wrappedValue: camera)
        }
    }

    /// A kind of failure and its count.
    public struct Failure: WireValue {
        /// The kind of failure.
        @Word public var kind: Kind?
        /// The number of addresses.
        public var count: Int

        /// Creates a row.
        public init(kind: Kind, count: Int) {
            self._kind = Word(kind)
            self.count = count
        }

        /// A kind of failure.
        public typealias Kind = ProbeFailureKind
    }
}
