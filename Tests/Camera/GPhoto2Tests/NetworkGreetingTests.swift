import Testing

@testable import GPhoto2

@Suite struct NetworkGreetingTests {
    private static let failure = CameraError(
        kind: .refused, code: -1, operation: "open", text: "Unspecified error")

    private func link() -> ScriptedNetworkLink {
        var link = ScriptedNetworkLink()
        link.dialogue.greeting = .unanswered
        return link
    }

    @Test func `adds the reason of a refused greeting to the driver's error`() {
        var link = link()
        _ = link.receive(5, PacketWriter(.u32(2)).bytes)
        let error = link.dialogue.greeting.explaining(Self.failure, silentMs: 0)
        #expect(error.text == "Unspecified error (Init_Fail 2)")
    }

    @Test func `leaves an error after an accepted greeting unchanged`() {
        var link = link()
        _ = link.receive(2, [UInt8](repeating: 0, count: 22))
        #expect(link.dialogue.greeting.explaining(Self.failure, silentMs: 60_000) == Self.failure)
    }

    @Test(arguments: [(NetworkGreeting.silenceMs - 1, false), (NetworkGreeting.silenceMs, true)])
    func `reports a missing response after the driver's timeout`(silentMs: Int, isReported: Bool) {
        let error = link().dialogue.greeting.explaining(Self.failure, silentMs: silentMs)
        #expect(error.text.hasSuffix(" (no response to Init_Command_Request)") == isReported)
    }
}
