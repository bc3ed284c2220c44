import FrameFastSystem
import Glibc

/// Pictures that were made, by the content of their photos: each can be made again, so that any may go at any time.
struct PictureCache: Sendable {
    /// Of the bound: what remains after some had to go.
    private static let keptPart = 0.9

    let folder: String
    /// Bytes of all of them, at most.
    let bytesMax: UInt64

    /// What was made of a photo; `nil` when nothing was, or it is damaged.
    func picture(of content: String, side: Int) -> MadePicture? {
        let path = path(content, side)
        guard let file = try? FileReader(path), file.size < 64 * 1_024 * 1_024,
            let bytes = try? file.read(at: 0, count: Int(file.size))
        else { return nil }
        guard let picture = MadePicture(bytes) else {
            try? DurableFile.remove(path)
            return nil
        }
        // What was looked at last stays longest.
        utimes(path, nil)
        return picture
    }

    /// Where a picture is to be written before it has its name.
    func part(_ content: String, _ side: Int) throws(SystemCallError) -> String {
        let path = path(content, side)
        try DurableFile.createFolder(DurableFile.parent(of: path))
        return path + ".part"
    }

    /// Takes over what was written. Not synced: after a power cut it is made again.
    func keep(_ part: String) {
        _ = rename(part, String(part.dropLast(".part".count)))
    }

    /// Removes those that were not looked at for longest, where there are too many.
    ///
    /// - Returns: bytes of those that remain.
    func makeRoom() -> UInt64 {
        var all: [(path: String, bytes: UInt64, at: Int)] = []
        for name in (try? FolderReader.names(in: folder)) ?? [] {
            let inner = folder + "/" + name
            for file in (try? FolderReader.names(in: inner)) ?? [] {
                var information = stat()
                guard stat(inner + "/" + file, &information) == 0 else { continue }
                all.append(
                    (inner + "/" + file, UInt64(max(0, information.st_size)), information.st_mtim.tv_sec))
            }
        }
        var sum = all.reduce(0) { $0 + $1.bytes }
        guard sum > bytesMax else { return sum }
        let kept = UInt64(Double(bytesMax) * Self.keptPart)
        for file in all.sorted(by: { $0.at < $1.at }) where sum > kept {
            try? DurableFile.remove(file.path)
            sum -= file.bytes
        }
        return sum
    }

    private func path(_ content: String, _ side: Int) -> String {
        "\(folder)/\(content.prefix(2))/\(content)-\(side)"
    }
}
