/// What of a camera waits for room on the disk: its photos, and single objects that are larger than any photo.
///
/// What does not fit lets what fits pass. A photo that does not fit means that the disk is full; a movie that does not
/// fit means only that, and is named.
public struct RoomWait: Hashable, Sendable {
    /// No single photo is larger, in bytes: raw files of 150 megapixels take up to 300 MB. What is, is a movie, or a
    /// camera's wrong word.
    public static let photoBytesMax: UInt64 = 512 << 20

    /// An object that is larger than any photo.
    public struct Large: Hashable, Sendable {
        /// The camera's name for it.
        public var name: String
        /// Bytes that it announced.
        public var bytes: UInt64
        /// Bytes that must be free for it.
        public var needBytes: UInt64
        /// Whether it is only in the camera's memory.
        public var isInMemory: Bool
    }

    /// What the smallest of the photos that wait needs; `nil` when none waits.
    public private(set) var photoNeedBytes: UInt64?
    /// The smallest of the large objects that wait.
    public private(set) var large: Large?
    /// How many large ones wait.
    public private(set) var largeCount = 0

    /// Nothing waits.
    public init() {}

    /// An object does not fit.
    ///
    /// - Parameter need: Bytes that must be free for it, with those of photos that are under way.
    public mutating func refuse(_ object: CameraObject, needBytes need: UInt64) {
        guard object.size > Self.photoBytesMax else {
            photoNeedBytes = min(photoNeedBytes ?? .max, need)
            return
        }
        largeCount += 1
        if need <= large?.needBytes ?? .max {
            large = Large(
                name: object.name, bytes: object.size, needBytes: need, isInMemory: object.isInMemory)
        }
    }
}
