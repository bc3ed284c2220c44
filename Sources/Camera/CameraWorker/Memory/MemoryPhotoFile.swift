import FoundationEssentials
import FrameFastModel
import Glibc
import SystemIO

/// A file for one photo of the ``MemoryPhotoStore``. The first line describes the photo as JSON. The rest of
/// the file is the photo.
struct MemoryPhotoFile: Hashable {
    /// The maximum length of the first line, in bytes.
    private static let lineBytesMax = 65_536
    private static let prefix = "from-memory-"
    private static let finished = ".photo"
    private static let unfinished = ".new"

    /// The sequence number. Each worker continues the numbers of the previous worker.
    let number: Int
    /// The folder of the file.
    let home: String
    /// The offset of the photo in the file, in bytes.
    let offset: UInt64

    var path: String { "\(home)/\(Self.prefix)\(number)\(Self.finished)" }

    // MARK: Photos of earlier workers

    /// Returns the photos in a folder, in order of arrival, and the highest sequence number. Deletes
    /// unfinished files.
    static func find(in home: String) -> (photos: [(object: CameraObject, file: MemoryPhotoFile)], last: Int)
    {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: home)) ?? []
        for name in names where name.hasPrefix(prefix) && name.hasSuffix(unfinished) {
            unlink("\(home)/\(name)")
        }
        let numbers = names.compactMap(number).sorted()
        let photos = numbers.compactMap { number in
            let photo = read(number, in: home)
            if photo == nil {
                Log.line("cannot use photo \(number) in \(home), which came from a camera's memory")
            }
            return photo
        }
        return (photos, numbers.last ?? 0)
    }

    private static func number(_ name: String) -> Int? {
        guard name.hasPrefix(prefix), name.hasSuffix(finished) else { return nil }
        return Int(name.dropFirst(prefix.count).dropLast(finished.count))
    }

    private static func read(_ number: Int, in home: String) -> (object: CameraObject, file: MemoryPhotoFile)?
    {
        let path = MemoryPhotoFile(number: number, home: home, offset: 0).path
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var start = [UInt8](repeating: 0, count: lineBytesMax)
        let count = (try? IO.read(from: file, into: &start)) ?? 0
        guard let end = start.prefix(count).firstIndex(of: UInt8(ascii: "\n")),
            let object = try? JSONDecoder().decode(CameraObject.self, from: Data(start[..<end]))
        else { return nil }
        let stored = MemoryPhotoFile(number: number, home: home, offset: UInt64(end + 1))
        // The file is incomplete if the system crashed before the file was synced.
        guard UInt64(clamping: lseek(file, 0, SEEK_END)) == stored.offset &+ object.size else { return nil }
        return (object, stored)
    }

    // MARK: Writing

    /// Writes a photo. Until the photo is synced, it survives a crash of this process, but not a crash of the
    /// system.
    ///
    /// - Returns: The file and its descriptor. Pass the descriptor to ``sync(_:)``.
    static func write(
        _ object: CameraObject, _ bytes: [UInt8], number: Int, in home: String
    ) throws(PhotoStoreError) -> (file: MemoryPhotoFile, descriptor: Int32) {
        guard var line = try? JSONEncoder().encode(object) else {
            throw PhotoStoreError(text: "unknown error")
        }
        line.append(UInt8(ascii: "\n"))
        let new = "\(home)/\(prefix)\(number)\(unfinished)"
        let descriptor = open(new, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw PhotoStoreError(errno: errno) }
        let file = MemoryPhotoFile(number: number, home: home, offset: UInt64(line.count))
        do throws(SystemCallFailure) {
            try IO.writeAll([UInt8](line), to: descriptor)
            try IO.writeAll(bytes, to: descriptor)
            _ = try IO.retrying { rename(new, file.path) }
        } catch {
            close(descriptor)
            unlink(new)
            throw PhotoStoreError(errno: error.number)
        }
        return (file, descriptor)
    }

    /// Syncs the file and its folder to the disk, and closes the descriptor. If the sync fails, deletes the
    /// file, because its content on the disk is undefined.
    func sync(_ descriptor: Int32) throws(PhotoStoreError) {
        let isSynced = fsync(descriptor) == 0
        let code = errno
        close(descriptor)
        guard isSynced else {
            unlink(path)
            throw PhotoStoreError(errno: code)
        }
        let folder = open(home, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { return }
        fsync(folder)
        close(folder)
    }

    func remove() { unlink(path) }

    // MARK: Reading

    /// Passes the photo's bytes to `receive` in chunks of at most the buffer's size, until the file ends or
    /// `receive` returns `false`.
    ///
    /// - Returns: The error text if the photo can't be read, or `nil` otherwise.
    func read(
        by buffer: UnsafeMutableRawBufferPointer, _ receive: (UnsafeRawBufferPointer) -> Bool
    ) -> String? {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard file >= 0 else { return "the photo is no longer in the worker's home folder" }
        defer { close(file) }
        var position = offset
        while true {
            let count: Int
            do throws(SystemCallFailure) {
                count = try IO.read(from: file, at: position, into: buffer)
            } catch { return error.description }
            guard count > 0, receive(UnsafeRawBufferPointer(rebasing: buffer[..<count])) else { return nil }
            position += UInt64(count)
        }
    }
}

/// An error with the reason why a photo can't be saved to the disk.
struct PhotoStoreError: Error {
    let text: String

    init(text: String) { self.text = text }
    init(errno code: Int32) { text = String(cString: strerror(code)) }
}
