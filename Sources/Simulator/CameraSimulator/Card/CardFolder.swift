import FoundationEssentials
import Glibc
import SystemIO

/// A folder on disk that stores the photos of a card between runs.
///
/// A new photo is written before the camera announces it. A photo that a client or the
/// photographer deletes from the card is also deleted from the folder.
struct CardFolder: Sendable {
    let path: String

    /// - Throws: ``SimulatorError/file(path:reason:)`` if the folder cannot be created.
    init(path: String) throws(SimulatorError) {
        self.path = path
        do { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) } catch
        {
            throw .file(path: path, reason: "the folder cannot be created")
        }
    }

    /// A photo in the folder.
    struct StoredPhoto {
        /// The name of the card folder, for example `100CANON`.
        var folder: String
        var name: String
        var bytes: SharedBytes
        var time: WallTime
    }

    /// Returns all photos in the folder, sorted by folder and name.
    func photos() throws(SimulatorError) -> [StoredPhoto] {
        var stored: [StoredPhoto] = []
        for folder in names(in: path) {
            for name in names(in: "\(path)/\(folder)") where !name.hasSuffix(Self.unfinished) {
                let file = "\(path)/\(folder)/\(name)"
                var status = stat()
                guard stat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size > 0 else {
                    continue
                }
                let seconds = status.st_mtim.tv_sec
                var zone = tm()
                var moment = seconds
                localtime_r(&moment, &zone)
                let time = WallTime(
                    hostMs: Int64(seconds) * 1000 + Int64(status.st_mtim.tv_nsec) / 1_000_000,
                    offsetSeconds: zone.tm_gmtoff)
                stored.append(
                    StoredPhoto(folder: folder, name: name, bytes: try SharedBytes(mapping: file), time: time)
                )
            }
        }
        return stored
    }

    /// Writes new photos and syncs them to disk before returning. A photo that cannot be written stays in
    /// memory only.
    ///
    /// - Returns: The errors of the photos that could not be written.
    func store(_ photos: [TakenPhoto]) -> [SimulatorError] {
        var errors: [SimulatorError] = []
        for photo in photos where photo.object.storage != 0 {
            guard let paths = paths(of: photo) else { continue }
            mkdir(paths.folder, 0o755)
            let unfinished = paths.file + Self.unfinished
            do throws(SystemCallFailure) {
                let file = try IO.retrying {
                    open(unfinished, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
                }
                defer { close(file) }
                try Self.write(photo.object, to: file)
                _ = try IO.retrying { rename(unfinished, paths.file) }
                sync(paths.folder)
            } catch {
                unlink(unfinished)
                errors.append(.file(path: paths.file, reason: "\(error)"))
            }
        }
        return errors
    }

    /// Writes a photo with its time to an open file, and syncs the file.
    static func write(_ photo: CardObject, to file: Int32) throws(SystemCallFailure) {
        for piece in photo.bytes.pieces {
            try IO.writeAll(UnsafeRawBufferPointer(start: piece.start, count: piece.count), to: file)
        }
        let milliseconds = photo.time.hostMs
        let time = timespec(tv_sec: Int(milliseconds / 1000), tv_nsec: Int(milliseconds % 1000) * 1_000_000)
        futimens(file, [time, time])
        _ = try IO.retrying { fsync(file) }
    }

    /// Deletes the files of photos that were deleted from the card.
    func remove(_ photos: [TakenPhoto]) {
        for photo in photos {
            guard let paths = paths(of: photo) else { continue }
            unlink(paths.file)
            sync(paths.folder)
        }
    }

    private static let unfinished = ".unfinished"

    /// Returns the paths of a photo's folder and file, or `nil` if the photo's name is not a valid file name
    /// on Linux.
    private func paths(of photo: TakenPhoto) -> (folder: String, file: String)? {
        let folder = photo.folder.split(separator: "/").last.map(String.init) ?? ""
        let name = photo.object.name.string
        guard !name.isEmpty, name != ".", name != "..", !name.contains("/"), !name.contains("\0"),
            name.utf8.count < 240
        else { return nil }
        return ("\(path)/\(folder)", "\(path)/\(folder)/\(name)")
    }

    private func names(in folder: String) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
    }

    private func sync(_ folder: String) {
        let directory = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard directory >= 0 else { return }
        fsync(directory)
        close(directory)
    }
}

extension Camera {
    /// Adds stored photos to the card. File numbers continue after the last photo, but in the first folder.
    mutating func insert(_ stored: [CardFolder.StoredPhoto]) {
        for photo in stored {
            let root = core.card.folder("DCIM", in: 0, at: photo.time)
            let isFlat = core.profile.storage == .memory
            let folder = isFlat ? 0 : core.card.folder(photo.folder, in: root.handle, at: photo.time).handle
            let digits = photo.name.prefix { $0 != "." }.suffix(4)
            let fileExtension = photo.name.split(separator: ".").last.map(String.init) ?? ""
            core.photoCount += 1
            var object = CardObject(
                handle: 0, parent: folder, storage: Card.storageID, format: .of(fileExtension: fileExtension),
                name: CameraText(photo.name), time: photo.time.ahead(by: core.clockOffsetSeconds))
            object.bytes = ByteRope(photo.bytes)
            object.thumbnail = ByteRope(
                BlockJPEG.file(BlockPicture(columns: 20, rows: 15, number: core.photoCount)))
            _ = core.card.add(object)
            if let number = Int(digits) { core.numbering.restart(at: number % 9999 + 1) }
        }
    }
}
