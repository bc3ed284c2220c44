import NIOCore

/// All limits of the web page's server. The Unix socket has its own limits, so connections to the page
/// cannot use up the connections of the socket.
enum WebServerLimits {
    /// The number of connections that a browser opens to one host.
    static let connectionsPerBrowser = 6
    /// The maximum number of open connections of all devices together. 40 browsers open 240.
    static let connectionsMax = 256
    /// The maximum number of open connections of one address. Devices behind a router can share an address.
    /// If fewer connections are free, the limit of an address is smaller (``WebConnectionTable``).
    static let connectionsPerAddressMax = 128
    /// The maximum number of protected connections. These have no paired device, and have sent no request yet
    /// or are waiting for a reply. Four browsers can then load the page at the same time.
    static let protectedConnectionsMax = 4 * connectionsPerBrowser
    /// The number of new connections that the kernel queues.
    static let backlog = 64
    /// The maximum size of all headers of one request, in bytes. Browsers send about 1 kB.
    static let headerBytesMax = 16 * 1024
    /// The maximum number of headers of one request.
    static let headersMax = 64
    /// The time after which the server closes a connection that is idle.
    static let idleTimeout = TimeAmount.seconds(60)
    /// The longest time between the head and the end of a request.
    static let requestTime = TimeAmount.seconds(30)
    /// The interval at which the server checks that a connection with a full send buffer still sends bytes. A
    /// connection without progress during one interval is closed.
    static let progressInterval = TimeAmount.seconds(30)
    /// The time after which the kernel closes a connection whose device acknowledges no data, in
    /// milliseconds. Without this limit, Linux closes the event stream of a lost device only after 15 minutes
    /// (tcp_retries2). Until then, the stream counts as a request in progress, which is never dropped.
    static let lostAfterMs = 30_000
    /// The interval at which the server reads the addresses of this computer and the files of the
    /// certificate.
    static let refreshInterval = Duration.seconds(30)
    /// The grace period for requests in progress after a graceful stop.
    static let stopGrace = Duration.seconds(3)
    /// The maximum number of addresses on which the server listens.
    static let listenersMax = 16
    /// The maximum number of event streams of one device. A person can show the photos, the last photo and
    /// the status in three windows. With one stream for each device, two windows would end each other's
    /// streams again and again.
    static let streamsPerDeviceMax = 3
    /// The maximum number of full-size pictures that one device receives at the same time. The page shows one
    /// picture, and earlier pictures may still be arriving.
    static let fullSizeMax = 3
    /// The maximum number of ratings of one device in ``rateSeconds``.
    static let ratingsMax = 60
    /// The maximum number of new comments of one device in ``rateSeconds``.
    static let commentsMax = 10
    /// The time after which a rating or a comment no longer counts, in seconds.
    static let rateSeconds: Double = 60
}
