/// A control command that changes or reads the state of a camera body.
enum BodyControl: Hashable, Sendable {
    /// Turns the body's dials or changes menu settings, in this order.
    case dials([Dial])
    case busy(milliseconds: Int)
    case autofocus(Autofocus)
    case hot(Bool)
    case badFrame(FrameFault)
    /// Limits the aperture to an f-number, times 100, or removes the limit if `nil`.
    case lensLimit(UInt16?)
    /// Forces the response to each change of the property with this code. `nil` ends the fault.
    case forceResponse(code: UInt16, PTPResponse?)
    case controls
    case bulbState
    case frames
    case locked

    /// A dial and its new setting as text. Each maker has its own codes for the setting.
    struct Dial: Hashable, Sendable {
        var name: String
        var word: String

        /// Parses the setting with `parser`.
        ///
        /// - Throws: ``SimulatorError/usage(_:)`` if the body does not have the dial or the setting.
        func parse<Setting>(with parser: (String, String) -> Setting?) throws(SimulatorError) -> Setting {
            guard let setting = parser(name, word) else {
                throw .usage("cannot turn '\(name)=\(word)': 'help' lists the dials")
            }
            return setting
        }
    }

    /// The description of the commands, for `help` and `--help`.
    static let usage = """
        dial NAME=VALUE     turn the body's dials: mode=P|S|A|M|B|auto|movie, aperture=8, shutter=1/125, iso=400, ev=-1/3,
                            or a property and its number, d106=4; several settings are allowed
        busy MS             reply "busy" to settings and releases for MS
        af ok|fail|slow     set the result of autofocus: focus, no focus, or focus after 1.5 s
        hot on|off          make the body too hot for live view
        bad-frame FAULT     damage the next frame of an EOS's live view: cut, missing or endless
        lens-limit F|off    set the largest f-number of a Sony's lens; the list of apertures does not change
        refuse CODE ANSWER  reply to a change of this property with this PTP code, for example 2019; ok ignores
                            the change, and off ends the fault
        controls            one line of JSON: the settings of the body, a number for each property
        bulb-state          one line of JSON: whether the shutter is open, the monotonic times of opening and
                            closing, and the position of the client's button: up, half or full
        frames              one line of JSON: whether live view is on, and the served and refused frames
        locked              one line of JSON: whether the body's buttons are locked
        """

    /// Parses a command, or returns `nil` if the verb is not a body control.
    init?(verb: String, _ rest: String) throws(SimulatorError) {
        let words = rest.split(separator: " ").map(String.init)
        switch (verb, words.count) {
        case ("dial", 1...), ("set", 1...):
            var dials: [Dial] = []
            for word in words {
                let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
                guard parts.count == 2 else { throw .usage("cannot turn '\(word)': use NAME=VALUE") }
                dials.append(Dial(name: parts[0], word: parts[1]))
            }
            self = .dials(dials)
        case ("busy", 1):
            guard let time = Int(rest), (0...3_600_000).contains(time) else {
                throw .usage("cannot set the busy time to '\(rest)': use milliseconds, up to an hour")
            }
            self = .busy(milliseconds: time)
        case ("af", 1):
            guard let outcome = Autofocus(rawValue: rest) else {
                throw .usage("cannot set the autofocus result to '\(rest)': use ok, fail or slow")
            }
            self = .autofocus(outcome)
        case ("hot", 1):
            guard rest == "on" || rest == "off" else {
                throw .usage("cannot set hot to '\(rest)': use on or off")
            }
            self = .hot(rest == "on")
        case ("bad-frame", 1):
            guard let fault = FrameFault(rawValue: rest) else {
                throw .usage("cannot damage a frame with '\(rest)': use cut, missing or endless")
            }
            self = .badFrame(fault)
        case ("lens-limit", 1):
            let limit = DialText.number(rest).flatMap { UInt16(exactly: ($0 * 100).rounded()) }
            guard limit != nil || rest == "off" else {
                throw .usage("cannot limit the aperture to '\(rest)': use an f-number or off")
            }
            self = .lensLimit(limit)
        case ("refuse", 2):
            let response = words[1] == "ok" ? PTPResponse.ok.rawValue : UInt16(words[1], radix: 16)
            guard let code = UInt16(words[0], radix: 16), response != nil || words[1] == "off" else {
                throw .usage("cannot read '\(rest)' as a property and a response: use refuse d101 2019")
            }
            self = .forceResponse(code: code, response.map(PTPResponse.init))
        case ("controls", 0): self = .controls
        case ("bulb-state", 0): self = .bulbState
        case ("frames", 0): self = .frames
        case ("locked", 0): self = .locked
        default: return nil
        }
    }
}
