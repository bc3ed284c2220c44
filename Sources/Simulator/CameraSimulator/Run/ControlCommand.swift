/// A command of the control socket, one per line.
enum ControlCommand: Hashable, Sendable {
    case shoot(Int)
    case shootPair
    case burst(Int, intervalMs: Int)
    case fault(Fault)
    case clearFaults
    case link(isDown: Bool)
    case mode(USBMode)
    case silence(Bool)
    case battery(Int)
    case clockOffset(Int)
    case number(Int)
    case rating(Int)
    case pictures(RealPhotoOptions?)
    case name(CameraText)
    case protect(String)
    case delete(String)
    case protectNew(Bool)
    case target(String)
    case format
    case body(BodyControl)
    case list
    case truth
    case operations
    case stats
    case help
    case quit

    /// The description of the commands, for `help` and `--help`.
    static let usage = """
        shoot [N]           press the shutter (N times)
        shoot-pair          take a raw file and a JPEG
        burst N MS          take N photos, one every MS milliseconds
        fault SPEC          set a fault (see framefast-simcam --help)
        clear-faults        remove the faults that have not occurred yet
        link down|up        disconnect or reconnect the network
        unplug              unplug the cable (or disconnect the network)
        plug                plug the cable in again
        mode MODE           change the camera's USB menu: ptp, mtp, storage or charging
        silence on|off      keep connections open without replies
        battery PERCENT     set the battery level
        clock-offset S      set the camera's clock S seconds ahead of the host's
        number N            set the number of the next photo
        rating STARS        set the rating of new photos, 0 to 5
        pictures WORDS      set the content of new photos: padded, or real,WORD,... (see --help)
        name TEXT           set the name of the next photo; the escapes \\n, \\\\ and \\uXXXX are allowed
        protect NAME        protect a photo on the card
        delete NAME         delete a photo on the card with the body's buttons
        protect-new on|off  protect new photos
        target WHERE        set the destination of photos in the camera's menu: card, host or card+host
        format              format the card without an event; names and handles restart
        list                one line of JSON for each object on the card
        truth               one line of JSON with SHA-256 for each file on the card
        log ops             one line of JSON for each operation since the last call, with monotonic time, data
                            and response
        stats               one line of JSON: sessions, shots, time of the last shot, fetched, deleted, requests
        """ + "\n" + BodyControl.usage + "\nquit                exit the simulator"

    init(_ line: String) throws(SimulatorError) {
        let words = line.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: true).map(String.init)
        let verb = words.first ?? ""
        let rest = words.count > 1 ? words[1] : ""
        func number(_ text: String) throws(SimulatorError) -> Int {
            guard let value = Int(text) else { throw .usage("cannot read '\(text)' as a number") }
            return value
        }
        func choice(_ yes: String, _ no: String) throws(SimulatorError) -> Bool {
            guard rest == yes || rest == no else {
                throw .usage("cannot set \(verb) to '\(rest)': use \(yes) or \(no)")
            }
            return rest == yes
        }
        switch verb {
        case "shoot": self = .shoot(rest.isEmpty ? 1 : try number(rest))
        case "shoot-pair": self = .shootPair
        case "burst":
            let parts = rest.split(separator: " ").map(String.init)
            guard parts.count == 2 else { throw .usage("cannot take a burst of '\(rest)': use burst N MS") }
            self = .burst(try number(parts[0]), intervalMs: try number(parts[1]))
        case "fault": self = .fault(try Fault(spelling: rest))
        case "clear-faults": self = .clearFaults
        case "link": self = .link(isDown: try choice("down", "up"))
        case "unplug": self = .link(isDown: true)
        case "plug": self = .link(isDown: false)
        case "mode":
            guard let mode = USBMode(rawValue: rest) else {
                throw .usage("cannot set the mode '\(rest)': use ptp, mtp, storage or charging")
            }
            self = .mode(mode)
        case "silence": self = .silence(try choice("on", "off"))
        case "battery": self = .battery(try number(rest))
        case "clock-offset": self = .clockOffset(try number(rest))
        case "number": self = .number(try number(rest))
        case "rating":
            guard (0...5).contains(try number(rest)) else {
                throw .usage("cannot set the rating to '\(rest)': use 0 to 5")
            }
            self = .rating(try number(rest))
        case "pictures": self = .pictures(try RealPhotoOptions.options(from: rest))
        case "name": self = .name(CameraText(escaped: rest))
        case "protect": self = .protect(rest)
        case "delete": self = .delete(rest)
        case "protect-new": self = .protectNew(try choice("on", "off"))
        case "target": self = .target(rest)
        case "format": self = .format
        case "list": self = .list
        case "truth": self = .truth
        case "log" where rest == "ops": self = .operations
        case "stats": self = .stats
        case "help": self = .help
        case "quit": self = .quit
        default:
            if let control = try BodyControl(verb: verb, rest) {
                self = .body(control)
                return
            }
            throw .usage("cannot find a command named '\(verb)': 'help' lists them")
        }
    }
}
