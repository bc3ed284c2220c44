/// A small file of ours among those of people: written under a name that nothing has, and changed or removed only as long as
/// its bytes are those that we wrote.
public enum OwnFile {
    /// Larger ones are not ours.
    private static let bytesMax: UInt64 = 1 << 20

    /// What lies under a name.
    public enum Finding: Hashable, Sendable {
        /// Nothing.
        case missing
        /// What we wrote.
        case ours
        /// Something else: somebody's.
        case other
    }

    /// Whether bytes are those that we wrote.
    public typealias Recognition = ([UInt8]) -> Bool

    /// Looks at what has a name.
    public static func look(_ path: String, isOurs: Recognition) throws(SystemCallError) -> Finding {
        guard DurableFile.isRegular(path) else { return DurableFile.exists(path) ? .other : .missing }
        do throws(SystemCallError) {
            let file = try FileReader(path)
            guard file.size <= bytesMax else { return .other }
            return isOurs(try file.read(at: 0, count: Int(file.size))) ? .ours : .other
        } catch {
            guard error.isMissing else { throw error }
            return .missing
        }
    }

    /// Gives a file that is through to the disk its name, unless something has it.
    ///
    /// - Parameter part: The file; gone afterwards.
    /// - Returns: whether a file with our bytes has the name. It is durable with its folder.
    public static func place(
        _ part: String, as path: String, isOurs: Recognition
    ) throws(SystemCallError) -> Bool {
        do throws(SystemCallError) {
            if try DurableFile.publish(part, as: path) { return true }
            try DurableFile.remove(part)
        } catch {
            try? DurableFile.remove(part)
            throw error
        }
        return try look(path, isOurs: isOurs) == .ours
    }

    /// Puts a file that is through to the disk in the place of one of ours, durably.
    ///
    /// - Parameter part: The file; gone afterwards.
    /// - Returns: `false` when what is there now is not ours; it stays then.
    public static func replace(
        _ path: String, with part: String, isOurs: Recognition
    ) throws(SystemCallError) -> Bool {
        do throws(SystemCallError) {
            // Right before: an editor takes longer than that between reading a file and writing it.
            guard try look(path, isOurs: isOurs) == .ours else {
                try DurableFile.remove(part)
                return false
            }
            try DurableFile.replace(path, with: part)
        } catch {
            try? DurableFile.remove(part)
            throw error
        }
        try DurableFile.syncFolder(DurableFile.parent(of: path))
        return true
    }

    /// Removes a file of ours; what is not ours stays.
    public static func remove(_ path: String, isOurs: Recognition) throws(SystemCallError) {
        if try look(path, isOurs: isOurs) == .ours { try DurableFile.remove(path) }
    }
}
