/// A Nikon's answers to polls for events: GetEvent has events of one length (ptp_unpack_Nikon_EC), the newer GetEventEx
/// of several (ptp_unpack_Nikon_EC_EX).
enum NikonEvents {
    /// One event, and where it lies in the answer.
    struct Event: Hashable {
        var code: UInt16
        /// The first parameter; 0 for none.
        var parameter: UInt32
        var place: Int
        var length: Int
    }

    /// The events of an answer, as far as it is whole.
    static func all(in bytes: UnsafeMutableRawBufferPointer, isEx: Bool) -> [Event] {
        guard bytes.count >= 2 else { return [] }
        let count = Int(bytes.word16(0))
        var events: [Event] = []
        // The count has 16 bits, in the newer answer followed by 16 that mean nothing.
        var place = isEx ? 4 : 2
        while events.count < count, place + 4 <= bytes.count {
            let parameters = isEx ? Int(bytes.word16(place + 2)) : 1
            let length = isEx ? 4 + 4 * parameters : 6
            guard parameters <= 5, place + length <= bytes.count else { break }
            let first = place + (isEx ? 4 : 2)
            events.append(
                Event(
                    code: bytes.word16(place), parameter: parameters > 0 ? bytes.word32(first) : 0,
                    place: place, length: length))
            place += length
        }
        return events
    }

    /// Leaves only some of an answer's events in it.
    ///
    /// - Returns: how many there are now.
    static func keep(
        in bytes: UnsafeMutableRawBufferPointer, isEx: Bool, where isKept: (Event) -> Bool
    ) -> Int {
        let events = all(in: bytes, isEx: isEx)
        // An answer that goes on elsewhere is left as it is.
        guard bytes.count >= 2, events.count == Int(bytes.word16(0)) else { return events.count }
        let kept = events.filter(isKept)
        var place = events.first?.place ?? 0
        for event in kept {
            let from = UnsafeRawBufferPointer(rebasing: bytes[event.place..<event.place + event.length])
            // Towards the start: what is written over was moved already.
            UnsafeMutableRawBufferPointer(rebasing: bytes[place...]).copyMemory(from: from)
            place += event.length
        }
        bytes.set16(0, UInt16(kept.count))
        return kept.count
    }
}
