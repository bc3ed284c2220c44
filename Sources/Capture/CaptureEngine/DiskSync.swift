import FrameFastSystem

/// Forces what is written to the disk; a test gives one that refuses, as no file system does when it is asked to.
struct DiskSync: Sendable {
    /// One thing's way to the disk.
    typealias Force = @Sendable (_ path: String) throws(SystemCallError) -> Void

    /// A file's bytes and size.
    var file: Force = { path throws(SystemCallError) in try DurableFile.sync(path) }
    /// A folder's entries.
    var folder: Force = { path throws(SystemCallError) in try DurableFile.syncFolder(path) }
}
