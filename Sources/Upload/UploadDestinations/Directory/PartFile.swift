import FrameFastSystem
import Glibc
import SystemIO
import SystemPackage
import UploadEngine

/// A partial copy of a photo in the destination's folder.
struct PartFile: ~Copyable {
    private let descriptor: Int32
    private let path: String
    private let place: String

    /// Creates the file. Fails if a file with this name exists.
    init(_ path: String, _ place: String) throws(UploadFailure) {
        descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o644)
        self.path = path
        self.place = place
        guard descriptor >= 0 else {
            throw FolderFailureMapping.failure(FolderFailureMapping.error("open", path), place)
        }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Appends bytes.
    mutating func write(_ bytes: [UInt8]) throws(UploadFailure) {
        do throws(SystemCallFailure) { try IO.writeAll(bytes, to: descriptor) } catch {
            throw FolderFailureMapping.failure(
                SystemCallError(call: "write", subject: path, errno: Errno(rawValue: error.number)), place)
        }
    }

    /// Syncs the file's bytes to the disk.
    func sync() throws(UploadFailure) {
        if let reason = FileSync.force(descriptor) {
            throw FolderFailureMapping.failure(
                SystemCallError(call: "fsync", subject: path, errno: reason), place)
        }
    }

    /// Returns the SHA-256 of the file, read from the disk or share. First asks the kernel to drop its cached
    /// pages of the file.
    func hashFromDisk(_ stop: StopFlag) throws(UploadFailure) -> String {
        _ = posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED)
        do {
            return try DirectoryDestination.hash(try FileReader(path), stop)
        } catch let failure as UploadFailure {
            throw failure
        } catch let error as SystemCallError {
            throw FolderFailureMapping.failure(error, place)
        } catch {
            throw UploadFailure(.transient, "A file in \(place) cannot be read back: \(error).")
        }
    }
}
