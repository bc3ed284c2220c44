public import FoundationEssentials

/// A file that exists while the service runs. After a crash or a power failure, the file remains. The next
/// start therefore detects that the previous run did not stop cleanly.
public struct RunMark: Hashable, Sendable {
    /// The path of the file.
    public let path: String

    /// The largest number of bytes to read from the file.
    private static let bytesMax = 64

    /// Creates a value for the file at a path.
    public init(path: String) { self.path = path }

    /// Records the start of a run. If the file remains from an earlier run, the function keeps the file.
    ///
    /// - Parameter now: The start of the run.
    /// - Returns: The start of the first run since the last clean stop, or `nil` if the previous run stopped
    ///   cleanly.
    public func recordStart(at now: Date) throws(SystemCallError) -> Date? {
        if let start = try storedStart() { return start }
        try DurableFile.write(Array("\(now.timeIntervalSince1970)".utf8), new: path)
        try DurableFile.syncFolder(DurableFile.parent(of: path))
        return nil
    }

    /// Records a clean stop.
    public func recordStop() throws(SystemCallError) { try DurableFile.remove(path) }

    /// Returns the recorded start, or `nil` if the file is missing. If a power failure emptied the file, the
    /// start is the file's modification time.
    private func storedStart() throws(SystemCallError) -> Date? {
        do {
            let file = try FileReader(path)
            let text = String(decoding: try file.read(at: 0, count: Self.bytesMax), as: UTF8.self)
            return Date(timeIntervalSince1970: Double(text) ?? Double(file.modifiedAt))
        } catch  where error.isPathMissing {
            return nil
        }
    }
}
