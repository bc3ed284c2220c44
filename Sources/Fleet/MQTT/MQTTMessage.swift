/// What is sent to a broker, or comes from one.
public struct MQTTMessage: Hashable, Sendable {
    /// How sure it is that a message arrives.
    public enum Quality: Int32, Sendable {
        /// It may be lost: for what is read anew anyway.
        case atMostOnce = 0
        /// It is sent again until somebody said that it came, and may come twice.
        case atLeastOnce = 1
    }

    /// Longest payload that is taken from a broker, in bytes: ours have 2 KB, and what is longer is not for us.
    public static let payloadBytesMax = 256 << 10

    /// Where it belongs: levels with `/` between them.
    public var topic: String
    /// What it says.
    public var payload: [UInt8]
    /// How it is sent. What comes has the lower one of the sender's and the reader's.
    public var quality: Quality
    /// Whether the broker keeps it for those who come later, or had kept it.
    public var isRetained: Bool
    /// After how many seconds the broker throws it away; `nil` for never.
    public var expirySeconds: UInt32?
    /// Where an answer is waited for.
    public var responseTopic: String?
    /// What the answer has to bring along.
    public var correlation: [UInt8]?

    /// Creates a message.
    public init(
        topic: String, payload: [UInt8], quality: Quality = .atLeastOnce, isRetained: Bool = false,
        expirySeconds: UInt32? = nil, responseTopic: String? = nil, correlation: [UInt8]? = nil
    ) {
        self.topic = topic
        self.payload = payload
        self.quality = quality
        self.isRetained = isRetained
        self.expirySeconds = expirySeconds
        self.responseTopic = responseTopic
        self.correlation = correlation
    }
}

/// Which broker, and as whom.
public struct MQTTSettings: Hashable, Sendable {
    /// Host's name or address.
    public var host: String
    /// Its port.
    public var port: UInt16
    /// Whether the connection is encrypted and the broker proves who it is.
    public var isTLS: Bool
    /// A file with the certificates that are trusted; `nil` for the system's.
    public var certificates: String?
    /// User's name; `nil` for a broker that asks for none.
    public var user: String?
    /// The user's password.
    public var password: String?
    /// Who this is to the broker: it has one connection of each.
    public var clientID: String
    /// How often the connection shows that it is alive, in seconds: after one and a half of them the broker tells the will.
    public var keepAliveSeconds: Int32
    /// What the broker tells when the connection is lost.
    public var will: MQTTMessage?
    /// How long the broker waits before it does, in seconds.
    public var willDelaySeconds: UInt32
    /// What is read.
    public var filters: [MQTTFilter]

    /// Creates settings.
    public init(
        host: String, port: UInt16, isTLS: Bool = false, certificates: String? = nil, user: String? = nil,
        password: String? = nil, clientID: String, keepAliveSeconds: Int32 = 5, will: MQTTMessage? = nil,
        willDelaySeconds: UInt32 = 0, filters: [MQTTFilter] = []
    ) {
        self.host = host
        self.port = port
        self.isTLS = isTLS
        self.certificates = certificates
        self.user = user
        self.password = password
        self.clientID = clientID
        self.keepAliveSeconds = keepAliveSeconds
        self.will = will
        self.willDelaySeconds = willDelaySeconds
        self.filters = filters
    }
}

/// Topics that are read.
public struct MQTTFilter: Hashable, Sendable {
    /// Levels with `/` between them, `+` for any one and `#` for all below.
    public var topics: String
    /// How they come at best. Of retained messages a broker sends at least once no more than its queue holds, and drops the
    /// others without a word (mosquitto 2.0.11: 1,000): what is retained in numbers is read at most once.
    public var quality: MQTTMessage.Quality

    /// Creates a filter.
    public init(_ topics: String, _ quality: MQTTMessage.Quality) {
        self.topics = topics
        self.quality = quality
    }
}

/// What a client tells of its connection.
public enum MQTTNews: Hashable, Sendable {
    /// The broker let us in: everything retained is to be published again.
    case connected
    /// The connection is lost, or none came about; the next attempt follows by itself.
    case lost(reason: String)
    /// A message came.
    case message(MQTTMessage)
    /// The broker has a message of ours, or does not want it.
    case acknowledged(token: UInt64, MQTTReason)
}

/// A broker's answer to a message, by MQTT 5's numbers.
public struct MQTTReason: RawRepresentable, Hashable, Sendable {
    /// The number; 128 and more are refusals.
    public let rawValue: Int32

    /// Takes any number.
    public init(rawValue: Int32) { self.rawValue = rawValue }

    /// It is on its way.
    public static let success = Self(rawValue: 0)
    /// Nobody reads this topic now.
    public static let nobodyListens = Self(rawValue: 16)
    /// This user may not write there.
    public static let notAuthorized = Self(rawValue: 135)

    /// Whether the broker refused it.
    public var isRefusal: Bool { rawValue >= 128 }
}
