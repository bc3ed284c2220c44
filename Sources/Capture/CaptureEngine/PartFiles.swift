import Cameras
import FrameFastModel
import FrameFastSystem

/// The `.part` files of photos that are being transferred. Each file name contains the photo's number in
/// the ledger.
struct PartFiles: Sendable {
    let folder: String
    /// The identifier of this run, in base 36. The identifier distinguishes this run's files from the files
    /// of a killed run, whose worker may still be running.
    let run: String
    private let clock: HostClock

    /// A part file of a previous run.
    struct Part: Hashable, Sendable {
        /// The photo's number in the ledger.
        var id: CaptureID
        var name: String
        var path: String
    }

    init(folder: String, clock: HostClock) {
        self.folder = folder
        self.clock = clock
        run = String(clock.randomBits(), radix: 36)
    }

    /// Returns the path of the photo's part file in this run.
    func path(_ id: CaptureID) -> String { "\(folder)/\(id)-\(run).part" }

    /// Returns the part files of other runs, and the names of files in the folder that are not part files. A
    /// folder that cannot be listed is treated as empty.
    ///
    /// - Parameter onFailure: Called for each folder that exists and cannot be listed.
    func filesOfOtherRuns(
        onFailure: (SystemCallError) -> Void = { _ in }
    ) -> (parts: [Part], foreign: [String]) {
        func names(in folder: String) -> [String] {
            do throws(SystemCallError) { return try FolderReader.names(in: folder) } catch {
                if !error.isPathMissing { onFailure(error) }
                return []
            }
        }
        var parts: [Part] = []
        var foreign: [String] = []
        for name in names(in: folder) {
            guard let part = Self.part(name, in: folder) else {
                foreign.append(name)
                continue
            }
            if part.run != run { parts.append(part.part) }
        }
        // Workers of other runs may have left part files in their folders. Other files in a worker's folder
        // are temporary and are ignored.
        let workers = PartFolder.root(incoming: folder)
        for worker in names(in: workers) {
            let folder = "\(workers)/\(worker)"
            for name in names(in: folder) {
                if let part = Self.part(name, in: folder), part.run != run { parts.append(part.part) }
            }
        }
        return (parts, foreign)
    }

    private static func part(_ name: String, in folder: String) -> (part: Part, run: String)? {
        let path = "\(folder)/\(name)"
        guard let (id, run) = parse(name), DurableFile.isRegular(path) else { return nil }
        return (Part(id: id, name: name, path: path), run)
    }

    /// Returns the temporary path for the received bytes of a damaged photo. At the next start the file is
    /// treated as a part file of another run.
    func asidePath(_ id: CaptureID) -> String { "\(folder)/\(id)-\(run)aside.part" }

    /// Returns a temporary path for a photo that is fetched only to identify its camera. At the next start
    /// the file is treated as a part file of another run.
    func evidencePath() -> String {
        "\(folder)/\(Int64.max)-\(run)evidence\(String(clock.randomBits(), radix: 36)).part"
    }

    /// Returns the photo's number and the run from a part file's name, or `nil` for other names.
    private static func parse(_ name: String) -> (id: CaptureID, run: String)? {
        guard name.hasSuffix(".part") else { return nil }
        let words = name.dropLast(".part".count).split(separator: "-", omittingEmptySubsequences: false)
        guard words.count == 2, let id = Int64(words[0]), id > 0, !words[1].isEmpty,
            words[1].utf8.allSatisfy({ (48...57).contains($0) || (97...122).contains($0) })
        else { return nil }
        return (CaptureID(rawValue: id), String(words[1]))
    }
}
