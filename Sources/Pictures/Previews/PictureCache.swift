import Foundation
public import FrameFastSystem
import Glibc
import PictureProtocol
import Synchronization
import SystemIO
import SystemPackage

/// Pictures of photos in a folder, named by the content of the photo.
///
/// The name of a picture contains the photo's SHA-256, so a picture never becomes outdated. A person may
/// delete any file at any time. If the pictures exceed the size limit, the cache deletes the least recently
/// used pictures. While the disk has less free space than photos need, new pictures replace old pictures, and
/// the cache does not grow. The modification time of a file is the time of its last use. The cache ignores
/// files whose names it does not recognize.
///
/// The functions block the calling thread.
public final class PictureCache: Sendable {
    /// The usual size limit, in bytes. Pictures of 10,000 photos need a tenth to a fifth of this limit.
    public static let usualBytesMax: UInt64 = 2_000_000_000

    /// A result file that a worker writes.
    struct Part: Sendable {
        var path: String
        /// The descriptor of the file, which the caller closes with ``discard(_:)`` or
        /// ``publish(_:bytes:as:of:)``.
        var file: FileDescriptor
    }

    /// The share of the size limit that remains after a cleanup. With a smaller share, cleanups are less
    /// frequent.
    private static let remainingShare = 0.9
    /// The free space that the cache leaves on the disk, in bytes. The ledger is usually on the same disk.
    private static let freeBytesMin: UInt64 = 200_000_000
    /// The largest picture that is read, in bytes.
    private static let pictureBytesMax = UInt64(PictureLimits.jpegBytesMax)
    private static let partPrefix = "picture-"
    private static let partSuffix = ".part"
    /// The number of hexadecimal digits in the name of a subfolder.
    private static let folderDigits = 2

    private let folder: String
    private let bytesMax: UInt64
    private let reserveBytes: @Sendable () -> UInt64
    private let clock: HostClock
    /// The size of all pictures, in bytes, or `nil` before the first count.
    private let size = Mutex<UInt64?>(nil)

    /// Creates a cache.
    ///
    /// - Parameters:
    ///   - folder: The absolute path of the folder. ``prepare()`` creates the folder.
    ///   - bytesMax: The size limit of all pictures, in bytes.
    ///   - reserveBytes: Returns the free space on the disk below which the cache does not grow, in bytes.
    ///     The function must not wait for the disk of the photos.
    ///   - clock: The clock for the time of the last use.
    public init(
        folder: String, bytesMax: UInt64 = usualBytesMax,
        reserveBytes: @escaping @Sendable () -> UInt64 = { 0 }, clock: HostClock
    ) {
        self.folder = folder
        self.bytesMax = bytesMax
        self.reserveBytes = reserveBytes
        self.clock = clock
    }

    /// Creates the folder, and removes result files of an earlier run.
    func prepare() throws(SystemCallError) {
        try DurableFile.createFolder(folder)
        for name in try FolderReader.names(in: folder)
        where name.hasPrefix(Self.partPrefix) && name.hasSuffix(Self.partSuffix) {
            try DurableFile.remove("\(folder)/\(name)")
        }
    }

    // MARK: Reading

    /// Returns a picture and updates the time of its last use. Returns `nil` if the cache does not have the
    /// picture, or if its file is damaged.
    func find(_ task: PictureTask, of sha256: String) -> PictureContent? {
        let path = path(task, of: sha256)
        guard let content = try? Self.content(of: path, task) else { return nil }
        DurableFile.setModificationTime(of: path, to: clock.now())
        return content
    }

    /// Opens the file of a picture, and reads the file unless the task is `fullSize`. Returns `nil` if the
    /// file is damaged or has another size than expected.
    ///
    /// - Parameter bytes: The expected size, in bytes, or `nil` for any size.
    private static func content(
        of path: String, bytes: Int? = nil, _ task: PictureTask
    ) throws(SystemCallError) -> PictureContent? {
        let file = try PictureFile(path)
        guard file.size <= pictureBytesMax, bytes.map({ file.size == UInt64(clamping: $0) }) ?? true else {
            return nil
        }
        let isRead = task != .fullSize
        let start = try file.read(at: 0, countMax: isRead ? Int(file.size) : jpegBytesMin + 1)
        guard isComplete(start, task) else { return nil }
        return isRead ? .bytes(start) : .file(file)
    }

    /// Returns whether the bytes can be the start of a task's result. Another program, or a power failure,
    /// may have changed the file.
    private static func isComplete(_ bytes: [UInt8], _ task: PictureTask) -> Bool {
        guard task.writesFile else { return PictureResult(bytes: bytes) != nil }
        return bytes.starts(with: [0xFF, 0xD8, 0xFF]) && bytes.count > jpegBytesMin
    }

    /// The size of a JPEG with only its markers, in bytes.
    private static let jpegBytesMin = 20

    /// Returns the path of a picture.
    func path(_ task: PictureTask, of sha256: String) -> String {
        "\(folder)/\(sha256.prefix(Self.folderDigits))/\(sha256)-\(Self.suffix(task))"
    }

    private static func suffix(_ task: PictureTask) -> String {
        switch task {
        case .thumbnail: "512.jpg"
        case .screen: "screen.jpg"
        case .fullSize: "full.jpg"
        case .facts: "facts"
        }
    }

    // MARK: Writing

    /// Creates an empty result file.
    ///
    /// - Throws: `noSpace` if the disk is almost full, or the error of the failed system call.
    func makePart() throws(SystemCallError) -> Part {
        let path = "\(folder)/\(Self.partPrefix)\(clock.randomBits())\(Self.partSuffix)"
        // A person may have deleted the folder.
        if !DurableFile.isFolder(folder) { try DurableFile.createFolder(folder) }
        guard try DiskSpace.of(folder).freeBytes >= Self.freeBytesMin else {
            throw SystemCallError(call: "create", subject: path, errno: .noSpace)
        }
        let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o640)
        guard descriptor >= 0 else {
            throw SystemCallError(call: "create", subject: path, errno: Errno(rawValue: errno))
        }
        return Part(path: path, file: FileDescriptor(rawValue: descriptor))
    }

    /// Closes and removes a result file.
    func discard(_ part: Part) {
        try? part.file.close()
        unlink(part.path)
    }

    /// Moves a complete result file to its name, and returns its content. Closes the file.
    ///
    /// - Parameter bytes: The size that the worker reported, in bytes.
    /// - Returns: The content, or `nil` if the file is not the result of the task. The file is then removed.
    func publish(
        _ part: Part, bytes: Int, as task: PictureTask, of sha256: String
    ) throws(SystemCallError) -> PictureContent? {
        try? part.file.close()
        do throws(SystemCallError) {
            guard let content = try Self.content(of: part.path, bytes: bytes, task) else {
                unlink(part.path)
                return nil
            }
            try move(part.path, task, sha256)
            recordGrowth(bytes)
            return content
        } catch {
            unlink(part.path)
            throw error
        }
    }

    /// Stores the facts that a worker found while it made a picture.
    func store(_ facts: PictureResult, of sha256: String) throws(SystemCallError) {
        let bytes = facts.encode()
        let part = try makePart()
        do throws(SystemCallFailure) { try IO.writeAll(bytes, to: part.file.rawValue) } catch {
            discard(part)
            throw SystemCallError(call: "write", subject: part.path, errno: Errno(rawValue: error.number))
        }
        _ = try publish(part, bytes: bytes.count, as: .facts, of: sha256)
    }

    private func move(_ part: String, _ task: PictureTask, _ sha256: String) throws(SystemCallError) {
        let final = path(task, of: sha256)
        let subfolder = DurableFile.parent(of: final)
        if !DurableFile.isFolder(subfolder) { try DurableFile.createFolder(subfolder) }
        try DurableFile.replace(final, with: part)
        DurableFile.setModificationTime(of: final, to: clock.now())
    }

    // MARK: Size limit

    private func recordGrowth(_ bytes: Int) {
        let growth = UInt64(bytes)
        let replaced = isSpaceShort ? growth : 0
        let mustTrim = size.withLock { size in
            guard let old = size else { return true }
            size = old + growth
            return replaced > 0 || old + growth > bytesMax
        }
        if mustTrim { trim(replacing: replaced) }
    }

    /// Whether the disk has less free space than photos need.
    private var isSpaceShort: Bool {
        guard let free = try? DiskSpace.of(folder).freeBytes else { return false }
        return free < reserveBytes()
    }

    /// Counts the pictures. If they exceed the size limit, deletes the least recently used pictures.
    ///
    /// - Parameter replaced: The size of pictures to delete even below the size limit, in bytes.
    private func trim(replacing replaced: UInt64) {
        var pictures = pictures()
        var total = pictures.reduce(0) { $0 + $1.bytes }
        let kept = total > bytesMax ? UInt64(Double(bytesMax) * Self.remainingShare) : total
        let goal = min(kept, total - min(total, replaced))
        if total > goal {
            pictures.sort { $0.usedAtNs < $1.usedAtNs }
            for picture in pictures where total > goal {
                guard (try? DurableFile.remove(picture.path)) != nil else { continue }
                total -= picture.bytes
            }
        }
        size.withLock { [total] in $0 = total }
    }

    private struct StoredPicture {
        var path: String
        var bytes: UInt64
        /// The time of the last use, in nanoseconds since 1970.
        var usedAtNs: Int
    }

    private func pictures() -> [StoredPicture] {
        let names = (try? FolderReader.names(in: folder)) ?? []
        return names.filter { $0.utf8.count == Self.folderDigits }.flatMap { name in
            let files = (try? FolderReader.names(in: "\(folder)/\(name)")) ?? []
            return files.compactMap { file in
                Self.isPicture(file, in: name) ? Self.picture("\(folder)/\(name)/\(file)") : nil
            }
        }
    }

    private static func picture(_ path: String) -> StoredPicture? {
        var information = stat()
        guard lstat(path, &information) == 0, information.st_mode & S_IFMT == S_IFREG else { return nil }
        let time = information.st_mtim
        return StoredPicture(
            path: path, bytes: UInt64(max(information.st_size, 0)),
            usedAtNs: time.tv_sec * 1_000_000_000 + time.tv_nsec)
    }

    /// Returns whether a file in a subfolder is a picture of this cache.
    private static func isPicture(_ file: String, in subfolder: String) -> Bool {
        let parts = file.split(separator: "-", maxSplits: 1)
        return parts.count == 2 && PreviewPhoto.isDigest(parts[0]) && parts[0].hasPrefix(subfolder)
            && PictureTask.allCases.contains { suffix($0) == parts[1] }
    }
}
