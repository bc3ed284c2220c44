/// The contents of an EOS's display, as in the record OLCInfoChanged (0xC1A5): a mask and its fields.
///
/// The length of each field depends on the body's version of the record (0xD199). Lengths and positions are
/// those of real bodies, collected in libgphoto2's ptp-pack.c (`olcsizes` in 2.5.32). libgphoto2 2.5.30
/// does not support version 0x14, and reads a wrong shutter speed, aperture and ISO from such records.
struct CanonOLC: Sendable {
    /// A field that the simulator supports.
    enum Field: Hashable, Sendable {
        /// The release button: 1 released, 2 half pressed, 4 shot taken.
        case button(UInt16)
        case shutterSpeed(UInt8)
        case aperture(UInt8)
        case iso(UInt8)
        /// Autofocus, two bytes: 0-0 idle, 0-1 searching, 1-1 and 1-0 found, 2-2 and 2-0 not found.
        case focus(UInt8, UInt8)

        var bit: Int {
            switch self {
            case .button: 0
            case .shutterSpeed: 1
            case .aperture: 2
            case .iso: 3
            case .focus: 8
            }
        }
    }

    /// Returns an event that represents a record with these fields in ``PTPSession/polled``. Each field takes
    /// three parameters.
    static func event(_ fields: [Field]) -> PTPEvent {
        let parameters = fields.flatMap { field -> [UInt32] in
            let bit = UInt32(field.bit)
            return switch field {
            case .button(let state): [bit, UInt32(state), 0]
            case .shutterSpeed(let code), .aperture(let code), .iso(let code): [bit, UInt32(code), 0]
            case .focus(let first, let second): [bit, UInt32(first), UInt32(second)]
            }
        }
        return .event(code: UInt16(CanonRecord.olcInfoChanged.rawValue), parameters: parameters)
    }

    /// Returns the fields of an event that ``event(_:)`` created.
    static func fields(_ parameters: [UInt32]) -> [Field] {
        stride(from: 0, to: parameters.count - 2, by: 3).compactMap { at in
            let first = UInt8(truncatingIfNeeded: parameters[at + 1])
            return switch parameters[at] {
            case 0: .button(UInt16(first))
            case 1: .shutterSpeed(first)
            case 2: .aperture(first)
            case 3: .iso(first)
            case 8: .focus(first, UInt8(truncatingIfNeeded: parameters[at + 2]))
            default: nil
            }
        }
    }

    /// The lengths of the fields for bits 0...12, by version. All versions belong to real bodies.
    private static let lengths: [UInt32: [Int]] = [
        0x07: [2, 6, 5, 4, 4, 6, 7, 4, 6, 5, 5, 8, 1],
        0x08: [2, 6, 5, 4, 4, 6, 7, 4, 6, 7, 7, 8, 1],
        0x0B: [2, 6, 5, 4, 4, 6, 8, 4, 6, 5, 5, 9, 1],
        0x0F: [2, 7, 6, 4, 4, 6, 8, 4, 6, 5, 5, 9, 1],
        0x11: [2, 7, 6, 6, 4, 6, 8, 4, 6, 5, 5, 9, 8],
        0x12: [2, 7, 9, 6, 4, 6, 8, 5, 7, 5, 5, 9, 8],
        0x13: [2, 7, 9, 7, 4, 6, 8, 5, 7, 5, 5, 9, 8],
        0x14: [2, 9, 9, 7, 4, 6, 8, 5, 7, 5, 5, 9, 8],
    ]

    /// The versions that real bodies use.
    static let versions = lengths.keys.sorted()

    let version: UInt32

    /// Returns the content of a record with these fields: its length, the mask and the fields.
    func content(_ fields: [Field]) -> [UInt8] {
        guard let lengths = Self.lengths[version] else { return [] }
        var out = ByteWriter()
        out.u32(0)
        out.u16(fields.reduce(0) { $0 | 1 << $1.bit })
        out.u16(0)
        for field in fields.sorted(by: { $0.bit < $1.bit }) {
            let bytes = bytes(of: field)
            out.raw(bytes)
            out.zeros(lengths[field.bit] - bytes.count)
        }
        out.patch32(at: 0, UInt32(out.bytes.count))
        return out.bytes
    }

    /// Returns the encoded field.
    ///
    /// The body's limits precede the shutter speed (1/8000 s and 30 s) and the aperture (f/32 and f/2.8). In
    /// long fields, each of these values takes two bytes.
    private func bytes(of field: Field) -> [UInt8] {
        switch field {
        case .button(let state): [UInt8(truncatingIfNeeded: state), 0]
        case .shutterSpeed(let code):
            version >= 0x14 ? [1, 3, 0, 0xA0, 0, 0x10, 0, code] : [1, 1, 0xA0, 0x10, 0, code]
        case .aperture(let code):
            version >= 0x12 ? [1, 3, 0, 0x58, 0, 0x20, 0, code] : [1, 1, 0x58, 0x20, code]
        case .iso(let code): [1, 1, 0, code]
        case .focus(let first, let second): [0, 0, 0, 0, first, second]
        }
    }
}
