import FoundationEssentials

/// The chunk sizes that worked with a camera, saved in the worker's home folder.
///
/// PTP does not define how much data a camera sends per request, and some cameras hang on a large chunk. A
/// new connection must not retry a size that made the camera hang. The worker saves each untested size before
/// the request and clears it after a response. After two lost connections at the same size, the worker
/// requests only sizes that have worked. A single loss may have another cause, for example an unplugged
/// cable.
struct ChunkSizeHistory {
    /// The maximum number of saved cameras. A further camera replaces the camera with the oldest entry.
    private static let camerasMax = 64
    /// The number of lost connections after which the worker stops requesting a size.
    private static let timesMax = 2

    private struct Entry: Codable {
        /// The largest size that arrived, in bytes.
        var good: Int
        /// The last size that was requested and has not arrived, in bytes, and the number of its consecutive
        /// requests.
        var tried = 0
        var times = 0
        /// The position in the order of saving, or `nil` if an earlier version saved the entry.
        var order: Int?
    }

    private let path: String
    private let camera: String
    private var all: [String: Entry]

    /// Loads the history for a camera.
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

    private var entry: Entry { all[camera] ?? Entry(good: ChunkSize.usual) }

    /// The maximum size to request, in bytes.
    var most: Int { entry.times < Self.timesMax ? ChunkSize.most : entry.good }

    /// Records the request for a chunk.
    mutating func beginChunk(_ bytes: Int) {
        guard bytes > entry.good else { return }
        let times = entry.tried == bytes ? entry.times + 1 : 1
        save(Entry(good: entry.good, tried: bytes, times: times))
    }

    /// Records that the connection survived the request for a chunk.
    ///
    /// - Parameter isGood: Whether the chunk arrived. If `false`, the camera refused the request with an
    ///   error response.
    mutating func endChunk(_ bytes: Int, isGood: Bool) {
        guard entry.tried == bytes else { return }
        save(Entry(good: isGood ? max(entry.good, bytes) : entry.good))
    }

    private mutating func save(_ entry: Entry) {
        if all[camera] == nil, all.count >= Self.camerasMax,
            let oldest = all.min(by: { ($0.value.order ?? 0, $0.key) < ($1.value.order ?? 0, $1.key) })
        {
            all[oldest.key] = nil
        }
        var entry = entry
        // A number from a damaged file must not stop the worker.
        entry.order = (all.values.compactMap(\.order).max() ?? 0) &+ 1
        all[camera] = entry
        do { try JSONEncoder().encode(all).write(to: URL(filePath: path), options: .atomic) } catch {
            Log.line("cannot save the camera's transfer size: \(error)")
        }
    }
}
