/// The settings of a bucket of any S3 service.
public struct S3Settings: Hashable, Sendable {
    /// The form of the bucket's URL.
    public enum Style: String, Hashable, Sendable, CaseIterable {
        /// `https://host/bucket/key`
        case path
        /// `https://bucket.host/key`
        case host
    }

    /// The method that prevents an upload from replacing another photo with the same key.
    public enum KeyCheck: String, Hashable, Sendable, CaseIterable {
        /// A trial tests whether the server supports `If-None-Match`. If the server does not support the
        /// header, each key is checked before the PUT.
        case automatic
        /// Every PUT uses `If-None-Match: *`, which AWS, R2, MinIO and SeaweedFS support. This saves one
        /// request per photo.
        case ifNoneMatch = "if-none-match"
        /// Each key is checked before the PUT.
        case lookFirst = "look-first"
    }

    /// The URL of the service, for example `https://s3.eu-central-1.amazonaws.com`.
    public var endpoint: String
    /// The region, for example `eu-central-1`.
    public var region: String
    /// The bucket, which must exist.
    public var bucket: String
    /// The prefix of every key, for example `studio1/`. It may be empty.
    public var prefix: String
    /// The access key ID.
    public var accessKey: String
    /// The secret access key.
    public var secretKey: Secret
    /// The session token of temporary keys, or `nil` for permanent keys.
    public var sessionToken: Secret?
    /// The form of the bucket's URL.
    public var style: Style
    /// The method that prevents an upload from replacing an existing object.
    public var keyCheck: KeyCheck
    /// Whether to send the photo's recorded SHA-256 as `x-amz-checksum-sha256` for the server to verify. A
    /// few servers refuse the header.
    public var sendsChecksum: Bool
    /// The size above which a photo is sent in parts, in bytes. A multipart upload can be resumed.
    public var multipartFromBytes: UInt64
    /// The size of a part, in bytes. S3 requires at least 5 MiB, and at most 10,000 parts.
    public var partBytes: UInt64
    /// The age at which an unfinished upload of the same key is aborted, in seconds.
    public var orphanSeconds: Int
    /// The trust, proxy, time limits and speed.
    public var connection: ConnectionSettings

    /// Creates the settings of an S3 destination.
    public init(
        endpoint: String, region: String = "us-east-1", bucket: String, prefix: String = "",
        accessKey: String,
        secretKey: Secret, sessionToken: Secret? = nil, style: Style = .path, keyCheck: KeyCheck = .automatic,
        sendsChecksum: Bool = true, multipartFromBytes: UInt64 = 24 << 20, partBytes: UInt64 = 8 << 20,
        orphanSeconds: Int = 86_400, connection: ConnectionSettings = ConnectionSettings()
    ) {
        self.endpoint = endpoint
        self.region = region
        self.bucket = bucket
        self.prefix = prefix
        self.accessKey = accessKey
        self.secretKey = secretKey
        self.sessionToken = sessionToken
        self.style = style
        self.keyCheck = keyCheck
        self.sendsChecksum = sendsChecksum
        self.multipartFromBytes = multipartFromBytes
        self.partBytes = partBytes
        self.orphanSeconds = orphanSeconds
        self.connection = connection
    }
}
