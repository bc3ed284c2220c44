import FoundationEssentials
import SystemPackage

/// Knows a folder again, so that a disk or share that is not mounted is never mistaken for an empty folder.
///
/// What is unmounted leaves its mount point behind: a folder on the computer's own disk, which takes photos gladly.
/// Device numbers do not help, as they change with every mount. So the folder gets a mark, once, and the computer
/// remembers it. What a folder without that mark means is for its user to decide.
public struct FolderMark: Hashable, Sendable {
    /// Our own folder in every folder that has a mark.
    public static let workFolder = ".framefast"
    /// Longest mark, and longest memory of one, in bytes: a file that somebody put there is not read whole.
    private static let bytesMax = 1_024

    /// The file in ``workFolder`` that holds the mark.
    public let name: String
    /// The file on this computer that remembers it.
    public let memory: String

    /// A mark kept in `name` in a folder's own ``workFolder`` and remembered in the file `memory`.
    public init(name: String, memory: String) {
        self.name = name
        self.memory = memory
    }

    /// A mark that no other folder has.
    public static func fresh() -> String { UUID().uuidString.lowercased() }

    /// What is remembered; `nil` when no folder was met yet.
    public func remembered() throws(SystemCallError) -> String? { try Self.text(memory) }

    /// The mark that a folder has; `nil` when it has none.
    public func found(in folder: String) throws(SystemCallError) -> String? {
        try Self.text(path(in: folder))
    }

    /// Gives a folder a mark, durably, unless it has one already.
    ///
    /// - Returns: the mark that it has now: that of another computer when that one was first.
    public func put(_ mark: String, in folder: String) throws(SystemCallError) -> String {
        let work = folder + "/" + Self.workFolder
        try DurableFile.createFolder(work)
        let part = "\(work)/\(Self.fresh()).part"
        try DurableFile.write(Array(mark.utf8), new: part)
        if try !DurableFile.publish(part, as: path(in: folder)) { try DurableFile.remove(part) }
        try DurableFile.syncFolder(work)
        return try found(in: folder) ?? mark
    }

    /// Remembers a mark, durably.
    ///
    /// - Parameter isReplacing: whether it takes the place of what is remembered; else the first one stays.
    public func remember(_ text: String, isReplacing: Bool = false) throws(SystemCallError) {
        let place = DurableFile.parent(of: memory)
        try DurableFile.createFolder(place)
        let part = "\(memory).\(Self.fresh()).part"
        try DurableFile.write(Array(text.utf8), new: part)
        if isReplacing {
            do throws(SystemCallError) { try DurableFile.replace(memory, with: part) } catch {
                try? DurableFile.remove(part)
                throw error
            }
        } else if try !DurableFile.publish(part, as: memory) {
            try DurableFile.remove(part)
        }
        try DurableFile.syncFolder(place)
    }

    /// Forgets what is remembered: the folder that is met next is taken.
    public func forget() throws(SystemCallError) { try DurableFile.remove(memory) }

    private func path(in folder: String) -> String { "\(folder)/\(Self.workFolder)/\(name)" }

    /// - Returns: `nil` when there is no such file.
    private static func text(_ path: String) throws(SystemCallError) -> String? {
        do {
            let bytes = try FileReader(path).read(at: 0, count: bytesMax)
            let text = String(decoding: bytes, as: UTF8.self)
            return text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        } catch  where error.isPathMissing {
            return nil
        }
    }
}
