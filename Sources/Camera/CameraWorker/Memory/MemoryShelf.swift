import FoundationEssentials
import FrameFastModel
import GPhoto2
import Glibc

/// Photos that came over from the camera's memory with their event and lie in this worker's home until the daemon has
/// them.
///
/// The library keeps them as well, but forgets them when it likes (an ObjectRemoved event empties its cache), and the
/// camera has none any more. So they are on the disk before the daemon hears of them, and outlive the session and the
/// worker: the next one finds them here. While the shelf is full the camera is not asked for more: the rest waits there.
final class MemoryShelf {
    /// Photos at most.
    static let countMax = 4
    /// Bytes after which nothing more is taken; one photo may go beyond it (see ``Confinement/dataLimit``).
    static let bytesMax = 128 * 1_024 * 1_024
    /// Bytes in which a file's first line must end: what is known of the photo. The rest of the file is the photo.
    private static let lineBytesMax = 65_536

    /// Where a photo is.
    private enum Place {
        /// In a file, behind its first line.
        case file(String, offset: UInt64)
        /// Only here, because there was no room on the disk.
        case memory([UInt8])
    }

    private var photos: [(object: CameraObject, place: Place)] = []
    private let home: String
    private var number = 0

    /// The worker ends soon, and the camera's memory with its session: everything that waits there is taken, as long as
    /// the disk takes it.
    var takesAll = false

    /// Finds what earlier workers left.
    init() {
        home = WorkerPlace.home
        let names = (try? FileManager.default.contentsOfDirectory(atPath: home)) ?? []
        for name in names where name.hasPrefix(Self.prefix) && name.hasSuffix(Self.unfinished) {
            unlink("\(home)/\(name)")
        }
        let numbers = names.compactMap(Self.number).sorted()
        number = numbers.last ?? 0
        for number in numbers {
            guard let photo = Self.read(path(number)) else {
                Log.line("cannot read a photo that came over from the camera's memory: \(path(number))")
                continue
            }
            photos.append(photo)
        }
    }

    /// Whether the camera must wait.
    var isFull: Bool {
        if takesAll { return countOnlyHere > 0 }
        return photos.count >= Self.countMax
            || photos.reduce(0) { $0 &+ min($1.object.size, UInt64(Self.bytesMax)) } >= UInt64(Self.bytesMax)
    }
    /// The photos, in the order in which they came.
    var objects: [CameraObject] { photos.map(\.object) }
    /// Photos that would be lost with this process.
    var countOnlyHere: Int {
        photos.count { if case .memory = $0.place { true } else { false } }
    }

    /// Whether there is a photo of this name.
    func holds(_ name: String) -> Bool { photos.contains { $0.object.name == name } }

    /// Takes a photo, durably.
    func put(_ object: CameraObject, _ bytes: [UInt8]) {
        number += 1
        do throws(ShelfFault) {
            photos.append((object, try save(object, bytes, as: path(number))))
        } catch {
            Log.line("cannot keep a photo from the camera's memory on the disk: \(error.text)")
            photos.append((object, .memory(bytes)))
        }
    }

    /// Hands out a photo's bytes in pieces of at most `buffer`, until `receive` says false.
    ///
    /// - Returns: why it cannot; `nil` when it was handed out.
    func read(
        _ name: String, by buffer: UnsafeMutableRawBufferPointer,
        _ receive: (UnsafeRawBufferPointer) -> Bool
    ) -> String? {
        switch photos.first(where: { $0.object.name == name })?.place {
        case nil: return "the photo is not in the camera's memory any more"
        case .memory(let bytes):
            bytes.withUnsafeBytes { bytes in
                var rest = bytes[...]
                while !rest.isEmpty {
                    guard receive(UnsafeRawBufferPointer(rebasing: rest.prefix(buffer.count))) else { return }
                    rest = rest.dropFirst(buffer.count)
                }
            }
            return nil
        case .file(let path, let start):
            let file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
            guard file >= 0 else { return "the photo is not in the worker's home any more" }
            defer { close(file) }
            var offset = start
            while true {
                let count = pread(file, buffer.baseAddress, buffer.count, off_t(offset))
                if count < 0, errno == EINTR { continue }
                guard count >= 0 else { return String(cString: strerror(errno)) }
                guard count > 0, receive(UnsafeRawBufferPointer(rebasing: buffer[..<count])) else {
                    return nil
                }
                offset += UInt64(count)
            }
        }
    }

    /// Gives a photo up.
    func remove(_ name: String) {
        for photo in photos where photo.object.name == name {
            if case .file(let path, _) = photo.place { unlink(path) }
        }
        photos.removeAll { $0.object.name == name }
    }

    // MARK: files

    private static let prefix = "from-memory-"
    private static let finished = ".photo"
    private static let unfinished = ".new"

    private func path(_ number: Int) -> String { "\(home)/\(Self.prefix)\(number)\(Self.finished)" }

    private static func number(_ name: String) -> Int? {
        guard name.hasPrefix(prefix), name.hasSuffix(finished) else { return nil }
        return Int(name.dropFirst(prefix.count).dropLast(finished.count))
    }

    private func save(
        _ object: CameraObject, _ bytes: [UInt8], as path: String
    ) throws(ShelfFault) -> Place {
        guard var line = try? JSONEncoder().encode(object) else { throw ShelfFault(text: "no words for it") }
        line.append(UInt8(ascii: "\n"))
        let new = "\(home)/\(Self.prefix)\(number)\(Self.unfinished)"
        func check(_ isDone: Bool) throws(ShelfFault) {
            guard !isDone else { return }
            let text = String(cString: strerror(errno))
            unlink(new)
            throw ShelfFault(text: text)
        }
        let file = open(new, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        try check(file >= 0)
        let isWritten =
            line.withUnsafeBytes { Self.write($0, to: file) }
            && bytes.withUnsafeBytes { Self.write($0, to: file) }
            && fsync(file) == 0
        let code = errno
        close(file)
        errno = code
        try check(isWritten)
        try check(rename(new, path) == 0)
        let folder = open(home, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        if folder >= 0 {
            fsync(folder)
            close(folder)
        }
        return .file(path, offset: UInt64(line.count))
    }

    private static func write(_ bytes: UnsafeRawBufferPointer, to file: Int32) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let piece = UnsafeRawBufferPointer(rebasing: rest)
            let count = Glibc.write(file, piece.baseAddress, piece.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    private static func read(_ path: String) -> (object: CameraObject, place: Place)? {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var start = [UInt8](repeating: 0, count: lineBytesMax)
        let count = pread(file, &start, start.count, 0)
        guard let end = start.prefix(max(0, count)).firstIndex(of: UInt8(ascii: "\n")),
            let object = try? JSONDecoder().decode(CameraObject.self, from: Data(start[..<end]))
        else { return nil }
        return (object, .file(path, offset: UInt64(end + 1)))
    }
}

/// Why a photo cannot be kept on the disk.
private struct ShelfFault: Error {
    let text: String
}
