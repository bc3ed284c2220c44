/// A pulse on the wire. It comes from each worker every other second and says nothing as a rule, so it is no JSON: with a
/// hundred cameras, writing and reading that was most of what they cost at rest.
///
/// The mark, then how long the call has run, how long its link has been silent (`-` when it had no packet yet), and the
/// call's name up to the end (nothing between calls): `p1200 40 list files`, `p0 - `.
extension WorkerPulse {
    /// First byte of a pulse's body. No JSON of an event begins with it.
    static let mark = UInt8(ascii: "p")

    /// The body of its frame.
    var body: [UInt8] {
        [Self.mark] + Array("\(runningMs) \(silentMs.map(String.init) ?? "-") \(call ?? "")".utf8)
    }

    /// Reads a body; `nil` when it is none of a pulse.
    init?(body: some Collection<UInt8>) {
        guard body.first == Self.mark,
            let words = String(validating: body.dropFirst(), as: UTF8.self)?
                .split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false),
            words.count == 3, let runningMs = Int(words[0])
        else { return nil }
        let silentMs = Int(words[1])
        guard silentMs != nil || words[1] == "-" else { return nil }
        self.init(
            call: words[2].isEmpty ? nil : String(words[2]), runningMs: runningMs, silentMs: silentMs)
    }
}
