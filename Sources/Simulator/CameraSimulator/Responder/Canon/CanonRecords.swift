/// The types of records in the reply to the EOS operation GetEvent (0x9116), as libgphoto2 names them.
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
    case objectAddedWithLongName = 0xC1B6
    case requestObjectTransferWithoutName = 0xC1B8

    /// Returns an event that represents a record of this type in ``PTPSession/polled``.
    func event(_ parameters: UInt32...) -> PTPEvent {
        .event(code: UInt16(rawValue), parameters: parameters)
    }
}

/// The reply to GetEvent: a sequence of records, each with its size and type.
struct CanonRecords {
    private var out = ByteWriter(capacity: 1024)

    mutating func add(_ kind: CanonRecord, _ content: [UInt8]) {
        out.u32(UInt32(8 + content.count))
        out.u32(kind.rawValue)
        out.raw(content)
    }

    /// Appends a record of 32-bit words and an optional name.
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

    /// Appends the list of allowed values of a property.
    ///
    /// A property that accepts any value, or is read-only, has an empty list with the type `numberType` or
    /// `textType`. A property that the mode controls has an empty list with the type `listType`.
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

    /// The types of a list, as in the traces of real bodies in libgphoto2 (camlibs/ptp2/cameras).
    private static let numberType: UInt32 = 1
    private static let listType: UInt32 = 3
    private static let textType: UInt32 = 7

    /// Returns all records and the end record.
    consuming func finished() -> ByteWriter {
        out.u32(8)
        out.u32(0)
        return out
    }
}

/// The value of an EOS property.
enum CanonValue: Hashable, Sendable {
    /// A number of any type. All numbers take four bytes.
    case number(UInt32)
    /// Bytes with a terminating NUL.
    case text(String)
    case imageFormat(CanonImageFormat)

    func write(to out: inout ByteWriter) {
        switch self {
        case .number(let value): out.u32(value)
        case .text(let value): out.raw(Array(value.utf8) + [0])
        case .imageFormat(let value): value.write(to: &out)
        }
    }

    /// Reads a value of the same type from a data set, or returns `nil` if a number or an image format cannot
    /// be read.
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

/// The allowed values of a property.
enum CanonChoices: Hashable, Sendable {
    /// These values. The list is empty while the body controls the property.
    case list([CanonValue])
    /// The property has no list of values.
    case none(isText: Bool)
}
