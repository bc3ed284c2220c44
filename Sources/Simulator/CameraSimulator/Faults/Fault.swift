/// Something that goes wrong once, a few times or always.
public struct Fault: Hashable, Sendable {
    /// What happens.
    public enum Kind: Hashable, Sendable {
        // While an object is read
        case drop(afterBytes: Int?), reset(afterBytes: Int?), extraData(bytes: Int)
        case bitFlip(at: Int?), bitFlips(percent: Int), zeroRead, shortInfo(bytes: Int), namelessFolder
        // In place of an answer
        case linkDown(milliseconds: Int), stall(milliseconds: Int?), response(PTPResponse), garbage
        // In the photo
        case sizeSmall(bytes: Int), sizeBig(bytes: Int), truncated(bytes: Int?), empty, name(CameraText),
            date(CameraText), storeFull
        // On the event channel
        case lostEvent, doubledEvent, ghostEvent(handle: UInt32), eventClose
        case eventZeroLength, eventHugeLength, eventGarbage, eventShort
    }

    /// Where in the camera's life a kind of fault strikes.
    enum Stage: Hashable, Sendable { case objectRead, objectInfo, request, shot, event }

    /// When it happens.
    public enum Trigger: Hashable, Sendable {
        /// At the next opportunity.
        case next
        /// At the photo with this number, 1 for the first that was taken.
        case shot(Int)
        /// At the request with this number, counted from when the fault was set.
        case request(Int)
        /// At the next request with this operation code.
        case operation(UInt16)
    }

    /// What happens.
    public var kind: Kind
    /// When it happens.
    public var trigger: Trigger
    /// How often it happens before it is used up; `nil` is always.
    public var times: Int?

    /// A fault.
    public init(_ kind: Kind, _ trigger: Trigger = .next, times: Int? = 1) {
        self.kind = kind
        self.trigger = trigger
        self.times = times
    }

    var stage: Stage {
        switch kind {
        case .drop, .reset, .extraData, .bitFlip, .bitFlips, .zeroRead: .objectRead
        case .shortInfo, .namelessFolder: .objectInfo
        case .linkDown, .stall, .response, .garbage: .request
        case .sizeSmall, .sizeBig, .truncated, .empty, .name, .date, .storeFull: .shot
        case .lostEvent, .doubledEvent, .ghostEvent, .eventClose: .event
        case .eventZeroLength, .eventHugeLength, .eventGarbage, .eventShort: .event
        }
    }
}
