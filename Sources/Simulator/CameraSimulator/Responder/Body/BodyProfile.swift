/// The constants that differ between makers, for the cameras of one maker.
struct BodyProfile: Sendable {
    /// The form in which clients see the photos.
    enum Storage: Sendable {
        /// A removable card with folders.
        case card
        /// A memory without folders, which holds photos until a client deletes them.
        case memory
        /// No storage: clients cannot access the card.
        case hidden
    }

    /// The way in which clients receive events.
    enum EventDelivery: Sendable {
        /// On the event channel.
        case sent
        /// In the reply to a poll.
        case polled
        /// In the reply to a poll, after the client has enabled the event mode.
        case polledInEventMode
        /// On the event channel, with the maker's own codes. The dictionary maps the PTP standard's codes to
        /// the maker's codes. The camera sends no other events.
        case translated([UInt16: UInt16])
    }

    /// The camera in error messages, for example "a Canon".
    var name: String
    /// The manufacturer in DeviceInfo and EXIF.
    var manufacturer: String
    /// The default model in DeviceInfo and EXIF.
    var model: String
    /// The firmware version.
    var firmware: String
    /// The vendor extension ID in DeviceInfo.
    var vendorExtension: UInt32
    /// The vendor extension description in DeviceInfo.
    var vendorExtensionText: String
    /// The text before the number in a file name.
    var filePrefix: String
    /// The text after the number in a folder name.
    var folderSuffix: String
    /// The raw format of the maker.
    var rawFormat: RawFormat
    /// The operations of the PTP standard that the camera does not support.
    var missingOperations: Set<PTPOperation> = [.initiateOpenCapture, .terminateOpenCapture]
    /// The maker's events in DeviceInfo.
    var ownEvents: [UInt16] = []
    var delivery = EventDelivery.sent
    var storage = Storage.card
}

extension Maker {
    /// The constants of the maker's cameras.
    var profile: BodyProfile {
        switch self {
        case .generic: .generic
        case .canon: .canon
        case .nikon: .nikon
        case .sony: .sony
        case .fuji: .fujifilm
        }
    }
}
