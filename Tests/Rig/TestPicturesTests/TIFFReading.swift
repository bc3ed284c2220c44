import TestPictures

/// A reader of TIFF structures for tests, written independently of the generator.
struct TIFFReading {
    /// An entry of a directory.
    struct Entry {
        var type: Int
        var count: Int
        /// The offset of the value in the file.
        var place: Int
    }

    /// The size of a value of each type, in bytes.
    private static let sizes = [1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 7: 1]

    let bytes: [UInt8]
    /// The offset of the TIFF structure in the file.
    let base: Int
    let isLittle: Bool

    init(_ bytes: [UInt8], at base: Int = 0) {
        self.bytes = bytes
        self.base = base
        isLittle = bytes[base] == UInt8(ascii: "I")
    }

    /// Returns a number of two or four bytes.
    func number(_ place: Int, _ count: Int) -> Int {
        let part = bytes[place..<place + count]
        return isLittle
            ? part.reversed().reduce(0) { $0 << 8 | Int($1) } : part.reduce(0) { $0 << 8 | Int($1) }
    }

    /// The offset of directory 0 in the TIFF structure.
    var first: Int { number(base + 4, 4) }

    func entries(_ directory: Int) -> [Int: Entry] {
        var entries: [Int: Entry] = [:]
        for index in 0..<number(base + directory, 2) {
            let place = base + directory + 2 + index * 12
            let (type, count) = (number(place + 2, 2), number(place + 4, 4))
            let bytes = count * (Self.sizes[type] ?? 0)
            entries[number(place, 2)] = Entry(
                type: type, count: count, place: bytes > 4 ? base + number(place + 8, 4) : place + 8)
        }
        return entries
    }

    /// Returns the offset of the next directory, or 0 for the last directory.
    func next(_ directory: Int) -> Int {
        number(base + directory + 2 + number(base + directory, 2) * 12, 4)
    }

    /// Returns the numbers of an entry.
    func values(_ entry: Entry) -> [Int] {
        let size = entry.type == 3 ? 2 : 4
        return (0..<entry.count).map { number(entry.place + $0 * size, size) }
    }

    func text(_ entry: Entry) -> String {
        String(decoding: bytes[entry.place..<entry.place + entry.count - 1], as: UTF8.self)
    }

    /// Returns the offsets of all directories in the order of discovery. The second value is `true` if a
    /// directory refers to an earlier directory.
    func directories() -> (offsets: [Int], hasCycle: Bool) {
        var pending = [first]
        var offsets: [Int] = []
        var hasCycle = false
        while !pending.isEmpty {
            let directory = pending.removeFirst()
            guard directory != 0 else { continue }
            guard !offsets.contains(directory) else {
                hasCycle = true
                continue
            }
            offsets.append(directory)
            if let subs = entries(directory)[0x014A] { pending += values(subs) }
            pending.append(next(directory))
        }
        return (offsets, hasCycle)
    }

    /// Returns the range of the first JPEG that a directory refers to, or `nil` without a JPEG.
    func jpeg(in directory: Int) -> Range<Int>? {
        let entries = entries(directory)
        for (offset, length) in [(0x0201, 0x0202), (0x0111, 0x0117)] {
            guard let offset = entries[offset], let length = entries[length] else { continue }
            let start = base + values(offset)[0]
            guard start + 2 < bytes.count, bytes[start] == 0xFF, bytes[start + 1] == 0xD8 else { continue }
            return start..<start + values(length)[0]
        }
        return nil
    }
}
