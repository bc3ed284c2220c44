/// The name, the time and other facts of an object, as reported by the camera.
///
/// For a photo that exists only in a camera's memory, the driver generates a name (`capt0000.arw`) and uses
/// the host's clock as the time. The numbers restart in each connection, which makes different photos
/// indistinguishable. The camera's own values are in its ObjectInfo packet.
struct ObjectInfo: Hashable, Sendable {
    /// The handles that always refer to the oldest photo in memory.
    static let inMemory: Set<UInt32> = [PTPHandle.sonyMemory, PTPHandle.nikonMemory]

    /// The camera's name for the object, or an empty string if the camera reports none.
    var name: String
    /// The camera's local time, in seconds since 1970 and treated as UTC, or `nil` if the camera reports no
    /// time.
    var time: Int64?
    /// Whether the object is a folder.
    var isFolder: Bool
    /// The id of the object's storage.
    var storage: UInt32
    /// The announced size, in bytes.
    var size: UInt32
    /// The time that the driver reports for a listed file: the modification time, or the capture time if the
    /// modification time is missing (get_info_func).
    var listedTime: Int64?
    /// Whether the camera refuses to delete the object, or `nil` if the protection value is not in the
    /// standard.
    var isProtected: Bool?
    /// Whether the driver reads the same facts from the dataset: an ASCII name, times in the standard's
    /// format, and a size below 4 GiB. The driver converts all other values in its own way.
    var isPlain: Bool

    /// The size of an ObjectInfo before its three strings, in bytes (PIMA 15740, 5.5.2). The strings are the
    /// name, the capture time and the modification time.
    static let fixedBytes = 52

    /// Parses the start of an ObjectInfo dataset. Returns `nil` if the dataset is truncated.
    init?(_ bytes: UnsafeMutableRawBufferPointer) {
        var place = Self.fixedBytes
        guard let name = Self.text(bytes, &place), let captured = Self.text(bytes, &place) else { return nil }
        let changed = Self.text(bytes, &place)
        self.name = name
        time = Self.seconds(captured)
        isFolder = bytes.word16(4) == PTPFormat.association
        storage = bytes.word32(0)
        size = bytes.word32(8)
        let changeTime = changed.flatMap(Self.seconds)
        listedTime = (changeTime == 0 ? nil : changeTime) ?? (time == 0 ? nil : time)
        let protection = bytes.word16(6)
        isProtected = protection > 1 ? nil : protection == 1
        // A size of 0xFFFFFFFF means 4 GiB or more. The driver then uses another request to get the size.
        isPlain =
            size != UInt32.max && !name.isEmpty && name.utf8.allSatisfy { $0 > 32 && $0 < 127 }
            && changed != nil && (captured.isEmpty || time != nil)
            && (changed?.isEmpty == true || changeTime != nil)
    }

    /// Reads a PTP string: the number of UTF-16 units including the NUL, followed by the units.
    static func text(_ bytes: UnsafeMutableRawBufferPointer, _ place: inout Int) -> String? {
        guard place < bytes.count else { return nil }
        let count = Int(bytes[place])
        guard place + 1 + 2 * count <= bytes.count else { return nil }
        let units = (0..<count).map { bytes.word16(place + 1 + 2 * $0) }
        place += 1 + 2 * count
        return String(decoding: units.prefix { $0 != 0 }, as: UTF16.self)
    }

    /// Parses `YYYYMMDDThhmmss` with any suffix. Returns seconds since 1970 in the Gregorian calendar.
    static func seconds(_ text: String) -> Int64? {
        let digits = Array(text.utf8)
        guard digits.count >= 15, digits[8] == UInt8(ascii: "T") else { return nil }
        func number(_ range: Range<Int>) -> Int64? {
            var value: Int64 = 0
            for digit in digits[range] {
                guard digit >= 48, digit <= 57 else { return nil }
                value = value * 10 + Int64(digit - 48)
            }
            return value
        }
        guard let year = number(0..<4), let month = number(4..<6), let day = number(6..<8),
            let hour = number(9..<11), let minute = number(11..<13), let second = number(13..<15),
            year >= 1970, (1...12).contains(month), (1...31).contains(day)
        else { return nil }
        // With years that start in March, the leap day is the last day of a year.
        let shifted = month > 2 ? year : year - 1
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let days = 365 * shifted + shifted / 4 - shifted / 100 + shifted / 400 + dayOfYear - 719_468
        return ((days * 24 + hour) * 60 + minute) * 60 + second
    }
}
