extension Camera {
    func deviceInfo() -> ByteWriter {
        var out = ByteWriter()
        out.u16(100)
        out.u32(identity.vendorExtension)
        out.u16(100)
        out.text(CameraText(identity.vendorExtensionText))
        out.u16(0)
        out.array16(identity.operations.map(\.code))
        out.array16(
            [0x4002, 0x4003, 0x4004, 0x4005, 0x4006, 0x400A, 0x400C, 0x400D]
                + (identity.maker == .nikon ? NikonEvent.all : []))
        out.array16(propertyCodes)
        let raw = ObjectFormat.of(fileExtension: identity.rawFormat.fileExtension)
        out.array16([ObjectFormat.jpeg.rawValue, raw.rawValue])
        out.array16([ObjectFormat.association.rawValue, ObjectFormat.jpeg.rawValue, raw.rawValue])
        out.text(CameraText(identity.manufacturer))
        out.text(CameraText(identity.model))
        out.text(CameraText(identity.firmware))
        out.text(CameraText(identity.serial))
        return out
    }

    mutating func openSession(_ request: PTPRequest) -> PTPReply {
        guard request.parameter(0) != 0 else { return PTPReply(.invalidParameter) }
        if let session { return PTPReply(.sessionAlreadyOpen, session.id) }
        session = PTPSession(id: request.parameter(0), isListening: identity.maker == .generic)
        statistics.sessions += 1
        // File names restart with each session, even if the memory still contains older photos.
        if identity.maker == .fuji { numbering.restart(at: 1) }
        return PTPReply(.ok)
    }

    mutating func closeSession() -> PTPReply {
        endSession()
        return PTPReply(.ok)
    }

    /// Ends the session. Photos that are only in memory are lost, as on a real body. An EOS saves new photos
    /// on the card again.
    mutating func endSession() {
        session = nil
        if identity.maker == .canon { memoryIsTarget = false }
        canon.handleSessionEnd()
        sonyMemory = SonyMemory()
        sony.handleSessionEnd()
        fuji.handleSessionEnd()
        for object in card.objects.filter({ $0.storage == 0 }) {
            _ = card.remove(object.handle)
            statistics.lost += 1
        }
    }
}
