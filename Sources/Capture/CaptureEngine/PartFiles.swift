import Cameras
import FrameFastModel
import FrameFastSystem

/// The `.part` files: photos that are growing. Each carries the photo's number in the ledger.
struct PartFiles: Sendable {
    let folder: String
    /// Tells this run's files from those of a run that was killed and whose worker may still be dying.
    let run: String

    /// A part file of a run before.
    struct Part: Hashable, Sendable {
        /// Number of its photo in the ledger.
        var id: CaptureID
        var name: String
        var path: String
    }

    init(folder: String) {
        self.folder = folder
        run = String(UInt64.random(in: 0...UInt64.max), radix: 36)
    }

    /// Where photo `id` grows in this run.
    func path(_ id: CaptureID) -> String { "\(folder)/\(id)-\(run).part" }

    /// What lies in the folder and is not of this run: part files, and the names of what is none. A folder that cannot
    /// be listed holds nothing.
    func ofOtherRuns() -> (parts: [Part], foreign: [String]) {
        var parts: [Part] = []
        var foreign: [String] = []
        for name in (try? FolderReader.names(in: folder)) ?? [] {
            guard let part = Self.part(name, in: folder) else {
                foreign.append(name)
                continue
            }
            if part.run != run { parts.append(part.part) }
        }
        // What workers left that ended with the run. Whatever else lies there is a worker's, and nobody's loss.
        let workers = PartFolder.all(incoming: folder)
        for worker in (try? FolderReader.names(in: workers)) ?? [] {
            let folder = "\(workers)/\(worker)"
            for name in (try? FolderReader.names(in: folder)) ?? [] {
                if let part = Self.part(name, in: folder), part.run != run { parts.append(part.part) }
            }
        }
        return (parts, foreign)
    }

    private static func part(_ name: String, in folder: String) -> (part: Part, run: String)? {
        let path = "\(folder)/\(name)"
        guard let (id, run) = read(name), DurableFile.isRegular(path) else { return nil }
        return (Part(id: id, name: name, path: path), run)
    }

    /// Where what came of a damaged photo stands while it is put aside; at the next start it is a part file of another run.
    func asidePath(_ id: CaptureID) -> String { "\(folder)/\(id)-\(run)aside.part" }

    /// Where what lies beside a photo grows; at the next start it is a part file of another run.
    func sidecarPath(_ id: CaptureID, _ kind: SidecarKind) -> String {
        "\(folder)/\(id)-\(run)\(kind.rawValue).part"
    }

    /// Where a photo grows that is only looked at, for who its camera is; at the next start it is a part file of another
    /// run.
    func evidencePath() -> String {
        "\(folder)/\(Int64.max)-\(run)evidence\(String(UInt64.random(in: 0...UInt64.max), radix: 36)).part"
    }

    /// The number and the run that a part file's name says; `nil` for other names.
    private static func read(_ name: String) -> (id: CaptureID, run: String)? {
        guard name.hasSuffix(".part") else { return nil }
        let words = name.dropLast(".part".count).split(separator: "-", omittingEmptySubsequences: false)
        guard words.count == 2, let id = Int64(words[0]), id > 0, !words[1].isEmpty,
            words[1].utf8.allSatisfy({ (48...57).contains($0) || (97...122).contains($0) })
        else { return nil }
        return (CaptureID(rawValue: id), String(words[1]))
    }
}
