/// The objects of a camera that wait for disk space: photos, and objects that are larger than any photo.
///
/// Objects that fit on the disk do not wait for larger ones. If a photo does not fit, the disk is treated as
/// full. If a movie does not fit, only the movie is reported, by name.
public struct FreeSpaceWait: Hashable, Sendable {
    /// The largest size of a photo, in bytes. RAW files of 150 megapixels have up to 300 MB. A larger object
    /// is a movie or a RAW burst of Canon, or its announced size is wrong.
    public static let photoBytesMax: UInt64 = 512 << 20

    /// An object that is larger than any photo.
    public struct LargeObject: Hashable, Sendable {
        /// The camera's file name.
        public var name: String
        /// The announced size, in bytes.
        public var bytes: UInt64
        /// The free space that the object needs, in bytes.
        public var needBytes: UInt64
        /// Whether the object is only in the camera's memory.
        public var isInMemory: Bool
        /// The folder whose file system does not allow a file of this size, or `nil` if only the free space
        /// is insufficient.
        public var refusedBy: String?
    }

    /// The free space that the smallest waiting photo needs, in bytes, or `nil` if no photo waits.
    public private(set) var photoNeedBytes: UInt64?
    /// The smallest waiting large object, or `nil` if no large object waits.
    public private(set) var large: LargeObject?
    /// The number of waiting large objects.
    public private(set) var largeCount = 0

    /// Creates a value without waiting objects.
    public init() {}

    /// Adds an object that does not fit.
    ///
    /// - Parameters:
    ///   - need: The free space that the object needs, in bytes, including the space for running transfers.
    ///   - folder: The folder whose file system does not allow a file of this size, or `nil`.
    public mutating func refuse(
        _ object: CameraObject, needBytes need: UInt64, refusedBy folder: String? = nil
    ) {
        guard object.size > Self.photoBytesMax else {
            photoNeedBytes = min(photoNeedBytes ?? .max, need)
            return
        }
        largeCount += 1
        if need <= large?.needBytes ?? .max {
            large = LargeObject(
                name: object.name, bytes: object.size, needBytes: need, isInMemory: object.isInMemory,
                refusedBy: folder)
        }
    }
}
