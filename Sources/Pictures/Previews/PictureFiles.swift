import FrameFastSystem
import Glibc
import PictureProtocol
import SystemPackage

/// The open files of one request to a picture worker.
///
/// The functions block the calling thread.
struct PictureFiles: Sendable {
    /// The photo, open for reading.
    let photo: FileDescriptor
    /// The result file, or `nil` if the task writes no file.
    let part: PictureCache.Part?

    /// The descriptors in the order of the request.
    var descriptors: [FileDescriptor] { [photo] + (part.map { [$0.file] } ?? []) }

    /// Opens the photo, and creates the result file.
    static func open(
        _ order: PreviewOrder, in cache: PictureCache
    ) throws(PreviewError) -> PictureFiles {
        let photo = try openPhoto(order.photo)
        guard order.task.writesFile else { return PictureFiles(photo: photo, part: nil) }
        do throws(SystemCallError) {
            return PictureFiles(photo: photo, part: try cache.makePart())
        } catch {
            try? photo.close()
            throw PreviewError.unavailable("\(error)")
        }
    }

    /// Opens a photo for reading. Does not follow a symbolic link, and does not wait for the writer of a
    /// named pipe.
    private static func openPhoto(_ photo: PreviewPhoto) throws(PreviewError) -> FileDescriptor {
        let descriptor = Glibc.open(photo.path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else {
            let reason = Errno(rawValue: errno)
            if reason.isPathMissing { throw PreviewError.photoMissing }
            throw PreviewError.unavailable("cannot open \(photo.path): \(reason)")
        }
        var information = stat()
        guard fstat(descriptor, &information) == 0, information.st_mode & S_IFMT == S_IFREG,
            UInt64(max(information.st_size, 0)) == photo.bytes
        else {
            Glibc.close(descriptor)
            throw PreviewError.photoChanged
        }
        return FileDescriptor(rawValue: descriptor)
    }

    /// Closes the files, and removes the result file.
    func discard(in cache: PictureCache) {
        try? photo.close()
        if let part { cache.discard(part) }
    }
}
