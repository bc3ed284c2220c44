/// A fault that the simulator injects once, several times or always.
public struct Fault: Hashable, Sendable {
    /// The effect of a fault.
    enum Kind: Hashable, Sendable {
        // While a client reads an object
        case drop(afterBytes: Int?), reset(afterBytes: Int?), extraData(bytes: Int)
        case bitFlip(at: Int?), bitFlips(percent: Int), zeroRead, shortInfo(bytes: Int), namelessFolder
        // Instead of a response
        case linkDown(milliseconds: Int), stall(milliseconds: Int?), response(PTPResponse), garbage
        // In the photo
        case sizeSmall(bytes: Int), sizeBig(bytes: Int), truncated(bytes: Int?), empty, name(CameraText),
            date(CameraText), noThumbnail, storeFull
        // On the event channel
        case lostEvent, doubledEvent, ghostEvent(handle: UInt32), eventClose
        case eventZeroLength, eventHugeLength, eventGarbage, eventShort
    }

    /// The point at which a fault is injected.
    enum Stage: Hashable, Sendable { case objectRead, objectInfo, request, shot, event }

    /// The condition that triggers a fault.
    enum Trigger: Hashable, Sendable {
        /// At the next opportunity.
        case next
        /// At the photo with this number, counted from 1.
        case shot(Int)
        /// At the request with this number, counted from 1 after the fault was added.
        case request(Int)
        /// At the next request with this operation code.
        case operation(UInt16)
    }

    /// The effect of the fault.
    var kind: Kind
    /// The condition that triggers the fault.
    var trigger: Trigger
    /// The remaining number of times that the fault occurs, or `nil` if the fault always occurs.
    var times: Int?

    /// Creates a fault.
    init(_ kind: Kind, _ trigger: Trigger = .next, times: Int? = 1) {
        self.kind = kind
        self.trigger = trigger
        self.times = times
    }

    var stage: Stage {
        switch kind {
        case .drop, .reset, .extraData, .bitFlip, .bitFlips, .zeroRead: .objectRead
        case .shortInfo, .namelessFolder: .objectInfo
        case .linkDown, .stall, .response, .garbage: .request
        case .sizeSmall, .sizeBig, .truncated, .empty, .name, .date, .noThumbnail, .storeFull: .shot
        case .lostEvent, .doubledEvent, .ghostEvent, .eventClose: .event
        case .eventZeroLength, .eventHugeLength, .eventGarbage, .eventShort: .event
        }
    }
}
