/// A picture of a shot. The server loads the content only if the client does not have it yet.
public struct ShotPicture: Sendable {
    /// The content type.
    public static let contentType = "image/jpeg"
    /// The time for which a client may keep a picture whose URL names its revision, in seconds: a year.
    public static let ageMaxSeconds = 31_536_000

    /// The content of a picture.
    public struct Content: Sendable {
        /// The bytes of a picture.
        public enum Body: Sendable {
            /// A picture in memory.
            case bytes([UInt8])
            /// A file that is read while the response is sent. The closure returns at most `countMax` bytes
            /// from an offset.
            case file(
                length: Int, read: @Sendable (_ offset: Int, _ countMax: Int) async throws -> [UInt8])

            /// The size of the JPEG, in bytes.
            public var length: Int {
                switch self {
                case .bytes(let bytes): bytes.count
                case .file(let length, _): length
                }
            }
        }

        /// The revision of the picture. The revision differs from ``ShotPicture/revision`` if the picture
        /// comes from another file of the shot.
        public var revision: String
        /// The bytes of the JPEG.
        public var body: Body

        /// Creates the content of a picture.
        public init(revision: String, body: Body) {
            self.revision = revision
            self.body = body
        }
    }

    /// The revision of the picture: the start of the SHA-256 of its photo. A new revision means a new
    /// picture.
    public var revision: String
    /// The revision in the URL, or `nil` without one.
    public var requestedRevision: String?
    /// Returns the content.
    public var load: @Sendable () async throws(ControlError) -> Content

    /// Creates a picture.
    public init(
        revision: String, requestedRevision: String?,
        load: @escaping @Sendable () async throws(ControlError) -> Content
    ) {
        self.revision = revision
        self.requestedRevision = requestedRevision
        self.load = load
    }

    /// Returns the entity tag of a revision (RFC 9110, 8.8.3).
    public static func entityTag(_ revision: String) -> String { "\"\(revision)\"" }

    /// Returns whether a client has the picture.
    ///
    /// - Parameter ifNoneMatch: The header `If-None-Match`: `*` or a list of entity tags, or `nil` without
    ///   the header.
    public func isKnown(ifNoneMatch: String?) -> Bool {
        guard let ifNoneMatch else { return false }
        let tags = ifNoneMatch.split { $0 == "," || $0 == " " || $0 == "\t" }
        return tags.contains { tag in
            tag == "*" || (tag.hasPrefix("W/") ? tag.dropFirst(2) : tag) == Self.entityTag(revision)
        }
    }

    /// Returns the header `Cache-Control` of a response.
    ///
    /// - Parameter revision: The revision in the response. If the URL names this revision, the response never
    ///   changes.
    public func cacheControl(_ revision: String) -> String {
        requestedRevision == revision
            ? "private, max-age=\(Self.ageMaxSeconds), immutable" : "private, no-cache"
    }
}

/// A query for a picture of a shot.
public struct ShotPictureQuery: WireRequest {
    /// The revision that the client expects, or `nil` for any revision. If this is the current revision, the
    /// response never changes.
    public var v: String?

    /// The descriptions of the fields in the OpenAPI document.
    public static var fields: [WireField] {
        [.init(CodingKeys.v, "Revision of the shot. With the current revision, the response never changes")]
    }

    /// Creates a query.
    public init(revision: String? = nil) { v = revision }
}

/// The histogram of a shot's picture.
///
/// The service counts the pixels of a small copy of the picture. The counts are comparable with each other,
/// but not with the number of pixels of the photo.
public struct HistogramReply: WireValue {
    /// The counts of the red channel, from level 0 to level 255.
    public var red: [Int]
    /// The counts of the green channel, from level 0 to level 255.
    public var green: [Int]
    /// The counts of the blue channel, from level 0 to level 255.
    public var blue: [Int]
    /// The share of pixels whose three channels are 0, in 1/10,000.
    public var clippedShadows: Int
    /// The share of pixels with at least one channel at 255, in 1/10,000.
    public var clippedHighlights: Int

    /// The descriptions of the fields in the OpenAPI document.
    public static var fields: [WireField] {
        [
            .init(CodingKeys.red, "256 counts in sRGB"), .init(CodingKeys.green, "256 counts in sRGB"),
            .init(CodingKeys.blue, "256 counts in sRGB"),
            .init(CodingKeys.clippedShadows, "Share of black pixels, in 1/10,000", range: 0...10_000),
            .init(
                CodingKeys.clippedHighlights, "Share of pixels with a channel at its maximum, in 1/10,000",
                range: 0...10_000),
        ]
    }

    /// Creates a reply.
    public init(red: [Int], green: [Int], blue: [Int], clippedShadows: Int, clippedHighlights: Int) {
        self.red = red
        self.green = green
        self.blue = blue
        self.clippedShadows = clippedShadows
        self.clippedHighlights = clippedHighlights
    }
}
