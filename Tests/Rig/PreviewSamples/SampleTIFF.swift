/// An entry of a directory in a sample.
public struct SampleEntry {
    /// The value of an entry.
    public enum Value {
        case short(UInt16)
        case long(UInt32)
        /// Bytes with the number of their TIFF type: 1 for bytes, 2 for text, 7 for any data.
        case bytes(kind: UInt16, [UInt8])
        /// The offset of data.
        case offset(of: [UInt8])
        /// The offsets of directories.
        case directories([SampleDirectory])
    }

    /// The TIFF tag of the entry.
    public var tag: UInt16
    /// The value.
    public var value: Value

    /// Creates an entry.
    public init(_ tag: UInt16, _ value: Value) {
        self.tag = tag
        self.value = value
    }
}

/// A directory in a sample.
public struct SampleDirectory {
    /// The entries, in order.
    public var entries: [SampleEntry]

    /// Creates a directory.
    public init(_ entries: [SampleEntry]) { self.entries = entries }

    /// Returns a directory that names a JPEG as a thumbnail.
    public static func thumbnail(_ jpeg: [UInt8], _ others: [SampleEntry] = []) -> SampleDirectory {
        SampleDirectory(
            others + [
                SampleEntry(0x0103, .short(6)), SampleEntry(0x0201, .offset(of: jpeg)),
                SampleEntry(0x0202, .long(UInt32(jpeg.count))),
            ])
    }

    /// Returns a directory that names a JPEG as its only strip.
    public static func strip(
        _ jpeg: [UInt8], compression: UInt16 = 6, _ others: [SampleEntry] = []
    ) -> SampleDirectory {
        SampleDirectory(
            others + [
                SampleEntry(0x0103, .short(compression)), SampleEntry(0x0111, .offset(of: jpeg)),
                SampleEntry(0x0117, .long(UInt32(jpeg.count))),
            ])
    }

    /// Returns an EXIF directory with a color space, a DCF index and a size.
    ///
    /// - Parameters:
    ///   - color: 1 for sRGB, 0xFFFF for uncalibrated, or `nil`.
    ///   - index: The interoperability index, for example `R03`, or `nil`.
    public static func exif(
        color: UInt16? = nil, index: String? = nil, width: Int? = nil, height: Int? = nil
    ) -> SampleDirectory {
        var entries: [SampleEntry] = []
        if let color { entries.append(SampleEntry(0xA001, .short(color))) }
        if let width { entries.append(SampleEntry(0xA002, .long(UInt32(width)))) }
        if let height { entries.append(SampleEntry(0xA003, .short(UInt16(height)))) }
        if let index {
            let text = SampleEntry(0x0001, .bytes(kind: 2, Array(index.utf8) + [0]))
            entries.append(SampleEntry(0xA005, .directories([SampleDirectory([text])])))
        }
        return SampleDirectory(entries)
    }
}

/// A writer for TIFF blocks, EXIF data and TIFF-based RAW files.
public struct SampleTIFF {
    private let isLittle: Bool
    private var bytes: [UInt8]

    private init(isLittle: Bool) {
        self.isLittle = isLittle
        bytes = Array((isLittle ? "II*\0" : "MM\0*").utf8)
        bytes += number(8, 4)
    }

    /// Returns a block in which each directory points to the next directory.
    public static func block(isLittle: Bool = true, _ directories: [SampleDirectory]) -> [UInt8] {
        var writer = SampleTIFF(isLittle: isLittle)
        var pointer = 4
        for directory in directories {
            let place = writer.append(directory)
            writer.set(UInt32(place), at: pointer)
            pointer = place + 2 + directory.entries.count * 12
        }
        return writer.bytes
    }

    /// Returns a number with the least significant byte first.
    public static func littleEndian(_ number: UInt32, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: number >> UInt32($0 * 8)) }
    }

    private func number(_ value: UInt32, _ count: Int) -> [UInt8] {
        let bytes = Self.littleEndian(value, count)
        return isLittle ? bytes : bytes.reversed()
    }

    private mutating func set(_ value: UInt32, at place: Int) {
        bytes.replaceSubrange(place..<(place + 4), with: number(value, 4))
    }

    private mutating func append(_ data: [UInt8]) -> Int {
        defer { bytes += data }
        return bytes.count
    }

    /// Appends a directory and its data. Returns the offset of the directory.
    private mutating func append(_ directory: SampleDirectory) -> Int {
        let place = append([UInt8](repeating: 0, count: 2 + directory.entries.count * 12 + 4))
        bytes.replaceSubrange(place..<(place + 2), with: number(UInt32(directory.entries.count), 2))
        for (index, entry) in directory.entries.enumerated() {
            let start = place + 2 + index * 12
            let fields = number(UInt32(entry.tag), 2) + encode(entry.value)
            bytes.replaceSubrange(start..<(start + 12), with: fields)
        }
        return place
    }

    /// Returns the type, the count and the value of an entry. Appends directories, data with an offset, and
    /// values of more than 4 bytes to the block.
    private mutating func encode(_ value: SampleEntry.Value) -> [UInt8] {
        switch value {
        case .short(let value): return number(3, 2) + number(1, 4) + number(UInt32(value), 2) + [0, 0]
        case .long(let value): return number(4, 2) + number(1, 4) + number(value, 4)
        case .bytes(let kind, let data):
            let head = number(UInt32(kind), 2) + number(UInt32(data.count), 4)
            if data.count <= 4 { return head + data + [UInt8](repeating: 0, count: 4 - data.count) }
            return head + number(UInt32(append(data)), 4)
        case .offset(let data): return number(4, 2) + number(1, 4) + number(UInt32(append(data)), 4)
        case .directories(let directories):
            let places = directories.map { append($0) }
            let head = number(4, 2) + number(UInt32(places.count), 4)
            if places.count == 1 { return head + number(UInt32(places[0]), 4) }
            return head + number(UInt32(append(places.flatMap { number(UInt32($0), 4) })), 4)
        }
    }
}
