extension Camera {
    /// Handle of a photo that is only in the camera's memory: always the oldest one.
    static let nikonMemoryHandle: UInt32 = 0xFFFF_0001

    /// Nikon property codes, as libgphoto2 names them.
    enum NikonProperty {
        static let recordingMedia: UInt16 = 0xD10B
        static let exposuresRemaining: UInt16 = 0xD1F1
        static let maximumShots: UInt16 = 0xD103
    }

    /// Time in which a buffer is written to the card, in milliseconds.
    static let burstMs: Int64 = 2_000

    /// Answers the operations of the Nikon extension that the stock driver uses.
    mutating func nikon(_ operation: PTPOperation, _ request: PTPRequest, at now: WallTime) -> PTPReply {
        switch operation {
        case .nikonGetEvent:
            session?.isListening = true
            return PTPReply(nikonEvents())
        case .nikonGetVendorPropCodes:
            var out = ByteWriter()
            out.array16([
                NikonProperty.recordingMedia, NikonProperty.exposuresRemaining, NikonProperty.maximumShots,
            ])
            return PTPReply(out)
        case .nikonGetPartialObjectEx:
            return partialObject(request, from: request.wide(1), count: request.wide(3))
        case .nikonGetObjectSize: return objectSize(request)
        case .nikonCaptureToMemory, .nikonFocusAndCaptureToMemory:
            return nikonCapture(toMemory: true, at: now)
        case .nikonCapture: return nikonCapture(toMemory: request.parameter(1) == 1, at: now)
        case .nikonDeleteFromMemory:
            for object in card.objects.filter({ $0.storage == 0 }) { _ = card.remove(object.handle) }
            return PTPReply(.ok)
        default: return PTPReply(.ok)
        }
    }

    /// Shots that the buffer still takes: it is written to the card two seconds after the last one.
    func burstRoom(at now: WallTime) -> UInt8 {
        guard let last = statistics.lastShot, now.hostMs < last.hostMs + Self.burstMs else { return 25 }
        return UInt8(clamping: 25 - burstShots)
    }

    private mutating func nikonCapture(toMemory: Bool, at now: WallTime) -> PTPReply {
        do { try shoot(at: now, toMemory: toMemory) } catch { return PTPReply(error.response) }
        return PTPReply(.ok)
    }

    /// Everything that has come up since the last call: a count, then code and parameter of each.
    private mutating func nikonEvents() -> ByteWriter {
        var out = ByteWriter()
        // The count has 16 bits; what does not fit comes with the next poll.
        let events = (session?.polled ?? []).prefix(Int(UInt16.max))
        session?.polled.removeFirst(events.count)
        out.u16(UInt16(events.count))
        for case .event(var code, let parameters) in events {
            var parameter = parameters.first ?? 0
            if code == 0x4002, let object = card[parameter], object.storage == 0 {
                code = 0xC101
                parameter = Self.nikonMemoryHandle
            }
            out.u16(code)
            out.u32(parameter)
        }
        return out
    }

    /// The handle that a request means: on a Nikon and a Sony, one of them stands for the oldest photo in memory.
    func resolved(_ handle: UInt32) -> UInt32 {
        if identity.maker == .sony, handle == Self.sonyMemoryHandle {
            return handover.ready ?? handle
        }
        guard identity.maker == .nikon, handle == Self.nikonMemoryHandle else { return handle }
        return card.objects.first { $0.storage == 0 }?.handle ?? handle
    }
}
