extension GenericBody {
    /// The object properties of MTP 1.1, with their codes (appendix B).
    private enum MTPProperty: UInt16 {
        case storageID = 0xDC01
        case objectFormat = 0xDC02
        case protectionStatus = 0xDC03
        case objectSize = 0xDC04
        case objectFileName = 0xDC07
        case dateCreated = 0xDC08
        case dateModified = 0xDC09
        case parentObject = 0xDC0B

        /// The code of the value's type.
        var type: UInt16 {
            switch self {
            case .objectFormat, .protectionStatus: 0x0004  // UINT16
            case .storageID, .parentObject: 0x0006  // UINT32
            case .objectSize: 0x0008  // UINT64
            case .objectFileName, .dateCreated, .dateModified: 0xFFFF  // a string
            }
        }
    }

    /// Performs ResetDevicePropValue, and the MTP operations that libgphoto2 uses for objects of 4 GiB and
    /// more.
    mutating func perform(
        _ operation: PTPOperation, _ request: PTPRequest, on camera: inout CameraCore, at now: WallTime
    ) -> PTPReply? {
        switch operation {
        case .mtpGetObjectPropList: Self.objectProperties(request, on: camera.card)
        case .mtpGetPartialObject64:
            camera.partialObject(request, from: request.wide(1), count: Int(request.parameter(3)))
        case .resetDevicePropValue: resetProperty(UInt16(truncatingIfNeeded: request.parameter(0)))
        default: nil
        }
    }

    private mutating func resetProperty(_ code: UInt16) -> PTPReply {
        guard let property = settings[code] else { return PTPReply(.devicePropNotSupported) }
        settings[code]?.current = property.standard
        return PTPReply(.ok)
    }

    /// Returns all properties of one object. Like many devices, the camera refuses requests for several
    /// objects.
    private static func objectProperties(_ request: PTPRequest, on card: Card) -> PTPReply {
        guard request.parameter(4) == 0 else { return PTPReply(.parameterNotSupported) }
        guard let object = card[request.parameter(0)] else { return PTPReply(.invalidObjectHandle) }
        var out = ByteWriter()
        let time = object.reportedDate
        let values: [(MTPProperty, (inout ByteWriter) -> Void)] = [
            (.storageID, { $0.u32(object.storage) }),
            (.objectFormat, { $0.u16(object.format.rawValue) }),
            (.protectionStatus, { $0.u16(object.isProtected ? 1 : 0) }),
            (.objectSize, { $0.u64(UInt64(object.reportedSize)) }),
            (.objectFileName, { $0.text(object.name) }),
            (.dateCreated, { $0.text(time) }),
            (.dateModified, { $0.text(time) }),
            (.parentObject, { $0.u32(object.parent) }),
        ]
        out.u32(UInt32(values.count))
        for (property, write) in values {
            out.u32(object.handle)
            out.u16(property.rawValue)
            out.u16(property.type)
            write(&out)
        }
        return PTPReply(out)
    }
}
