import FoundationEssentials

/// A mark that identifies a folder on a disk or share that may be unmounted.
///
/// After a disk is unmounted, its mount point is an ordinary folder on the computer's own disk. Without a
/// mark, the service would write photos there. Device numbers do not identify the disk, because they change
/// with every mount. The service therefore writes a unique text into the folder once, and stores the same
/// text on this computer. The caller decides how to handle a folder with a different mark or without a mark.
public struct FolderMark: Hashable, Sendable {
    /// The name of the service's folder in every marked folder.
    public static let workFolder = ".framefast"
    /// The largest number of bytes to read from a mark's file. Another program may have replaced the file
    /// with a larger file.
    private static let bytesMax = 1_024

    /// The name of the file in ``workFolder`` that contains the mark.
    public let name: String
    /// The path of the file on this computer that stores the mark.
    public let memory: String

    /// Creates a description of a mark.
    ///
    /// - Parameters:
    ///   - name: The name of the file in the folder's ``workFolder``.
    ///   - memory: The path of the file on this computer.
    public init(name: String, memory: String) {
        self.name = name
        self.memory = memory
    }

    /// Returns a new, unique mark.
    public static func fresh() -> String { UUID().uuidString.lowercased() }

    /// Returns the path of the file that contains a mark with this name in a folder.
    public static func path(of name: String, in folder: String) -> String {
        "\(folder)/\(workFolder)/\(name)"
    }

    /// Returns the mark that this computer stores, or `nil` if it stores no mark.
    public func storedMark() throws(SystemCallError) -> String? { try Self.text(memory) }

    /// Returns the mark of a folder, or `nil` for an unmarked folder.
    public func mark(in folder: String) throws(SystemCallError) -> String? {
        try Self.text(path(in: folder))
    }

    /// Writes a mark into a folder and syncs the mark to the disk. Does not replace an existing mark.
    ///
    /// - Returns: The mark in the folder after the call. If another computer wrote its mark first, the result
    ///   is that mark.
    public func write(_ mark: String, in folder: String) throws(SystemCallError) -> String {
        let work = folder + "/" + Self.workFolder
        try DurableFile.createFolder(work)
        let part = "\(work)/\(Self.fresh()).part"
        try DurableFile.write(Array(mark.utf8), new: part)
        if try !DurableFile.publish(part, as: path(in: folder)) { try DurableFile.remove(part) }
        try DurableFile.syncFolder(work)
        return try self.mark(in: folder) ?? mark
    }

    /// Stores a mark on this computer and syncs the mark to the disk.
    ///
    /// - Parameter isReplacing: Whether to replace a stored mark. If `false`, a stored mark is kept.
    public func remember(_ text: String, isReplacing: Bool = false) throws(SystemCallError) {
        let parent = DurableFile.parent(of: memory)
        try DurableFile.createFolder(parent)
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
        try DurableFile.syncFolder(parent)
    }

    /// Deletes the mark that this computer stores.
    public func forget() throws(SystemCallError) { try DurableFile.remove(memory) }

    private func path(in folder: String) -> String { Self.path(of: name, in: folder) }

    /// Returns the words of a file, separated by single spaces, or `nil` if the file is missing.
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
