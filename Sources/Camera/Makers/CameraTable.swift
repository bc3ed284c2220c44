import CMakerData
import Foundation

/// The models that libgphoto2 lists, by vendor and product id. `scripts/update-camera-table`
/// writes the table to `cameras.tsv`.
///
/// A name is only a hint: several models can share an id, and the library uses the first name for all of
/// them.
public struct CameraTable: Sendable {
    /// A model.
    public struct Row: Hashable, Sendable {
        /// The model's name in libgphoto2.
        public let model: String
        /// Whether libgphoto2 lists the model as able to release the shutter.
        public let canCapture: Bool
        /// Whether the driver accesses the camera as a disk through `/dev/sg` (driver `pentax`).
        public let isDisk: Bool
        /// Whether the device is a phone or a media player.
        public let isPlayer: Bool
    }

    /// The table that is embedded in the program.
    public static let bundled: CameraTable = {
        var count = 0
        guard let start = framefast_cameras(&count) else { return CameraTable(text: "") }
        return CameraTable(
            text: String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self))
    }()

    private let rows: [USBIdentity: [Row]]
    /// The vendors for which libgphoto2 lists only phones and media players.
    public let playerVendors: Set<UInt16>
    /// The lines that could not be parsed. A test requires this list to be empty.
    let unread: [String]

    /// Parses a table.
    init(text: String) {
        var rows: [USBIdentity: [Row]] = [:]
        var players: Set<UInt16> = []
        var unread: [String] = []
        // Splits bytes, because splitting characters would take ten times as long.
        for line in text.utf8.split(separator: UInt8(ascii: "\n")) where line.first != UInt8(ascii: "#") {
            let cells = line.split(separator: UInt8(ascii: "\t"), omittingEmptySubsequences: false)
                .map { Substring($0) }
            guard cells.count == 4, let vendor = USBNumber(hex: cells[0])?.value else {
                unread.append(String(Substring(line)))
                continue
            }
            if cells[1] == "*" {
                players.insert(vendor)
            } else if let product = USBNumber(hex: cells[1])?.value {
                rows[USBIdentity(vendor: vendor, product: product), default: []]
                    .append(Row(model: String(cells[3]), flags: cells[2]))
            } else {
                unread.append(String(Substring(line)))
            }
        }
        self.rows = rows
        self.playerVendors = players
        self.unread = unread
    }

    /// Returns the models that share an identity, in libgphoto2's order. Empty if the table contains none.
    public func models(of identity: USBIdentity) -> [Row] { rows[identity] ?? [] }

    /// The number of identities.
    public var count: Int { rows.count }
}

extension CameraTable.Row {
    /// Parses the flags: c capture, p preview, s settings, d disk, m media player. `-` means no flags.
    init(model: String, flags: Substring) {
        func has(_ flag: Unicode.Scalar) -> Bool { flags.unicodeScalars.contains(flag) }
        self.init(
            model: model, canCapture: has("c"), isDisk: has("d"), isPlayer: has("m"))
    }
}
