import FoundationEssentials

/// Which sizes of pieces a camera has sent without harm, kept in this worker's home.
///
/// Nothing in PTP says how much a camera sends at a time, and a body that chokes on a large piece hangs: it must not be
/// asked for the same by each session anew. A size is noted before it is asked for the first time, and crossed out when
/// it came. What ended two sessions is not tried again: one may have had another reason, a pulled cable for example.
struct PieceMemory {
    /// Cameras that are remembered, at most.
    private static let camerasMax = 64
    /// Sessions that may end over one size.
    private static let timesMax = 2

    private struct Entry: Codable {
        /// The largest size that came, in bytes.
        var good: Int
        /// A size that was asked for and did not come, and how often.
        var tried = 0
        var times = 0
    }

    private let path: String
    private let camera: String
    private var all: [String: Entry]

    /// - Parameters:
    ///   - camera: who the camera is: maker, model and serial number.
    ///   - home: the folder of the file.
    init(camera: String, home: String = WorkerPlace.home) {
        self.camera = camera
        path = home + "/pieces.json"
        let file = try? Data(contentsOf: URL(filePath: path))
        all = file.flatMap { try? JSONDecoder().decode([String: Entry].self, from: $0) } ?? [:]
    }

    private var entry: Entry { all[camera] ?? Entry(good: PieceSize.usual) }

    /// The most that the camera is to be asked for.
    var most: Int { entry.times < Self.timesMax ? PieceSize.most : entry.good }

    /// A piece of this size is asked for.
    mutating func begin(_ bytes: Int) {
        guard bytes > entry.good else { return }
        let times = entry.tried == bytes ? entry.times + 1 : 1
        note(Entry(good: entry.good, tried: bytes, times: times))
    }

    /// A piece of this size came, or was refused in words: the session goes on.
    ///
    /// - Parameter isGood: whether it came.
    mutating func end(_ bytes: Int, isGood: Bool) {
        guard entry.tried == bytes else { return }
        note(Entry(good: isGood ? max(entry.good, bytes) : entry.good))
    }

    private mutating func note(_ entry: Entry) {
        if all[camera] == nil, all.count >= Self.camerasMax { all = [:] }
        all[camera] = entry
        do { try JSONEncoder().encode(all).write(to: URL(filePath: path), options: .atomic) } catch {
            Log.line("cannot note how much the camera sends at a time: \(error)")
        }
    }
}
