extension CameraCore {
    /// The value for "all storages", "images only" or "the root", depending on the parameter.
    private static let all: UInt32 = 0xFFFF_FFFF

    func storageIDs() -> ByteWriter {
        var out = ByteWriter()
        out.array32(profile.storage == .hidden ? [] : [Card.storageID])
        return out
    }

    func storageInfo(_ request: PTPRequest) -> PTPReply {
        guard request.parameter(0) == Card.storageID else { return PTPReply(.invalidStorageID) }
        var out = ByteWriter()
        let isMemory = profile.storage == .memory
        out.u16(isMemory ? 3 : 4)  // fixed or removable RAM
        out.u16(isMemory ? 1 : 3)  // flat, or DCF
        out.u16(0)  // read and write
        out.u64(UInt64(card.capacityBytes))
        out.u64(UInt64(card.freeBytes))
        out.u32(UInt32(clamping: shotsLeft))
        out.text(isMemory ? "Still" : "SD")
        out.text(isMemory ? "" : "SIMULATED")
        return PTPReply(out)
    }

    func numberOfObjects(_ request: PTPRequest) -> PTPReply {
        switch selection(request) {
        case .success(let handles): PTPReply(.ok, UInt32(handles.count))
        case .failure(let refusal): PTPReply(refusal.response)
        }
    }

    /// Returns the handles of the objects that match the request, followed by `others`.
    func objectHandles(_ request: PTPRequest, others: [UInt32] = []) -> PTPReply {
        switch selection(request) {
        case .success(let handles):
            var out = ByteWriter(capacity: 4 + handles.count * 4)
            out.array32(handles + others)
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
        if profile.storage == .hidden { return .success([]) }
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
