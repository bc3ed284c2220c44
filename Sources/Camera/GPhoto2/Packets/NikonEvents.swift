/// The events in a Nikon's response to a poll. In GetEvent, all events have the same length
/// (ptp_unpack_Nikon_EC). In the newer GetEventEx, the length varies (ptp_unpack_Nikon_EC_EX).
enum NikonEvents {
    /// An event and its position in the response.
    struct Event: Hashable {
        var code: UInt16
        /// The first parameter, or 0 for an event without parameters.
        var parameter: UInt32
        var place: Int
        var length: Int
    }

    /// Returns the complete events in a response.
    static func all(in bytes: UnsafeMutableRawBufferPointer, isEx: Bool) -> [Event] {
        guard bytes.count >= 2 else { return [] }
        let count = Int(bytes.word16(0))
        var events: [Event] = []
        // The count has 16 bits. In GetEventEx, 16 unused bits follow.
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

    /// Keeps only the events of a response for which `isKept` returns `true`.
    ///
    /// - Returns: The number of remaining events.
    static func keep(
        in bytes: UnsafeMutableRawBufferPointer, isEx: Bool, where isKept: (Event) -> Bool
    ) -> Int {
        let events = all(in: bytes, isEx: isEx)
        // Does not change a response that continues in another packet.
        guard bytes.count >= 2, events.count == Int(bytes.word16(0)) else { return events.count }
        let remaining = events.filter(isKept)
        var place = events.first?.place ?? 0
        for event in remaining {
            let from = UnsafeRawBufferPointer(rebasing: bytes[event.place..<event.place + event.length])
            // Events move towards the start. An overwritten event was therefore already copied.
            UnsafeMutableRawBufferPointer(rebasing: bytes[place...]).copyMemory(from: from)
            place += event.length
        }
        bytes.set16(0, UInt16(remaining.count))
        return remaining.count
    }
}
