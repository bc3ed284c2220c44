extension Camera {
    /// The value for "all storages", "images only" or "the root", depending on the parameter.
    private static let all: UInt32 = 0xFFFF_FFFF

    func storageIDs() -> ByteWriter {
        var out = ByteWriter()
        // A Sony in PC Remote lists no card.
        out.array32(identity.maker == .sony ? [] : [Card.storageID])
        return out
    }

    func storageInfo(_ request: PTPRequest) -> PTPReply {
        guard request.parameter(0) == Card.storageID else { return PTPReply(.invalidStorageID) }
        var out = ByteWriter()
        out.u16(identity.maker == .fuji ? 3 : 4)  // fixed or removable RAM
        out.u16(identity.maker == .fuji ? 1 : 3)  // flat, or DCF
        out.u16(0)  // read and write
        out.u64(UInt64(card.capacityBytes))
        out.u64(UInt64(card.freeBytes))
        out.u32(UInt32(clamping: shotsLeft))
        out.text(identity.maker == .fuji ? "Still" : "SD")
        out.text(identity.maker == .fuji ? "" : "SIMULATED")
        return PTPReply(out)
    }

    /// The number of photos that fit on the card, estimated by the size of the last shot.
    var shotsLeft: Int { card.freeBytes / max(1, lastShotBytes) }

    private var lastShotBytes: Int {
        var bytes = 0
        for file in card.files where file.shot == statistics.shots && file.shot > 0 {
            bytes += file.bytes.count
        }
        return bytes == 0 ? 8_000_000 : bytes
    }

    func numberOfObjects(_ request: PTPRequest) -> PTPReply {
        switch selection(request) {
        case .success(let handles): PTPReply(.ok, UInt32(handles.count))
        case .failure(let refusal): PTPReply(refusal.response)
        }
    }

    mutating func objectHandles(_ request: PTPRequest) -> PTPReply {
        // A Fujifilm sends no events, so clients poll for all handles.
        if identity.maker == .fuji, request.parameter(2) == 0 { session?.isListening = true }
        switch selection(request) {
        case .success(let handles):
            var out = ByteWriter(capacity: 4 + handles.count * 4)
            // The live-view frame is listed among the photos.
            out.array32(handles + (fuji.frame == nil ? [] : [Self.fujiFrameHandle]))
            return PTPReply(out)
        case .failure(let refusal): return PTPReply(refusal.response)
        }
    }

    private struct Refusal: Error { var response: PTPResponse }

    /// Returns the objects that match a storage, a format and a parent (PIMA 15740, 10.4.7).
    private func selection(_ request: PTPRequest) -> Result<[UInt32], Refusal> {
        let storage = request.parameter(0)
        let format = request.parameter(1)
        let parent = request.parameter(2)
        if identity.maker == .sony { return .success([]) }
        guard storage == Self.all || storage == Card.storageID else {
            return .failure(Refusal(response: .invalidStorageID))
        }
        if parent != 0 && parent != Self.all {
            guard let folder = card[parent] else { return .failure(Refusal(response: .invalidObjectHandle)) }
            guard folder.isFolder else { return .failure(Refusal(response: .invalidParentObject)) }
        }
        let chosen = card.objects.filter { object in
            guard object.storage == Card.storageID else { return false }
            if parent == Self.all && object.parent != 0 { return false }
            if parent != 0 && parent != Self.all && object.parent != parent { return false }
            switch format {
            case 0: return true
            case Self.all: return object.format.isImage
            default: return UInt32(object.format.rawValue) == format
            }
        }
        return .success(chosen.map(\.handle))
    }
}
