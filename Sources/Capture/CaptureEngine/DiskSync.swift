import FrameFastSystem

/// The calls that force written data to the disk. Tests replace these calls to simulate a failing `fsync`.
struct DiskSync: Sendable {
    /// A function that forces one file or folder to the disk.
    typealias Force = @Sendable (_ path: String) throws(SystemCallError) -> Void

    /// Forces a file's bytes and size to the disk.
    var file: Force = { path throws(SystemCallError) in try DurableFile.sync(path) }
    /// Forces a folder's entries to the disk.
    var folder: Force = { path throws(SystemCallError) in try DurableFile.syncFolder(path) }
}
