import APIServer
import Cameras
import FrameFastModel
import FrameFastSystem
import Testing
import WebServer

@testable import FrameFastDaemon

/// Tests of the condition for a web page that is not served.
@Suite struct WebConditionTests {
    private static let site = WebSite(url: "https://192.168.1.20:9480")

    @Test func `clears the condition of the web page when it is served`() {
        let board = ConditionBoard(clock: .system) { _ in }
        board.record(.failed("cannot listen on 192.168.1.20:9480"))
        let condition = board.current.first { $0.kind == .webNotServed }
        #expect(condition?.sentence.contains("cannot listen on 192.168.1.20:9480") == true)
        #expect(condition?.nextStep.hasPrefix("Correct listen, cert_file and key_file in [web]") == true)
        board.record(.listening(Self.site, problem: nil))
        #expect(!board.current.contains { $0.kind == .webNotServed })
    }

    @Test func `raises the condition for a certificate that can't be renewed`() {
        let board = ConditionBoard(clock: .system) { _ in }
        board.record(.listening(Self.site, problem: "cannot read /etc/framefast/web.pem"))
        #expect(board.current.contains { $0.kind == .webNotServed })
    }
}
