import FoundationEssentials
import SystemPackage

/// A mark that identifies a folder, so that the service never mistakes the mount point of an unmounted disk
/// or share for the folder.
///
/// An unmounted disk leaves its mount point: a folder on the computer's own disk, which accepts photos.
/// Device numbers do not help, because they change with every mount. The service therefore writes a mark into
/// the folder once, and this computer remembers it. The caller decides what a folder without that mark means.
public struct FolderMark: Hashable, Sendable {
    /// The service's own folder in every marked folder.
    public static let workFolder = ".framefast"
    /// The longest mark and the longest remembered mark, in bytes. It limits the read of a file that another
    /// program put there.
    private static let bytesMax = 1_024

    /// The name of the file in ``workFolder`` that contains the mark.
    public let name: String
    /// The path of the file on this computer that remembers the mark.
    public let memory: String

    /// Creates a mark that is stored in `name` in a folder's ``workFolder`` and remembered in the file
    /// `memory`.
    public init(name: String, memory: String) {
        self.name = name
        self.memory = memory
    }

    /// Returns a new, unique mark.
    public static func fresh() -> String { UUID().uuidString.lowercased() }

    /// Returns the remembered mark, or `nil` without one.
    public func storedMark() throws(SystemCallError) -> String? { try Self.text(memory) }

    /// Returns the mark of a folder, or `nil` for an unmarked folder.
    public func mark(in folder: String) throws(SystemCallError) -> String? {
        try Self.text(path(in: folder))
    }

    /// Writes a mark into a folder durably, unless the folder already has one.
    ///
    /// - Returns: The folder's mark now. It is another computer's mark if that one was first.
    public func write(_ mark: String, in folder: String) throws(SystemCallError) -> String {
        let work = folder + "/" + Self.workFolder
        try DurableFile.createFolder(work)
        let part = "\(work)/\(Self.fresh()).part"
        try DurableFile.write(Array(mark.utf8), new: part)
        if try !DurableFile.publish(part, as: path(in: folder)) { try DurableFile.remove(part) }
        try DurableFile.syncFolder(work)
        return try self.mark(in: folder) ?? mark
    }

    /// Remembers a mark, durably.
    ///
    /// - Parameter isReplacing: Whether to replace a remembered mark. If `false`, an existing one stays.
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

    /// Forgets the remembered mark. The next folder is then accepted.
    public func forget() throws(SystemCallError) { try DurableFile.remove(memory) }

    private func path(in folder: String) -> String { "\(folder)/\(Self.workFolder)/\(name)" }

    /// Returns the text of a file, or `nil` if the file is missing.
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
