extension CameraCore {
    mutating func objectInfo(_ request: PTPRequest) -> PTPReply {
        guard let object = card[request.parameter(0)] else { return PTPReply(.invalidObjectHandle) }
        let (out, numbers) = describe(object)
        let fault = takeFault(
            .objectInfo, shot: object.shot > 0 ? object.shot : nil, operation: request.code
        ) { kind in
            if case .namelessFolder = kind { object.isFolder } else { object.shot > 0 }
        }
        switch fault {
        case .shortInfo(let bytes): return PTPReply(data: ByteRope(Array(out.bytes.prefix(bytes))))
        case .namelessFolder: return PTPReply(data: ByteRope(Array(out.bytes.prefix(numbers))))
        default: return PTPReply(out)
        }
    }

    /// Returns the ObjectInfo data set (PIMA 15740, 5.3.1), and the number of its bytes before the name.
    func describe(_ object: CardObject) -> (info: ByteWriter, numbers: Int) {
        var out = ByteWriter()
        out.u32(object.storage)
        out.u16(object.format.rawValue)
        out.u16(object.isProtected ? 1 : 0)
        out.u32(UInt32(clamping: object.reportedSize))
        out.u16(object.thumbnail.count > 0 ? 0x3808 : 0)
        out.u32(UInt32(object.thumbnail.count))
        out.u32(UInt32(object.thumbnail.count > 0 ? GeneratedPhoto.thumbnailWidth : 0))
        out.u32(UInt32(object.thumbnail.count > 0 ? GeneratedPhoto.thumbnailHeight : 0))
        out.u32(UInt32(object.width))
        out.u32(UInt32(object.height))
        out.u32(object.isFolder ? 0 : 24)
        out.u32(object.parent)
        out.u16(object.isFolder ? 1 : 0)
        out.u32(0)
        out.u32(0)
        let numbers = out.bytes.count
        out.text(object.name)
        out.text(object.reportedDate)
        out.text(object.reportedDate)
        out.text("")
        return (out, numbers)
    }

    /// Returns the ObjectInfo of a live-view frame.
    func frameInfo(_ handle: UInt32, _ bytes: [UInt8] = [], at now: WallTime) -> PTPReply {
        var object = CardObject(
            handle: handle, parent: 0, storage: Card.storageID, format: .jpeg, name: "LIVEVIEW.JPG", time: now
        )
        object.bytes = ByteRope(bytes)
        return PTPReply(describe(object).info)
    }

    mutating func object(_ request: PTPRequest) -> PTPReply {
        guard let object = card[request.parameter(0)] else { return PTPReply(.invalidObjectHandle) }
        guard !object.isFolder else { return PTPReply(.invalidObjectHandle) }
        return read(object, 0..<object.bytes.count, request)
    }

    mutating func partialObject(_ request: PTPRequest) -> PTPReply {
        partialObject(request, from: Int(request.parameter(1)), count: Int(request.parameter(2)))
    }

    mutating func partialObject(_ request: PTPRequest, from offset: Int, count: Int) -> PTPReply {
        guard let object = card[request.parameter(0)], !object.isFolder else {
            return PTPReply(.invalidObjectHandle)
        }
        var count = count
        if let limit = identity.pieceLimit, count > limit.bytes {
            switch limit.reaction {
            case .refuse: return PTPReply(.invalidParameter)
            case .short: count = limit.bytes
            case .hang:
                var reply = PTPReply(.generalError)
                reply.linkFault = .stall(milliseconds: nil)
                return reply
            }
        }
        let start = min(offset, object.bytes.count)
        let length = min(count, object.bytes.count - start)
        var reply = read(object, start..<start + length, request)
        reply.parameters = [UInt32(reply.data?.count ?? 0)]
        return reply
    }

    /// Performs Nikon's operation GetObjectSize, which returns an object's size as a 64-bit number. The size
    /// in an ObjectInfo has only 32 bits.
    func objectSize(_ request: PTPRequest) -> PTPReply {
        guard let object = card[request.parameter(0)], !object.isFolder else {
            return PTPReply(.invalidObjectHandle)
        }
        var out = ByteWriter()
        out.u64(UInt64(object.reportedSize))
        return PTPReply(out)
    }

    /// Returns a part of an object, with the effect of the fault that applies to this part.
    mutating func read(_ object: CardObject, _ range: Range<Int>, _ request: PTPRequest) -> PTPReply {
        var data = object.bytes.slice(range)
        var reply = PTPReply(.ok)
        reply.delivery = ObjectDelivery(handle: object.handle, through: range.upperBound)
        switch dueFault(of: object, in: range, request) {
        case .drop(let bytes): reply.linkFault = drop(bytes, range, object, isReset: false)
        case .reset(let bytes): reply.linkFault = drop(bytes, range, object, isReset: true)
        case .extraData(let bytes): reply.linkFault = .extraData(bytes: bytes)
        case .bitFlip(let offset):
            data = data.flippingBit(at: (offset ?? object.bytes.count / 2) - range.lowerBound)
        case .bitFlips:
            if data.count > 0 { data = data.flippingBit(at: Int(nextRandom() % UInt64(data.count))) }
        case .zeroRead:
            data = ByteRope()
            reply.delivery = nil
        default: break
        }
        reply.data = data
        return reply
    }

    private func drop(_ bytes: Int?, _ range: Range<Int>, _ object: CardObject, isReset: Bool) -> LinkFault {
        .drop(afterBytes: max(0, (bytes ?? object.bytes.count / 2) - range.lowerBound), isReset: isReset)
    }

    /// Returns the fault that applies to this part of the object. A fault at an offset applies only to the
    /// part that contains the offset. The last part also includes all offsets after the end of the object.
    private mutating func dueFault(of object: CardObject, in range: Range<Int>, _ request: PTPRequest)
        -> Fault.Kind?
    {
        guard !object.isFolder else { return nil }
        let chance = nextRandom() % 100
        return takeFault(
            .objectRead, shot: object.shot, operation: request.code,
            matching: { kind in
                switch kind {
                case .drop(let place), .reset(let place), .bitFlip(let place):
                    let place = place ?? object.bytes.count / 2
                    return range.contains(place)
                        || (range.upperBound == object.bytes.count && place >= range.upperBound)
                case .bitFlips(let percent): return chance < UInt64(percent)
                default: return true
                }
            })
    }

    /// Returns the next random number (SplitMix64).
    private mutating func nextRandom() -> UInt64 {
        randomState &+= 0x9E37_79B9_7F4A_7C15
        var z = randomState
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    func thumbnail(_ request: PTPRequest) -> PTPReply {
        guard let object = card[request.parameter(0)] else { return PTPReply(.invalidObjectHandle) }
        guard object.thumbnail.count > 0 else { return PTPReply(.noThumbnailPresent) }
        return PTPReply(data: object.thumbnail)
    }

    mutating func delete(_ request: PTPRequest) -> PTPReply {
        guard request.parameter(1) == 0 else { return PTPReply(.parameterNotSupported) }
        let handle = request.parameter(0)
        if handle == 0xFFFF_FFFF {
            for root in card.objects.filter({ $0.parent == 0 }) {
                statistics.deleted += remove(root.handle)
            }
            return PTPReply(.ok)
        }
        guard let object = card[handle] else { return PTPReply(.invalidObjectHandle) }
        guard !object.isProtected else { return PTPReply(.objectWriteProtected) }
        let isInMemory = card[handle]?.storage == 0
        let removedCount = remove(handle)
        if !isInMemory { statistics.deleted += removedCount }
        return PTPReply(.ok)
    }

    /// Removes an object with all its contents.
    ///
    /// - Returns: The number of removed objects.
    private mutating func remove(_ handle: UInt32) -> Int {
        let affected = card[handle].map { $0.isFolder ? Array(card.files) : [$0] } ?? []
        let files = affected.map { TakenPhoto(object: $0, folder: card.path(of: $0)) }
        let removed = card.remove(handle)
        deleted += files.filter { removed.contains($0.object.handle) && $0.object.storage != 0 }
        return removed.count
    }
}
