/// `POST /v1/discover`: looks for cameras on the network.
public struct DiscoveryRequest: Codable, Hashable, Sendable {
    /// Maker's id from the picker: its usual addresses are tried; all makers' when left out.
    public var maker: String?
    /// The address to try first.
    public var address: String?
    /// Whether the first addresses of the host's own networks are tried, too.
    public var sweep: Bool?

    /// Creates a request.
    public init(maker: String? = nil, address: String? = nil, sweep: Bool? = nil) {
        self.maker = maker
        self.address = address
        self.sweep = sweep
    }
}

/// What was found on the network.
public struct DiscoveryReply: Codable, Hashable, Sendable {
    /// Cameras that completed the PTP/IP handshake.
    public var found: [Found]
    /// How the other addresses failed, most frequent first.
    public var failures: [Failure]
    /// How many addresses were tried.
    public var tried: Int
    /// What to do when nothing was found; `nil` when something was.
    @OrNull public var guidance: GuidanceReply?

    /// Creates a reply.
    public init(found: [Found], failures: [Failure], tried: Int, guidance: GuidanceReply? = nil) {
        self.found = found
        self.failures = failures
        self.tried = tried
        self._guidance = OrNull(wrappedValue: guidance)
    }

    /// A camera that answered.
    public struct Found: Codable, Hashable, Sendable {
        /// Where it is: `ptpip:192.168.1.5:15740`.
        public var address: String
        /// The name that the camera gave in the handshake; data, to be escaped. May be empty.
        public var cameraName: String
        /// Id of the camera when it is known already.
        @OrNull public var camera: String?

        /// Creates a row.
        public init(address: String, cameraName: String, camera: String? = nil) {
            self.address = address
            self.cameraName = cameraName
            self._camera = OrNull(wrappedValue: camera)
        }
    }

    /// A kind of failure with its count.
    public struct Failure: Codable, Hashable, Sendable {
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
        }
    }
}
