/// Name and time of an object, as the camera itself gives them.
///
/// For a photo that is only in a camera's memory the driver makes up a name (`capt0000.arw`), begins anew with each
/// session, and takes the host's clock for the time: two photos could not be told apart by that. What the camera says
/// goes by in its ObjectInfo all the same.
struct ObjectInfo: Hashable, Sendable {
    /// Handles that always stand for the oldest photo in memory.
    static let inMemory: Set<UInt32> = [PTPHandle.sonyMemory, PTPHandle.nikonMemory]

    /// The camera's name; empty when it gives none.
    var name: String
    /// The camera's wall clock as seconds that would be its time in UTC; `nil` when it gives none.
    var time: Int64?
    /// Whether it is a folder.
    var isFolder: Bool
    /// The storage that it is on.
    var storage: UInt32
    /// Announced size in bytes.
    var size: UInt32
    /// The time that the driver gives for a listed file: of the last change, else of the capture (get_info_func).
    var listedTime: Int64?
    /// Whether the camera would refuse to delete it; `nil` for a protection that the standard does not have.
    var isProtected: Bool?
    /// Whether the driver reads the same from it: names in ASCII, times as the standard writes them, a size of 32
    /// bits. Of anything else the driver makes something of its own.
    var isPlain: Bool

    /// Bytes of ObjectInfo before its three strings: name, time of capture, time of change (PIMA 15740, 5.5.2).
    static let fixedBytes = 52

    /// Reads the start of an ObjectInfo dataset; `nil` when it is cut short.
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
        // A size of 0xFFFFFFFF stands for more than 32 bits can say; the driver then asks otherwise.
        isPlain =
            size != UInt32.max && !name.isEmpty && name.utf8.allSatisfy { $0 > 32 && $0 < 127 }
            && changed != nil && (captured.isEmpty || time != nil)
            && (changed?.isEmpty == true || changeTime != nil)
    }

    /// A PTP string: number of UTF-16 units with the closing NUL, then the units.
    static func text(_ bytes: UnsafeMutableRawBufferPointer, _ place: inout Int) -> String? {
        guard place < bytes.count else { return nil }
        let count = Int(bytes[place])
        guard place + 1 + 2 * count <= bytes.count else { return nil }
        let units = (0..<count).map { bytes.word16(place + 1 + 2 * $0) }
        place += 1 + 2 * count
        return String(decoding: units.prefix { $0 != 0 }, as: UTF16.self)
    }

    /// `YYYYMMDDThhmmss`, whatever follows; days are counted by the civil calendar.
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
        // Years that begin in March have their leap day at the end.
        let shifted = month > 2 ? year : year - 1
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let days = 365 * shifted + shifted / 4 - shifted / 100 + shifted / 400 + dayOfYear - 719_468
        return ((days * 24 + hour) * 60 + minute) * 60 + second
    }
}
