import CMakerData
import Foundation

/// The models that the installed libgphoto2 names, by vendor and product number: `cameras.tsv`, which
/// `scripts/update-camera-table` writes.
///
/// A name is a hint: bodies share numbers, and the library shows the first one for all.
public struct CameraTable: Sendable {
    /// One model.
    public struct Row: Hashable, Sendable {
        /// The model's name, as the library has it.
        public let model: String
        /// Whether the library says that it can be triggered.
        public let canCapture: Bool
        /// Whether it can show what it sees.
        public let canPreview: Bool
        /// Whether it can be set up.
        public let canConfigure: Bool
        /// Whether it is driven as a disk, through `/dev/sg` (driver `pentax`).
        public let isDisk: Bool
        /// Whether it is a phone or player.
        public let isPlayer: Bool
    }

    /// What stands in the program.
    public static let bundled: CameraTable = {
        var count = 0
        guard let start = framefast_cameras(&count) else { return CameraTable(text: "") }
        return CameraTable(
            text: String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self))
    }()

    private let rows: [USBIdentity: [Row]]
    /// Vendors of whose devices the library knows only phones and players.
    public let playerVendors: Set<UInt16>
    /// Lines that could not be read; a test wants none.
    let unread: [String]

    /// Reads a table.
    init(text: String) {
        var rows: [USBIdentity: [Row]] = [:]
        var players: Set<UInt16> = []
        var unread: [String] = []
        // By bytes: by characters it takes ten times as long.
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

    /// The models that share an identity, in the library's order; empty when it knows none.
    public func models(of identity: USBIdentity) -> [Row] { rows[identity] ?? [] }

    /// How many identities there are.
    public var count: Int { rows.count }
}

extension CameraTable.Row {
    /// Reads the flags: c capture, p preview, s settings, d disk, m media player; `-` for none.
    init(model: String, flags: Substring) {
        func has(_ flag: Unicode.Scalar) -> Bool { flags.unicodeScalars.contains(flag) }
        self.init(
            model: model, canCapture: has("c"), canPreview: has("p"), canConfigure: has("s"),
            isDisk: has("d"),
            isPlayer: has("m"))
    }
}
