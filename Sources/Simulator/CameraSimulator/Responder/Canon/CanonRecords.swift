/// Records in the answer to the EOS operation GetEvent (0x9116), as libgphoto2 names them.
enum CanonRecord: UInt32, CaseIterable {
    case objectAdded = 0xC181
    case objectRemoved = 0xC182
    case requestObjectTransfer = 0xC186
    case propertyChanged = 0xC189
    case availableListChanged = 0xC18A
    case cameraStatusChanged = 0xC18B
    case bulbExposureTime = 0xC194
    case focusResult = 0xC1A3
    case olcInfoChanged = 0xC1A5

    /// The event that waits in the queue for its turn as this record.
    func event(_ parameters: UInt32...) -> PTPEvent {
        .event(code: UInt16(rawValue), parameters: parameters)
    }
}

/// The answer to GetEvent: records one after the other, each with its size and kind in front.
struct CanonRecords {
    private var out = ByteWriter(capacity: 1024)

    mutating func add(_ kind: CanonRecord, _ content: [UInt8]) {
        out.u32(UInt32(8 + content.count))
        out.u32(kind.rawValue)
        out.raw(content)
    }

    /// A record of words, and a name at the end of some.
    mutating func add(_ kind: CanonRecord, words: [UInt32], name: String? = nil) {
        var content = ByteWriter(capacity: 64)
        for word in words { content.u32(word) }
        if let name {
            content.raw(Array(name.utf8) + [0])
            content.zeros((4 - content.bytes.count % 4) % 4)
        }
        add(kind, content.bytes)
    }

    mutating func add(property code: UInt16, _ value: CanonValue) {
        var content = ByteWriter(capacity: 64)
        content.u32(UInt32(code))
        value.write(to: &content)
        content.zeros((4 - content.bytes.count % 4) % 4)
        add(.propertyChanged, content.bytes)
    }

    /// What a property may be set to. A property that takes anything, or is only read, has a list of another type without entries;
    /// one that the mode has taken over has an empty list of the usual type.
    mutating func add(choicesOf code: UInt16, _ choices: CanonChoices) {
        var content = ByteWriter(capacity: 256)
        content.u32(UInt32(code))
        switch choices {
        case .list(let values):
            content.u32(Self.listType)
            content.u32(UInt32(values.count))
            for value in values { value.write(to: &content) }
        case .none(let isText):
            content.u32(isText ? Self.textType : Self.numberType)
            content.u32(0)
        }
        add(.availableListChanged, content.bytes)
    }

    /// Types of a list, as the traces of real bodies that libgphoto2 keeps (camlibs/ptp2/cameras) show them.
    private static let numberType: UInt32 = 1
    private static let listType: UInt32 = 3
    private static let textType: UInt32 = 7

    /// All records and the end mark.
    consuming func finished() -> ByteWriter {
        out.u32(8)
        out.u32(0)
        return out
    }
}

/// A property's value, as an EOS writes it.
enum CanonValue: Hashable, Sendable {
    /// A number of any type: all take four bytes.
    case number(UInt32)
    /// Plain bytes with a NUL behind them.
    case text(String)
    case imageFormat(CanonImageFormat)

    func write(to out: inout ByteWriter) {
        switch self {
        case .number(let value): out.u32(value)
        case .text(let value): out.raw(Array(value.utf8) + [0])
        case .imageFormat(let value): value.write(to: &out)
        }
    }

    /// A value of the same kind read from a data set; `nil` when it is none.
    func read(from reader: inout ByteReader) -> CanonValue? {
        switch self {
        case .number: return reader.u32().map(CanonValue.number)
        case .text:
            var bytes: [UInt8] = []
            while let byte = reader.u8(), byte != 0 { bytes.append(byte) }
            return .text(String(decoding: bytes, as: UTF8.self))
        case .imageFormat: return CanonImageFormat(from: &reader).map(CanonValue.imageFormat)
        }
    }
}

/// What a property may be set to.
enum CanonChoices: Hashable, Sendable {
    /// These values; empty while the body decides.
    case list([CanonValue])
    /// There is no list of such a property.
    case none(isText: Bool)
}
