/// A bucket at any S3 endpoint.
public struct S3Settings: Hashable, Sendable {
    /// How the bucket is addressed.
    public enum Style: String, Hashable, Sendable, CaseIterable {
        /// `https://host/bucket/key`
        case path
        /// `https://bucket.host/key`
        case host
    }

    /// How another photo under the same key is kept from being replaced.
    public enum KeyCheck: String, Hashable, Sendable, CaseIterable {
        /// Finds out, with the first photo, whether the server honours `If-None-Match`; looks first where it does not.
        case automatic
        /// `If-None-Match: *` is known to be honoured (AWS, R2, MinIO, SeaweedFS): one request less for each photo.
        case ifNoneMatch = "if-none-match"
        /// Always looks first.
        case lookFirst = "look-first"
    }

    /// Address of the service, for example `https://s3.eu-central-1.amazonaws.com`.
    public var endpoint: String
    /// Its region, for example `eu-central-1`.
    public var region: String
    /// The bucket; it must be there.
    public var bucket: String
    /// Put before every name, for example `studio1/`; empty for none.
    public var prefix: String
    /// Access key id.
    public var accessKey: String
    /// Secret access key.
    public var secretKey: Secret
    /// Token of temporary keys.
    public var sessionToken: Secret?
    /// How the bucket is addressed.
    public var style: Style
    /// How keys that are taken are found.
    public var keyCheck: KeyCheck
    /// Sends the SHA-256 that was recorded when the photo was saved as `x-amz-checksum-sha256`, for the server to
    /// check; a few servers refuse the header.
    public var sendsChecksum: Bool
    /// Photos above this go in parts that can be resumed.
    public var multipartFromBytes: UInt64
    /// Size of a part; S3 allows 5 MiB and more, and at most 10,000 parts.
    public var partBytes: UInt64
    /// An unfinished upload under the same key is given up when it is older.
    public var orphanSeconds: Int
    /// Trust, proxy, patience and speed.
    public var connection: ConnectionSettings

    /// Creates settings.
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
