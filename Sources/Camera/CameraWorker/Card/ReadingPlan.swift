/// The method for reading an object. It depends on the announced size and on the abilities of camera, driver
/// and link.
///
/// libgphoto2 2.5.30 has four methods, each with a different limit (read_file_func and get_file_func in
/// camlibs/ptp2/library.c):
///
/// - GetPartialObject counts in 32 bits.
/// - GetPartialObject64 is used for MTP devices only.
/// - GetPartialObjectEx of Nikon is used only to read a whole file.
/// - GetObject reads any length over USB, where a length of 0xFFFFFFFF means "until a short packet". Over
///   PTP/IP, it counts the announced length in 32 bits.
///
/// From an EOS, the driver requests the first 4 GiB of a larger object in an endless loop. It does so unless
/// it believes that the camera does not support pieces.
enum ReadingPlan: Hashable {
    /// Read pieces up to the announced size.
    case pieces
    /// Read one stream. `hidingPartialTransfers`: whether the driver must believe that the camera does not
    /// support pieces, or `nil` to keep the current state.
    case whole(hidingPartialTransfers: Bool?)
    /// The driver can't transfer the object over this link: it would deliver wrong data.
    case impossible

    /// The facts that determine the method.
    struct Facts: Hashable {
        /// The size that the camera announced, in bytes.
        var announced: UInt64
        /// Whether the announced size may be wrong, so that the object must be read as a whole.
        var asWhole: Bool
        /// Whether the camera is on the network.
        var isNetwork: Bool
        /// The driver's ability to read beyond 4 GiB.
        var reach: Reach
        /// Whether the worker sees the packets between driver and camera. Only then can it hide the support
        /// of pieces from the driver, and reject an answer that is longer than the request.
        var isGuarded = true
    }

    /// The driver's ability to read beyond 4 GiB from a camera.
    enum Reach: Hashable {
        /// The driver can't read such pieces.
        case none
        /// The driver reads pieces at any offset (GetPartialObject64).
        case pieces
        /// The driver reads the whole object in large pieces that it chooses (Nikon).
        case wholeInPieces
    }

    /// The largest size that is read as a whole, in bytes: one request, with any camera. Above it, the driver
    /// itself uses pieces of this size (BLOBSIZE in get_file_func). The worker's pieces are larger and
    /// therefore fewer, and it serves triggers and events between them.
    static let wholeLimit: UInt64 = 1_024 * 1_024
    /// The largest size that an ObjectInfo can contain. It means "this size or more", and the driver could
    /// not determine the true size.
    static let unknownSize = UInt64(UInt32.max)

    /// Returns the method for an object.
    static func choose(_ facts: Facts) -> ReadingPlan {
        guard facts.isGuarded else {
            return facts.announced < unknownSize ? .whole(hidingPartialTransfers: nil) : .impossible
        }
        guard facts.announced >= unknownSize else {
            if facts.asWhole { return .whole(hidingPartialTransfers: true) }
            return facts.announced <= wholeLimit ? .whole(hidingPartialTransfers: nil) : .pieces
        }
        if facts.announced > unknownSize {
            switch facts.reach {
            case .pieces where !facts.asWhole || facts.isNetwork: return .pieces
            case .wholeInPieces where !facts.asWhole || facts.isNetwork:
                return .whole(hidingPartialTransfers: false)
            default: break
            }
        }
        return facts.isNetwork ? .impossible : .whole(hidingPartialTransfers: true)
    }
}
