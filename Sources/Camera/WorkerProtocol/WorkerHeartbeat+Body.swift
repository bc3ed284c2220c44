/// The wire format of a heartbeat: a short text instead of JSON. Each worker sends a heartbeat every second
/// during a call, and every two seconds while idle. With a hundred idle cameras, encoding and decoding
/// heartbeats as JSON used most of the CPU time.
///
/// The text consists of the mark byte, the duration of the running call, the time since the call's last
/// packet, and the call's name. Both times are in milliseconds. The second time is `-` if the call had no
/// packet. The name is empty if no call is running. Examples: `p1200 40 list files`, `p0 - `.
extension WorkerHeartbeat {
    /// The first byte of a heartbeat's body. JSON events start with a different byte.
    static let mark = UInt8(ascii: "p")

    /// The body of the wire message.
    var body: [UInt8] {
        [Self.mark] + Array("\(runningMs) \(silentMs.map(String.init) ?? "-") \(call ?? "")".utf8)
    }

    /// Decodes a body. Returns `nil` if the body is not a heartbeat.
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
