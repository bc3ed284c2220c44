import Foundation
import FrameFastModel
import TextForms
import WebPairing

@testable import APIClient
@testable import APIServer
@testable import Cameras
@testable import FrameFastAPI
@testable import FrameFastConfiguration

extension FuzzTarget {
    /// Reads a configuration file, and overlays its values on the defaults.
    static func configuration(_ bytes: [UInt8]) {
        // Like `ConfigurationFiles`, refuses input that is not UTF-8.
        guard let text = String(data: Data(bytes), encoding: .utf8) else { return }
        let read = ConfigurationLayer(toml: text, file: "framefast.toml")
        let lines = text.utf8.count { $0 == UInt8(ascii: "\n") } + 1
        for line in read.errors.compactMap(\.line) {
            precondition((1...lines).contains(line), "an error in line \(line) of \(lines)")
        }
        var layer = defaults
        layer.overlay(read)
        let configuration = try? Configuration(layer, files: []) { template in
            (try? NamingTemplate(template)) == nil ? "unusable" : nil
        }
        precondition(configuration == nil || read.errors.isEmpty, "a configuration with errors is accepted")
        _ = try? NetworkAddress(text)
    }

    private static let defaults = ConfigurationLayer.defaults()

    /// Reads a preset file. Settings must not change when they are read, written and read again.
    static func presets(_ bytes: [UInt8]) {
        // Decodes like `PresetStore`.
        let text = String(decoding: bytes, as: UTF8.self)
        guard let settings = try? PresetText.settings(in: text, file: "studio.toml") else { return }
        let written = PresetText.text(settings, head: ["Of studio-a."])
        let again = try? PresetText.settings(in: written, file: "studio.toml")
        precondition(again == settings, "\(settings) is written as \(written), which reads \(again ?? [:])")
    }

    /// Reads the input as a code and as a device's token. A service must accept only the code that it opened.
    static func pairing(_ bytes: [UInt8]) {
        let text = String(decoding: bytes, as: UTF8.self)
        if let code = PairingCode(text) {
            precondition(PairingCode(code.text) == code, "the text \(code.text) is another code")
        }
        if let token = DeviceToken(text) { precondition(token.text == text, "a token changed") }
        let open = PairingCode(randomBits: 0x12_3456_789A)
        var codes = PairingCodes()
        _ = codes.add(open, for: PairingGrant(role: .owner), at: 0)
        if case .accepted = codes.redeem(text, from: "fuzzer", at: 1) {
            precondition(PairingCode(text) == open, "accepted '\(text)'")
        }
    }

    /// Parses a response of the daemon as a whole and in chunks. The first byte of the input is the length of
    /// a chunk. Both results must be equal, except for the data before a fault.
    static func client(_ bytes: [UInt8]) {
        var input = FuzzInput(bytes)
        let piece = max(1, Int(input.byte()))
        let stream = input.all()
        let whole = Conversation(stream, piece: max(1, stream.count))
        let parts = Conversation(stream, piece: piece)
        // For a response with a fault, only the parse in chunks returns the data before the fault.
        precondition(
            whole.failure == nil ? parts == whole : parts.failure == whole.failure,
            "parsed in chunks: \(parts), as a whole: \(whole)")
        for event in whole.events { _ = try? WireCoder.decode(EventReply.self, from: Data(event.data.utf8)) }
        let body = Data(whole.body)
        _ = try? WireCoder.decode(StatusReply.self, from: body)
        _ = try? WireCoder.decode(ErrorReply.self, from: body)
    }

    /// The parsed parts of a response.
    private struct Conversation: Equatable {
        var head: ResponseParser.Head?
        var body: [UInt8] = []
        var events: [ServerSentEvent] = []
        var isComplete = false
        var failure: ResponseParser.Failure?

        init(_ stream: [UInt8], piece: Int) {
            var parser = ResponseParser()
            var eventParser = ServerSentEventParser()
            do throws(ResponseParser.Failure) {
                for start in stride(from: 0, to: stream.count, by: piece) {
                    for part in try parser.feed(stream[start..<min(start + piece, stream.count)]) {
                        switch part {
                        case .head(let head): self.head = head
                        case .body(let bytes):
                            body += bytes
                            events += (try? eventParser.feed(bytes)) ?? []
                        case .end: isComplete = true
                        }
                    }
                }
            } catch { failure = error }
            isComplete = parser.finish() && failure == nil
        }
    }

    /// Reads a request. The input has the method on the first line, the path with its query on the second
    /// line, and the body on the other lines.
    static func requests(_ bytes: [UInt8]) {
        let lines = bytes.split(separator: UInt8(ascii: "\n"), maxSplits: 2, omittingEmptySubsequences: false)
        let texts = lines.map { Array($0).asText }
        let target = (texts.count > 1 ? texts[1] : "").split(
            separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let path = target.first.map(String.init) ?? ""
        if case .found(let row, let parameter) = EndpointMatch(method: texts[0], path: path) {
            let ownPath = row.path(parameter ?? "")
            guard case .found(let again, let value) = EndpointMatch(method: texts[0], path: ownPath) else {
                preconditionFailure("the endpoint does not match its own path: \(path)")
            }
            precondition(again.name == row.name && value == parameter, "matches another endpoint: \(path)")
        }
        let query = target.count > 1 ? String(target[1]) : nil
        precondition(
            PercentCoding.decode(PercentCoding.encode(path)) == path,
            "the path changes when it is encoded: \(path)")
        let body = Data(lines.count > 2 ? Array(lines[2]) : [])
        func read<Input: WireRequest>(_ type: Input.Type) {
            _ = try? QueryReader.decode(type, from: query).checked()
            _ = try? WireCoder.decode(type, from: body).checked()
        }
        for row in Endpoints.rows where row.takesInput { read(row.inputType) }
    }
}
