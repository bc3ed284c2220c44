import CMakerData
import Foundation

/// The models in the installed libgphoto2, by vendor and product number. `scripts/update-camera-table` writes
/// the table to `cameras.tsv`.
///
/// A name is a hint: models share numbers, and the library shows the first one for all.
public struct CameraTable: Sendable {
    /// One model.
    public struct Row: Hashable, Sendable {
        /// The model's name in the library.
        public let model: String
        /// Whether the library lists the model as able to release the shutter.
        public let canCapture: Bool
        /// Whether the camera is accessed as a disk, through `/dev/sg` (driver `pentax`).
        public let isDisk: Bool
        /// Whether the device is a phone or a media player.
        public let isPlayer: Bool
    }

    /// The table that is built into the program.
    public static let bundled: CameraTable = {
        var count = 0
        guard let start = framefast_cameras(&count) else { return CameraTable(text: "") }
        return CameraTable(
            text: String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self))
    }()

    private let rows: [USBIdentity: [Row]]
    /// The vendors for which the library lists only phones and media players.
    public let playerVendors: Set<UInt16>
    /// The lines that could not be parsed. A test requires an empty list.
    let unread: [String]

    /// Parses a table.
    init(text: String) {
        var rows: [USBIdentity: [Row]] = [:]
        var players: Set<UInt16> = []
        var unread: [String] = []
        // Split bytes: splitting characters takes ten times as long.
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

    /// Returns the models that share an identity, in the library's order; empty if the library has none.
    public func models(of identity: USBIdentity) -> [Row] { rows[identity] ?? [] }

    /// The number of identities.
    public var count: Int { rows.count }
}

extension CameraTable.Row {
    /// Parses the flags: c capture, p preview, s settings, d disk, m media player; `-` for none.
    init(model: String, flags: Substring) {
        func has(_ flag: Unicode.Scalar) -> Bool { flags.unicodeScalars.contains(flag) }
        self.init(
            model: model, canCapture: has("c"), isDisk: has("d"), isPlayer: has("m"))
    }
}
