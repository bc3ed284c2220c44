/// The settings of a bucket of any S3 service.
struct S3Settings: Hashable, Sendable {
    /// The form of the bucket's URL.
    enum Style: String, Hashable, Sendable, CaseIterable {
        /// `https://host/bucket/key`
        case path
        /// `https://bucket.host/key`
        case host
    }

    /// The method that prevents an upload from overwriting another photo that has the same key.
    enum KeyCheck: String, Hashable, Sendable, CaseIterable {
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
    var endpoint: String
    /// The region, for example `eu-central-1`.
    var region = "us-east-1"
    /// The bucket, which must exist.
    var bucket: String
    /// The prefix of every key, for example `studio1/`. It may be empty.
    var prefix = ""
    /// The access key ID.
    var accessKey: String
    /// The secret access key.
    var secretKey: Secret
    /// The session token of temporary keys, or `nil` for permanent keys.
    var sessionToken: Secret?
    /// The form of the bucket's URL.
    var style = Style.path
    /// The method that prevents an upload from overwriting an existing object.
    var keyCheck = KeyCheck.automatic
    /// Whether to send the photo's recorded SHA-256 as `x-amz-checksum-sha256` for the server to verify. A
    /// few servers refuse the header.
    var sendsChecksum = true
    /// The size above which a photo is sent in parts, in bytes. A multipart upload can be resumed.
    var multipartFromBytes: UInt64 = 24 << 20
    /// The size of a part, in bytes, or `nil` to choose the size. See ``partBytes(of:)``.
    var partBytes: UInt64?
    /// The age at which an unfinished multipart upload of the same key is aborted, in seconds.
    var orphanSeconds = 86_400
    /// The trusted certificates, proxy, time limits and bandwidth limit.
    var connection = ConnectionSettings()

    /// The smallest size of a part that S3 allows, in bytes. Only the last part may be smaller.
    private static let partBytesMin: UInt64 = 5 << 20
    /// The size of a part if the settings contain no size, in bytes.
    private static let partBytesUsual: UInt64 = 8 << 20
    /// The largest number of parts that S3 allows.
    private static let partsMax: UInt64 = 10_000
    /// The largest number of parts that all known services allow. Scaleway allows the fewest parts.
    private static let partsMaxSafe: UInt64 = 1_000

    /// Returns the size of a photo's parts, in bytes. The size is larger than usual for a photo that would
    /// have too many parts.
    func partBytes(of photoBytes: UInt64) -> UInt64 {
        let most = partBytes == nil ? Self.partsMaxSafe : Self.partsMax
        return max(partBytes ?? Self.partBytesUsual, Self.partBytesMin, (photoBytes + most - 1) / most)
    }

    /// Returns whether a service may refuse a part of an interrupted upload because of the part's number, and
    /// a new upload has larger parts. Earlier settings or an earlier version chose smaller parts.
    ///
    /// - Parameters:
    ///   - index: The index of the part. The first part has the index 0.
    ///   - bytes: The size of the parts of the interrupted upload, in bytes.
    ///   - photoBytes: The size of the photo, in bytes.
    func needsLargerParts(at index: Int, of bytes: UInt64, photoBytes: UInt64) -> Bool {
        UInt64(index) >= Self.partsMaxSafe && bytes < partBytes(of: photoBytes)
    }
}
