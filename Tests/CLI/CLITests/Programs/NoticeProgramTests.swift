import APIServer
import Foundation
import FrameFastAPI
import SurfaceTestSupport
import Testing

/// The verbs about notices: the built program against a real socket.
@Suite struct NoticeProgramTests {
    private static let phone = NoticeReply(
        name: "phone", kind: .ntfy, waiting: 2, failure: "ntfy.sh answered with status 403")
    private static let desk = NoticeReply(name: "desk", kind: .desktop)

    private static func surface(_ notices: [NoticeReply]) -> ScriptedControlSurface {
        ScriptedControlSurface { table in
            table.on(\.notices.list) { () throws(ControlError) in NoticesReply(notices: notices) }
            table.on(\.notices.test) { name throws(ControlError) in
                NoticeTestReply(
                    notice: name, ok: name == "desk", sentence: "It answered.",
                    nextStep: name == "desk" ? nil : "Check the token.", tookMs: 7)
            }
        }
    }

    @Test(arguments: [
        (["notice"], 0, "notice phone: ntfy, 2 waiting"),
        (["notice", "list"], 0, "notice desk: desktop, 0 waiting"),
        (["notice", "test", "desk"], 0, "notice desk: works"),
        (["notice", "test", "phone"], 1, "next step: Check the token."),
        (["notice", "test"], 1, "notice phone: failed"),
    ])
    func `every verb works, and prints JSON when asked`(verb: [String], status: Int, line: String)
        async throws
    {
        try await RunningServer.run(surface: Self.surface([Self.phone, Self.desk])) { server in
            let json = try await ProgramRun.of(verb + ["--socket", server.socketPath, "--json"])
            #expect(json.status == status, "\(json.errors)")
            #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(json.output.utf8)) }
            let plain = try await ProgramRun.of(verb + ["--socket", server.socketPath, "--plain"])
            #expect(plain.status == status && plain.output.contains(line), "\(plain.output)")
            let human = try await ProgramRun.of(verb + ["--socket", server.socketPath])
            #expect(human.status == status && !human.output.isEmpty)
        }
    }

    @Test func `without notices it says how to have one`() async throws {
        try await RunningServer.run(surface: Self.surface([])) { server in
            for verb in [["notice"], ["notice", "test"]] {
                let human = try await ProgramRun.of(verb + ["--socket", server.socketPath])
                #expect(human.status == 0 && human.output.contains("[[notice]]"))
            }
        }
    }
}
