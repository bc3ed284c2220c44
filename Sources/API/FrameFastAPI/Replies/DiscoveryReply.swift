public import FoundationEssentials

/// `POST /v1/discover`: looks for cameras on the network.
public struct DiscoveryRequest: WireRequest {
    /// Maker's id from the picker: its usual addresses are tried; all makers' when left out.
    public var maker: String?
    /// The address to try first.
    public var address: String?
    /// Whether every address of the host's own networks is tried, too, in pieces; see ``DiscoveryReply/sweep``.
    public var sweep: Bool?
    /// In a sweep: the last address of the piece before, as the reply gave it. Only the next piece is tried.
    public var after: String?

    /// What the document says of its fields.
    public static var fields: [WireField] {
        [
            .init(CodingKeys.maker, "Id of a maker in the picker; all makers when left out"),
            .init(CodingKeys.address, "Tried first"),
            .init(
                CodingKeys.sweep,
                "True to try every address of this computer's networks, too, a piece at a time"),
            .init(CodingKeys.after, "In a sweep: `sweep.next` of the answer before"),
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

/// What was found on the network.
public struct DiscoveryReply: WireValue {
    /// Cameras that completed the PTP/IP handshake.
    public var found: [Found]
    /// How the other addresses failed, most frequent first.
    public var failures: [Failure]
    /// How many addresses were tried.
    public var tried: Int
    /// Cameras that ask their owner whether this computer may connect. The line to them is kept open; a request for one
    /// address of these answers as soon as the person has, or after some seconds with the same row.
    public var asking: [Asking]
    /// How far a sweep is; `nil` when none was asked for.
    @OrNull public var sweep: Sweep?
    /// What to do when nothing was found; `nil` when something was.
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

    /// A camera that asks its owner.
    public struct Asking: WireValue {
        /// Where it is: `ptpip:192.168.1.5:15740`.
        public var address: String
        /// When the service stops waiting for the answer.
        public var until: Date

        /// Creates a row.
        public init(address: String, until: Date) {
            self.address = address
            self.until = until
        }
    }

    /// How far a look at every address is.
    public struct Sweep: WireValue {
        /// Addresses that are done with.
        public var done: Int
        /// All addresses.
        public var total: Int
        /// What ``DiscoveryRequest/after`` has to be for the next piece; `nil` after the last one.
        @OrNull public var next: String?
        /// Networks of this computer that are left out, because they have too many addresses: `10.0.0.0/16`.
        public var tooLarge: [String]

        /// What the document says of its fields.
        public static var fields: [WireField] {
            [
                .init(CodingKeys.next, "`after` of the request for the next piece; null after the last one"),
                .init(CodingKeys.tooLarge, "Networks of this computer that are left out as too large"),
            ]
        }

        /// Creates a standing.
        public init(done: Int, total: Int, next: String?, tooLarge: [String] = []) {
            self.done = done
            self.total = total
            self._next = OrNull(wrappedValue: next)
            self.tooLarge = tooLarge
        }
    }

    /// A camera that answered.
    public struct Found: WireValue {
        /// Where it is: `ptpip:192.168.1.5:15740`.
        public var address: String
        /// The name that the camera gave in the handshake; data, to be escaped. May be empty.
        public var cameraName: String
        /// Id of the camera when it is known already.
        @OrNull public var camera: CameraID?

        /// Creates a row.
        public init(address: String, cameraName: String, camera: CameraID? = nil) {
            self.address = address
            self.cameraName = cameraName
            self._camera = OrNull(wrappedValue: camera)
        }
    }

    /// A kind of failure with its count.
    public struct Failure: WireValue {
        /// What went wrong.
        public var kind: Kind
        /// At how many addresses.
        public var count: Int

        /// Creates a row.
        public init(kind: Kind, count: Int) {
            self.kind = kind
            self.count = count
        }

        /// Kinds of failure.
        public struct Kind: WireWord {
            /// The word.
            public let rawValue: String
            /// Takes any word.
            public init(rawValue: String) { self.rawValue = rawValue }

            /// No answer in time.
            public static let timeout = Self(rawValue: "timeout")
            /// Something is there, and nothing listens on the port.
            public static let portClosed = Self(rawValue: "port_closed")
            /// No such host.
            public static let hostUnreachable = Self(rawValue: "host_unreachable")
            /// No way to that network.
            public static let networkUnreachable = Self(rawValue: "network_unreachable")
            /// The system does not let us.
            public static let permissionDenied = Self(rawValue: "permission_denied")
            /// The camera refused us: it wants to be paired, or serves another program.
            public static let refused = Self(rawValue: "refused")
            /// Something answered that is not PTP/IP.
            public static let notPTPIP = Self(rawValue: "not_ptpip")
            /// Anything else.
            public static let other = Self(rawValue: "other")

            /// Every word of this build.
            public static let all = [
                timeout, portClosed, hostUnreachable, networkUnreachable, permissionDenied, refused, notPTPIP,
                other,
            ]
        }
    }
}
