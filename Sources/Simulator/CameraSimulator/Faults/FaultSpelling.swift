extension Fault {
    /// All fault names with their argument and meaning, for `--help`. A meaning contains the argument's
    /// default value in parentheses.
    public static let spellings: [(name: String, meaning: String)] = [
        ("drop[:BYTES]", "both connections close after BYTES of an object (half of the object)"),
        ("reset[:BYTES]", "both connections are reset after BYTES of an object (half of the object)"),
        ("link-down[:MS]", "both connections close, and no connection is accepted for MS (3000)"),
        ("stall[:MS]", "the camera does not reply for MS (forever)"),
        ("busy[:TIMES]", "the camera replies DeviceBusy to TIMES requests (1)"),
        ("general-error[:TIMES]", "the camera replies GeneralError to TIMES requests (1)"),
        ("access-denied[:TIMES]", "the camera replies AccessDenied to TIMES requests (1)"),
        ("response:CODE", "the camera replies CODE, for example 0x2009"),
        ("garbage", "the camera sends invalid bytes on the command channel"),
        ("extra-data[:BYTES]", "the camera sends BYTES more than announced (4096)"),
        ("bit-flip[:OFFSET]", "the link flips one bit at OFFSET (the middle of the object)"),
        (
            "bit-flips[:PERCENT]",
            "the link flips a random bit in PERCENT of the reads (5); use this fault with *always"
        ),
        ("zero-read", "a read of an object returns 0 bytes"),
        ("info-short[:BYTES]", "ObjectInfo ends after BYTES (20)"),
        ("folder-nameless", "ObjectInfo of a folder contains no texts"),
        ("size-small[:BYTES]", "the announced size is BYTES too small (1000000)"),
        ("size-big[:BYTES]", "the announced size is BYTES too large (1000000)"),
        ("truncated[:BYTES]", "the photo on the card has only BYTES (half of its size)"),
        ("empty", "the photo on the card has 0 bytes"),
        ("name:TEXT", "the photo has the name TEXT; the escapes \\n, \\\\ and \\uXXXX are allowed"),
        ("date:TEXT", "the camera reports TEXT as the photo's date, for example 20260231T101010 (no date)"),
        ("no-thumbnail", "the photo has no thumbnail"),
        ("store-full", "a release takes no photo, because the card reports that it is full"),
        ("lost-event", "the event of a photo is not sent"),
        ("doubled-event", "the event of a photo is sent twice"),
        ("ghost-event[:HANDLE]", "the camera sends an event for an object that does not exist"),
        ("event-close", "the event connection is closed"),
        ("event-zero-length", "the camera sends an event packet with length 0"),
        ("event-huge-length", "the camera sends an event packet with length 2.1 GB"),
        ("event-garbage", "the camera sends invalid bytes on the event channel"),
        ("event-short", "the camera sends a truncated event packet"),
    ]

    /// Parses `NAME[:ARG][*TIMES][@shot N | @op N | @op 0xCODE]`. With `*always`, the fault never ends.
    ///
    /// - Throws: ``SimulatorError/usage(_:)`` with a message for the terminal.
    public init(spelling: String) throws(SimulatorError) {
        var text = spelling[...]
        trigger = .next
        if let at = text.lastIndex(of: "@"), let found = Self.trigger(text[text.index(after: at)...]) {
            trigger = found
            text = text[..<at]
            while text.last == " " { text.removeLast() }
        }
        times = 1
        let isName = text.hasPrefix("name:")
        if !isName, let star = text.lastIndex(of: "*") {
            let count = text[text.index(after: star)...]
            times = count == "always" ? nil : Int(count)
            guard count == "always" || (times ?? 0) > 0 else {
                throw .usage("cannot repeat a fault '\(count)' times")
            }
            text = text[..<star]
        }
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(
            String.init)
        let name = parts.first ?? ""
        let argument = parts.count > 1 ? parts[1] : nil
        if ["busy", "general-error", "access-denied"].contains(name), let argument {
            guard let count = Int(argument), count > 0 else {
                throw .usage("cannot repeat \(name) '\(argument)' times")
            }
            times = count
        }
        kind = try Self.kind(name, argument)
    }

    private static func trigger(_ text: Substring) -> Trigger? {
        let words = text.split(whereSeparator: { " =".contains($0) })
        guard words.count == 2 else { return nil }
        switch words[0] {
        case "shot": return Int(words[1]).map(Trigger.shot)
        case "op":
            if words[1].hasPrefix("0x") {
                return UInt16(words[1].dropFirst(2), radix: 16).map(Trigger.operation)
            }
            return Int(words[1]).map(Trigger.request)
        default: return nil
        }
    }

    private static func kind(_ name: String, _ argument: String?) throws(SimulatorError) -> Kind {
        func number() throws(SimulatorError) -> Int? {
            guard let argument else { return nil }
            let value =
                argument.hasPrefix("0x") ? Int(argument.dropFirst(2), radix: 16) : ByteCount(argument)?.bytes
            guard let value, value >= 0 else { throw .usage("cannot read '\(argument)' as a number") }
            return value
        }
        switch name {
        case "drop": return .drop(afterBytes: try number())
        case "reset": return .reset(afterBytes: try number())
        case "link-down": return .linkDown(milliseconds: try number() ?? 3000)
        case "stall": return .stall(milliseconds: try number())
        case "busy": return .response(.deviceBusy)
        case "general-error": return .response(.generalError)
        case "access-denied": return .response(.accessDenied)
        case "response": return .response(PTPResponse(rawValue: UInt16(clamping: try number() ?? 0x2002)))
        case "garbage": return .garbage
        case "extra-data": return .extraData(bytes: try number() ?? 4096)
        case "bit-flip": return .bitFlip(at: try number())
        case "bit-flips": return .bitFlips(percent: min(try number() ?? 5, 100))
        case "zero-read": return .zeroRead
        case "folder-nameless": return .namelessFolder
        case "info-short": return .shortInfo(bytes: try number() ?? 20)
        case "size-small": return .sizeSmall(bytes: try number() ?? 1_000_000)
        case "size-big": return .sizeBig(bytes: try number() ?? 1_000_000)
        case "truncated": return .truncated(bytes: try number())
        case "empty": return .empty
        case "name": return .name(CameraText(escaped: argument ?? ""))
        case "date": return .date(CameraText(escaped: argument ?? ""))
        case "no-thumbnail": return .noThumbnail
        case "store-full": return .storeFull
        case "lost-event": return .lostEvent
        case "doubled-event": return .doubledEvent
        case "ghost-event": return .ghostEvent(handle: UInt32(clamping: try number() ?? 0x7FFF_FF00))
        case "event-close": return .eventClose
        case "event-zero-length": return .eventZeroLength
        case "event-huge-length": return .eventHugeLength
        case "event-garbage": return .eventGarbage
        case "event-short": return .eventShort
        default: throw .usage("cannot find a fault named '\(name)'; --help lists them")
        }
    }
}
