import Foundation
import FrameFastModel
import Notices
import SurfaceTestSupport
import Testing

@testable import FrameFastConfiguration
@testable import FrameFastDaemon

@Suite struct NoticeConfigurationTests {
    /// What is configured, or what is wrong as `line: message`.
    private func load(_ text: String) async throws -> (notices: [Configuration.Notice], errors: [String]) {
        try await TemporaryDirectory.with { directory in
            let file = directory + "/framefast.toml"
            try Data(text.utf8).write(to: URL(fileURLWithPath: file))
            do {
                let flags = ConfigurationFlags(configFile: file)
                return (try Configuration.load(flags: flags, environment: [:], isRoot: true).notices, [])
            } catch let errors as ConfigurationErrors {
                return ([], errors.errors.map { ($0.line.map { "\($0): " } ?? "") + $0.message })
            }
        }
    }

    @Test func `a notice of each kind has what its table says, and what is usual`() async throws {
        let (tables, errors) = try await load(
            """
            [[notice]]
            name = "desk"
            kind = "desktop"
            [[notice]]
            name = "hook"
            kind = "webhook"
            url = "https://hooks.example/x"
            secret_file = "credential:hook"
            severity = "danger"
            delay = "1 min"
            [[notice]]
            name = "phone"
            kind = "ntfy"
            url = "https://ntfy.sh/topic"
            token_file = "/etc/token"
            quiet = "22:00-07:00"
            time_zone = "Asia/Tokyo"
            conditions = ["disk-full"]
            [[notice]]
            name = "mail"
            kind = "mail"
            to = ["a@example.org"]
            from = "b@example.org"
            """)
        #expect(errors == [])
        let notices = tables.map(Notice.init)
        try #require(notices.count == 4)
        #expect(notices[0] == Notice(name: "desk", channel: .desktop, delay: .seconds(5)))
        #expect(
            notices[1]
                == Notice(
                    name: "hook",
                    channel: .webhook(
                        NoticeAddress(url: "https://hooks.example/x", secretFile: "credential:hook")),
                    severity: .danger, delay: .seconds(60)))
        #expect(
            notices[2]
                == Notice(
                    name: "phone",
                    channel: .ntfy(NoticeAddress(url: "https://ntfy.sh/topic", secretFile: "/etc/token")),
                    conditions: [.diskFull], delay: .seconds(5),
                    quiet: UploadSchedule.Window("22:00-07:00"),
                    zone: try #require(TimeZone(identifier: "Asia/Tokyo"))))
        #expect(
            notices[3]
                == Notice(
                    name: "mail",
                    channel: .mail(
                        NoticeMail(
                            to: ["a@example.org"], from: "b@example.org", sendmail: "/usr/sbin/sendmail")),
                    delay: .seconds(5)))
    }

    @Test(arguments: [
        (["kind = \"sms\""], "3: 'notice.kind' cannot be \"sms\""),
        (["kind = \"webhook\""], "3: a notice of kind 'webhook' needs 'url'"),
        (["kind = \"mail\""], "3: a notice of kind 'mail' needs 'to' and 'from'"),
        (
            ["kind = \"desktop\"", "url = \"http://a/b\""],
            "4: 'url' means nothing to a notice of kind 'desktop'"
        ),
        (
            ["kind = \"ntfy\"", "url = \"ntfy.sh/x\""],
            "4: 'notice.url': \"ntfy.sh/x\" is no http or https address"
        ),
        (
            ["kind = \"mail\"", "to = [\"a@b\\nBcc: c@d\"]", "from = \"a@b\""],
            "4: 'notice.to': \"a@b\nBcc: c@d\" is no mail address"
        ),
        (["kind = \"mail\"", "to = []", "from = \"a@b\""], "4: 'notice.to' names nobody"),
        (
            ["kind = \"desktop\"", "quiet = \"at night\""],
            "4: 'notice.quiet': \"at night\" is not a time of day"
        ),
        (["kind = \"desktop\"", "time_zone = \"Europe/Berlim\""], "did you mean 'Europe/Berlin'"),
        (["kind = \"desktop\"", "severity = \"bad\""], "4: 'notice.severity' cannot be \"bad\""),
        (
            ["kind = \"desktop\"", "conditions = [\"disk-ful\"]"],
            "there is no condition 'disk-ful' (did you mean 'disk-full'?)"
        ),
        (
            ["kind = \"webhook\"", "url = \"http://a/b\"", "secret_file = \"secret\""],
            "5: 'notice.secret_file': is neither an absolute path nor \"credential:NAME\""
        ),
    ])
    func `what is wrong gets a sentence`(lines: [String], expected: String) async throws {
        let (_, errors) = try await load((["[[notice]]", "name = \"n\""] + lines).joined(separator: "\n"))
        #expect(errors.count == 1 && errors.first?.contains(expected) == true, "\(errors)")
    }

    @Test func `two notices of one name, and one without a kind, get a sentence each`() async throws {
        let (_, errors) = try await load(
            """
            [[notice]]
            name = "a"
            kind = "desktop"
            [[notice]]
            name = "a"
            kind = "desktop"
            [[notice]]
            name = "b"
            """)
        #expect(errors == ["5: notice name 'a' is taken by another notice", "7: a notice needs 'kind'"])
    }

    @Test func `the start says what no file says: no session bus, no secret, no sendmail`() throws {
        func faults(_ channel: NoticeChannel) -> [String] {
            Notice(name: "n", channel: channel).startFaults(environment: [:]).map { "\($0)" }
        }
        #expect(faults(.desktop).first?.contains("There is no session bus") == true)
        #expect(
            faults(.webhook(NoticeAddress(url: "http://a/b", secretFile: "/nowhere/secret"))).first?
                .hasPrefix("cannot read the secret '/nowhere/secret'") == true)
        #expect(
            faults(.mail(NoticeMail(to: ["a@b"], from: "a@b", sendmail: "/nowhere/sendmail")))
                == ["program /nowhere/sendmail is not there"])
        #expect(faults(.ntfy(NoticeAddress(url: "http://a/b"))).isEmpty)
    }
}
