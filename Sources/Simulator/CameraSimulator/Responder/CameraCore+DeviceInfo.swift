extension CameraCore {
    /// Returns the DeviceInfo data set (PIMA 15740, 5.1.1).
    func deviceInfo(properties: [UInt16]) -> ByteWriter {
        var out = ByteWriter()
        out.u16(100)
        out.u32(identity.vendorExtension)
        out.u16(100)
        out.text(CameraText(profile.vendorExtensionText))
        out.u16(0)
        out.array16(identity.operations.map(\.code))
        out.array16(
            [0x4002, 0x4003, 0x4004, 0x4005, 0x4006, 0x400A, 0x400C, 0x400D] + profile.ownEvents)
        out.array16(properties)
        let raw = ObjectFormat.of(fileExtension: identity.rawFormat.fileExtension)
        out.array16([ObjectFormat.jpeg.rawValue, raw.rawValue])
        out.array16([ObjectFormat.association.rawValue, ObjectFormat.jpeg.rawValue, raw.rawValue])
        out.text(CameraText(identity.manufacturer))
        out.text(CameraText(identity.model))
        out.text(CameraText(identity.firmware))
        out.text(CameraText(identity.serial))
        return out
    }
}
