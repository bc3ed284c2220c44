import FoundationEssentials

/// The piece sizes that a camera has sent without failing, saved in the worker's home.
///
/// PTP does not say how much a camera sends per request, and some cameras hang on a large piece. Not every
/// connection may retry the same size. The worker saves each untested size before a request and clears it
/// after a response. After two lost connections at a size, the worker requests only sizes that have arrived.
/// A single loss may have another cause, for example a pulled cable.
struct PieceSizeHistory {
    /// The maximum number of saved cameras.
    private static let camerasMax = 64
    /// The number of lost connections after which a size is not retried.
    private static let timesMax = 2

    private struct Entry: Codable {
        /// The largest size that arrived, in bytes.
        var good: Int
        /// A size that was requested and did not arrive, in bytes, and the number of such requests.
        var tried = 0
        var times = 0
    }

    private let path: String
    private let camera: String
    private var all: [String: Entry]

    /// Loads the history of a camera.
    ///
    /// - Parameters:
    ///   - camera: The camera's identity: maker, model and serial number.
    ///   - home: The folder of the file.
    init(camera: String, home: String = WorkerOptions.home) {
        self.camera = camera
        path = home + "/pieces.json"
        let file = try? Data(contentsOf: URL(filePath: path))
        all = file.flatMap { try? JSONDecoder().decode([String: Entry].self, from: $0) } ?? [:]
    }

    private var entry: Entry { all[camera] ?? Entry(good: PieceSize.usual) }

    /// The maximum size to request, in bytes.
    var most: Int { entry.times < Self.timesMax ? PieceSize.most : entry.good }

    /// Records the request of a piece.
    mutating func beginPiece(_ bytes: Int) {
        guard bytes > entry.good else { return }
        let times = entry.tried == bytes ? entry.times + 1 : 1
        save(Entry(good: entry.good, tried: bytes, times: times))
    }

    /// Records that the connection survived the request of a piece.
    ///
    /// - Parameter isGood: Whether the piece arrived. Otherwise the camera refused it with an error response.
    mutating func endPiece(_ bytes: Int, isGood: Bool) {
        guard entry.tried == bytes else { return }
        save(Entry(good: isGood ? max(entry.good, bytes) : entry.good))
    }

    private mutating func save(_ entry: Entry) {
        if all[camera] == nil, all.count >= Self.camerasMax { all = [:] }
        all[camera] = entry
        do { try JSONEncoder().encode(all).write(to: URL(filePath: path), options: .atomic) } catch {
            Log.line("cannot save the camera's transfer size: \(error)")
        }
    }
}
