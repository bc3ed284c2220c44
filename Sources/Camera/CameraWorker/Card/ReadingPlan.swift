/// How an object is read: decided from what was announced of it, and what camera, driver and link can do.
///
/// libgphoto2 2.5.30 has four ways, each with an end of its own (read_file_func and get_file_func in
/// camlibs/ptp2/library.c): GetPartialObject counts in 32 bits; GetPartialObject64 it uses for MTP devices only; a
/// Nikon's GetPartialObjectEx only when the whole file is asked for; GetObject brings any length over USB, where a length
/// of 0xFFFFFFFF means "until a short packet", but over PTP/IP it counts the announced length in 32 bits. An EOS above
/// 4 GiB is asked for its first 4 GiB again and again, without end, unless the driver believes that it has no pieces.
enum ReadingPlan: Hashable {
    /// In pieces up to the announced size.
    case pieces
    /// As one stream. `hidingPieces`: whether the driver must believe that the camera has no other way; `nil` to leave
    /// that as it is.
    case whole(hidingPieces: Bool?)
    /// The driver cannot bring it over this link, and what it would bring is not the object.
    case impossible

    /// What decides.
    struct Facts: Hashable {
        /// Size that the camera announced.
        var announced: UInt64
        /// Whether the announced size is not to be trusted.
        var asWhole: Bool
        /// Whether the camera is on the network.
        var isNetwork: Bool
        /// What the driver can read beyond 4 GiB.
        var reach: Reach
        /// Whether the packets are seen: only then the driver can be made to believe that there are no pieces, and an answer
        /// that is longer than asked for is kept from it.
        var isGuarded = true
    }

    /// What the driver can read beyond 4 GiB from this camera.
    enum Reach: Hashable {
        /// Nothing in pieces.
        case none
        /// Pieces anywhere (GetPartialObject64).
        case pieces
        /// The whole, in large pieces that it asks for by itself (Nikon).
        case wholeInPieces
    }

    /// Up to this size an object is asked for whole: one request, with any camera. Above it the driver asks for pieces of
    /// this size by itself (BLOBSIZE in get_file_func); larger ones are fewer, and leave gaps for triggers and events.
    static let wholeLimit: UInt64 = 1_024 * 1_024
    /// The largest size that an ObjectInfo can hold; a camera that says it means "this or more", and the driver found
    /// nobody to ask for the true one.
    static let unknownSize = UInt64(UInt32.max)

    /// Decides.
    static func of(_ facts: Facts) -> ReadingPlan {
        guard facts.isGuarded else {
            return facts.announced < unknownSize ? .whole(hidingPieces: nil) : .impossible
        }
        guard facts.announced >= unknownSize else {
            if facts.asWhole { return .whole(hidingPieces: true) }
            return facts.announced <= wholeLimit ? .whole(hidingPieces: nil) : .pieces
        }
        if facts.announced > unknownSize {
            switch facts.reach {
            case .pieces where !facts.asWhole || facts.isNetwork: return .pieces
            case .wholeInPieces where !facts.asWhole || facts.isNetwork: return .whole(hidingPieces: false)
            default: break
            }
        }
        return facts.isNetwork ? .impossible : .whole(hidingPieces: true)
    }
}
