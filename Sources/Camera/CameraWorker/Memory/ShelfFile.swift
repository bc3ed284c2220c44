import FoundationEssentials
import FrameFastModel
import Glibc

/// A photo of the ``MemoryShelf`` in a file: its first line is what is known of the photo, the rest is the photo.
struct ShelfFile: Hashable {
    /// Bytes in which the first line must end.
    private static let lineBytesMax = 65_536
    private static let prefix = "from-memory-"
    private static let finished = ".photo"
    private static let unfinished = ".new"

    /// Counts up, from one worker to the next.
    let number: Int
    /// The folder that it lies in.
    let home: String
    /// Where the photo begins.
    let offset: UInt64

    var path: String { "\(home)/\(Self.prefix)\(number)\(Self.finished)" }

    // MARK: What earlier workers left

    /// The photos in a folder, in the order in which they came, and the highest number. What was not finished is removed.
    static func find(in home: String) -> (photos: [(object: CameraObject, file: ShelfFile)], last: Int) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: home)) ?? []
        for name in names where name.hasPrefix(prefix) && name.hasSuffix(unfinished) {
            unlink("\(home)/\(name)")
        }
        let numbers = names.compactMap(number).sorted()
        let photos = numbers.compactMap { number in
            let photo = read(number, in: home)
            if photo == nil {
                Log.line("cannot read a photo that came over from the camera's memory: \(home), \(number)")
            }
            return photo
        }
        return (photos, numbers.last ?? 0)
    }

    private static func number(_ name: String) -> Int? {
        guard name.hasPrefix(prefix), name.hasSuffix(finished) else { return nil }
        return Int(name.dropFirst(prefix.count).dropLast(finished.count))
    }

    private static func read(_ number: Int, in home: String) -> (object: CameraObject, file: ShelfFile)? {
        let path = ShelfFile(number: number, home: home, offset: 0).path
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var start = [UInt8](repeating: 0, count: lineBytesMax)
        let count = pread(file, &start, start.count, 0)
        guard let end = start.prefix(max(0, count)).firstIndex(of: UInt8(ascii: "\n")),
            let object = try? JSONDecoder().decode(CameraObject.self, from: Data(start[..<end]))
        else { return nil }
        let shelved = ShelfFile(number: number, home: home, offset: UInt64(end + 1))
        // The computer went down before all of it was on the disk.
        guard UInt64(clamping: lseek(file, 0, SEEK_END)) == shelved.offset &+ object.size else { return nil }
        return (object, shelved)
    }

    // MARK: Writing

    /// Writes a photo: this process may end then, and the computer may not until it is synced.
    ///
    /// - Returns: the file, and its descriptor, which is to be given to ``sync(_:)``.
    static func write(
        _ object: CameraObject, _ bytes: [UInt8], number: Int, in home: String
    ) throws(ShelfFault) -> (file: ShelfFile, descriptor: Int32) {
        guard var line = try? JSONEncoder().encode(object) else { throw ShelfFault(text: "no words for it") }
        line.append(UInt8(ascii: "\n"))
        let new = "\(home)/\(prefix)\(number)\(unfinished)"
        let descriptor = open(new, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw ShelfFault(errno: errno) }
        let file = ShelfFile(number: number, home: home, offset: UInt64(line.count))
        guard line.withUnsafeBytes({ write($0, to: descriptor) }),
            bytes.withUnsafeBytes({ write($0, to: descriptor) }), rename(new, file.path) == 0
        else {
            let fault = ShelfFault(errno: errno)
            close(descriptor)
            unlink(new)
            throw fault
        }
        return (file, descriptor)
    }

    /// Takes the file and its name through to the disk, and closes the descriptor. A file that does not get there is removed:
    /// nobody knows what it has.
    func sync(_ descriptor: Int32) throws(ShelfFault) {
        let isThrough = fsync(descriptor) == 0
        let code = errno
        close(descriptor)
        guard isThrough else {
            unlink(path)
            throw ShelfFault(errno: code)
        }
        let folder = open(home, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { return }
        fsync(folder)
        close(folder)
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

    /// Removes the file.
    func remove() { unlink(path) }

    // MARK: Reading

    /// Hands out the photo's bytes in pieces of at most `buffer`, until `receive` says false.
    ///
    /// - Returns: why it cannot; `nil` when it was handed out.
    func read(
        by buffer: UnsafeMutableRawBufferPointer, _ receive: (UnsafeRawBufferPointer) -> Bool
    ) -> String? {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard file >= 0 else { return "the photo is not in the worker's home any more" }
        defer { close(file) }
        var place = offset
        while true {
            let count = pread(file, buffer.baseAddress, buffer.count, off_t(place))
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { return String(cString: strerror(errno)) }
            guard count > 0, receive(UnsafeRawBufferPointer(rebasing: buffer[..<count])) else { return nil }
            place += UInt64(count)
        }
    }
}

/// Why a photo cannot be kept on the disk.
struct ShelfFault: Error {
    let text: String

    init(text: String) { self.text = text }
    init(errno code: Int32) { text = String(cString: strerror(code)) }
}
