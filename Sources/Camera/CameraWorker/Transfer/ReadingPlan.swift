/// The method for reading an object. The choice depends on the announced size and on the capabilities of
/// camera, driver and link.
///
/// libgphoto2 2.5.30 has four methods with different size limits (read_file_func and get_file_func in
/// camlibs/ptp2/library.c):
///
/// - GetPartialObject has a 32-bit offset.
/// - GetPartialObject64 is used only for MTP devices.
/// - GetPartialObjectEx, a Nikon operation, is used only to read a whole file.
/// - GetObject reads any length over USB: a length of 0xFFFFFFFF means "until a short packet". Over PTP/IP,
///   the length has 32 bits.
///
/// If an object on an EOS is larger than 4 GiB, the driver requests its first 4 GiB in an endless loop. To
/// prevent the loop, the worker hides partial transfers from the driver.
///
/// A Fujifilm may never complete a partial transfer (libgphoto2 issue 653). From the first DeviceInfo of each
/// connection on, the tap hides partial transfers. The worker reads each object as one stream, and does not
/// reopen the connection for this. A Fujifilm restarts its file names in each connection.
enum ReadingPlan: Hashable {
    /// Read chunks until the camera has no more data.
    case chunks
    /// Read one stream. `hidingPartialTransfers`: whether to hide the camera's support for partial transfers
    /// from the driver, or `nil` to keep the current state.
    case whole(hidingPartialTransfers: Bool?)
    /// The driver can't transfer the object over this link and would return wrong data.
    case impossible

    /// The facts that determine the method.
    struct Facts: Hashable {
        /// The size that the camera announced, in bytes.
        var announced: UInt64
        /// Whether the announced size may be wrong. The object is then read as a whole, if possible.
        var asWhole: Bool
        /// Whether the camera is on the network.
        var isNetwork: Bool
        /// The driver's support for reads beyond 4 GiB.
        var largeReads: LargeReadSupport
        /// Whether the worker sees the packets between driver and camera. Only then can the worker hide
        /// partial transfers from the driver, and reject a response that is longer than requested.
        var isGuarded = true
        /// Whether the camera is a Fujifilm, which may never complete a partial transfer. The tap then hides
        /// partial transfers from the driver in every connection.
        var isFujifilm = false
    }

    /// The driver's support for reads beyond 4 GiB from a camera.
    enum LargeReadSupport: Hashable {
        /// The driver can't read beyond 4 GiB in chunks.
        case none
        /// The driver reads chunks at any offset (GetPartialObject64).
        case chunks
        /// The driver reads the whole object in large chunks, whose size it chooses (Nikon).
        case wholeInChunks
    }

    /// The size up to which every object is read as a whole, in bytes. Up to this size, the driver uses a
    /// single request for every camera. The driver would read a larger object in chunks of this size
    /// (BLOBSIZE in get_file_func). The worker's own chunks can be larger and fewer, and the worker handles
    /// releases and events between them.
    static let wholeLimit: UInt64 = 1_024 * 1_024
    /// The maximum size in an ObjectInfo. The value means "this size or more": the driver could not determine
    /// the actual size.
    static let unknownSize = UInt64(UInt32.max)

    /// Returns the method for an object.
    static func choose(_ facts: Facts) -> ReadingPlan {
        guard facts.isGuarded else {
            return facts.announced < unknownSize ? .whole(hidingPartialTransfers: nil) : .impossible
        }
        if facts.isFujifilm {
            return facts.isNetwork && facts.announced >= unknownSize
                ? .impossible : .whole(hidingPartialTransfers: nil)
        }
        guard facts.announced >= unknownSize else {
            if facts.asWhole { return .whole(hidingPartialTransfers: true) }
            return facts.announced <= wholeLimit ? .whole(hidingPartialTransfers: nil) : .chunks
        }
        if facts.announced > unknownSize {
            switch facts.largeReads {
            case .chunks where !facts.asWhole || facts.isNetwork: return .chunks
            case .wholeInChunks where !facts.asWhole || facts.isNetwork:
                return .whole(hidingPartialTransfers: false)
            default: break
            }
        }
        return facts.isNetwork ? .impossible : .whole(hidingPartialTransfers: true)
    }
}
