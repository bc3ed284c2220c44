/// The value of a device property, in one of the PTP types that the simulator supports.
enum PropertyValue: Hashable, Sendable {
    case i8(Int8)
    case u8(UInt8)
    case i16(Int16)
    case u16(UInt16)
    case i32(Int32)
    case u32(UInt32)
    case text(CameraText)

    /// The PTP data type code (PIMA 15740, table 3).
    var type: UInt16 {
        switch self {
        case .i8: 0x0001
        case .u8: 0x0002
        case .i16: 0x0003
        case .u16: 0x0004
        case .i32: 0x0005
        case .u32: 0x0006
        case .text: 0xFFFF
        }
    }

    /// The value as a number, or `nil` for a text.
    var number: Int64? {
        switch self {
        case .i8(let value): Int64(value)
        case .u8(let value): Int64(value)
        case .i16(let value): Int64(value)
        case .u16(let value): Int64(value)
        case .i32(let value): Int64(value)
        case .u32(let value): Int64(value)
        case .text: nil
        }
    }

    func write(to out: inout ByteWriter) {
        switch self {
        case .i8(let value): out.u8(UInt8(bitPattern: value))
        case .u8(let value): out.u8(value)
        case .i16(let value): out.u16(UInt16(bitPattern: value))
        case .u16(let value): out.u16(value)
        case .i32(let value): out.u32(UInt32(bitPattern: value))
        case .u32(let value): out.u32(value)
        case .text(let value): out.text(value)
        }
    }

    /// Reads a value of the same type from a data set, or returns `nil` if the data set is too short.
    func read(from data: [UInt8]) -> PropertyValue? {
        var reader = ByteReader(data)
        return switch self {
        case .i8: reader.u8().map { .i8(Int8(bitPattern: $0)) }
        case .u8: reader.u8().map(PropertyValue.u8)
        case .i16: reader.u16().map { .i16(Int16(bitPattern: $0)) }
        case .u16: reader.u16().map(PropertyValue.u16)
        case .i32: reader.u32().map { .i32(Int32(bitPattern: $0)) }
        case .u32: reader.u32().map(PropertyValue.u32)
        case .text: reader.text().map(PropertyValue.text)
        }
    }
}

/// A device property: its value and its allowed values.
struct DeviceProperty: Hashable, Sendable {
    enum Form: Hashable, Sendable {
        case any
        case range(PropertyValue, PropertyValue, step: PropertyValue)
        case choice([PropertyValue])
    }

    var isWritable: Bool
    var standard: PropertyValue
    var current: PropertyValue
    var form: Form = .any

    /// Returns a writable property with a list of allowed values.
    static func choice(_ value: PropertyValue, _ values: [PropertyValue]) -> DeviceProperty {
        DeviceProperty(isWritable: true, standard: value, current: value, form: .choice(values))
    }

    /// Converts a number to the property's type, or returns `nil` for a text property.
    func value(_ number: UInt32) -> PropertyValue? {
        var out = ByteWriter()
        out.u32(number)
        return current.number == nil ? nil : current.read(from: out.bytes)
    }

    func allows(_ value: PropertyValue) -> Bool {
        guard value.type == current.type else { return false }
        if case .choice(let values) = form { return values.contains(value) }
        return true
    }

    /// Returns the DevicePropDesc data set (PIMA 15740, 13.3.3).
    func describe(code: UInt16) -> ByteWriter {
        var out = ByteWriter()
        out.u16(code)
        out.u16(current.type)
        out.u8(isWritable ? 1 : 0)
        standard.write(to: &out)
        current.write(to: &out)
        switch form {
        case .any: out.u8(0)
        case .range(let low, let high, let step):
            out.u8(1)
            for value in [low, high, step] { value.write(to: &out) }
        case .choice(let values):
            out.u8(2)
            out.u16(UInt16(values.count))
            for value in values { value.write(to: &out) }
        }
        return out
    }
}
