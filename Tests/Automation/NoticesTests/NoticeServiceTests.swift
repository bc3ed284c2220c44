import ChildProcesses
import Foundation
import FrameFastModel
import Logging
import Store
import Synchronization
import TestRig
import Testing
import UploadDestinations
import UploadEngine

@testable import Notices

/// Notices with the real ledger and real servers on the loopback.
@Suite(.timeLimit(.minutes(5))) struct NoticeServiceTests {
    private static let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    private static let away = condition("nas")

    private let folder: ScratchFolder
    private let ledger: LedgerStore

    init() throws {
        folder = try ScratchFolder()
        ledger = try LedgerStore(path: folder.path("ledger.sqlite"))
    }

    private static func condition(_ name: DestinationName) -> Condition {
        Condition(
            .destinationAway, since: Date(timeIntervalSince1970: 1_795_271_130), subject: .destination(name),
            sentence: "The destination \(name) is away.", nextStep: "Check the cable.")
    }

    private func surroundings(_ environment: [String: String] = [:]) -> NoticeSurroundings {
        let ledger = ledger
        return NoticeSurroundings(
            host: "booth", environment: environment, name: { $0.subject?.text },
            load: { try await ledger.noticeEntries(of: $0) },
            keep: { try await ledger.keep($0, removing: $1) },
            secret: { try String(contentsOfFile: $0, encoding: .utf8) },
            post: { post in
                do throws(UploadFailure) {
                    let answer = try await WebPost.send(
                        to: post.url, headers: post.headers.map { HTTPHeader($0.name, $0.value) },
                        body: post.body, caFile: post.caFile)
                    return .answered(status: answer.status, text: answer.text)
                } catch { return .failed(error.sentence, nextStep: error.nextStep) }
            })
    }

    private func service(
        _ notices: [Notice], startGrace: Duration = .seconds(60),
        onFailure: @escaping @Sendable (NoticeName, Condition?) -> Void = { _, _ in }
    ) -> NoticeService {
        NoticeService(
            notices: notices, surroundings: surroundings(), logger: Self.logger,
            waits: Backoff(first: .milliseconds(20), maximum: .milliseconds(100)), startGrace: startGrace,
            onFailure: onFailure)
    }

    private func webhook(_ name: NoticeName, _ server: WebhookServer) -> Notice {
        Notice(name: name, channel: .webhook(NoticeAddress(url: server.url)))
    }

    private func stages(_ name: NoticeName) async throws -> [NoticeEntry.Stage] {
        try await ledger.noticeEntries(of: name).map(\.stage)
    }

    @Test func `a server that fails is asked again until it takes the message, once`() async throws {
        let server = try await WebhookServer(folder, .fails)
        let news = Mutex<[Condition?]>([])
        let service = service([webhook("hook", server)]) { _, condition in
            news.withLock { $0.append(condition) }
        }
        let running = Task { try await service.run() }
        service.offer([Self.away])
        try await eventually("two tries") { server.posts.count >= 2 ? () : nil }
        #expect(try await stages("hook") == [.begun])
        let condition = try #require(news.withLock { $0.compactMap(\.self).first })
        #expect(condition.kind == .noticeUndelivered && condition.subject == .notice("hook"))
        #expect(condition.sentence.contains("503") && !condition.sentence.contains("/notices"))
        try server.answer(.takes)
        try await eventually("it to be told") { try await stages("hook") == [.told] ? () : nil }
        #expect(news.withLock { $0.last } == .some(nil))
        service.offer([])
        try await eventually("its end to be told") { try await stages("hook").isEmpty ? () : nil }
        running.cancel()
        try await running.value
        let taken = server.posts.filter { $0.body.contains("\"event\":\"begun\"") }
        #expect(taken.count >= 3)
        #expect(server.posts.last?.body.contains("\"event\":\"ended\"") == true)
        #expect(server.posts.count == taken.count + 1)
    }

    @Test func `one that hangs delays no other, and what came meanwhile is one message`() async throws {
        let (stuck, quick) = (try await WebhookServer(folder, .hangs), try await WebhookServer(folder))
        let service = service([webhook("stuck", stuck), webhook("quick", quick)])
        let running = Task { try await service.run() }
        service.offer([Self.away])
        try await eventually("the one to hang") { stuck.posts.count == 1 ? () : nil }
        let others: [DestinationName] = ["a", "b", "c"]
        // Offering never waits, however often.
        for _ in 0..<10_000 { service.offer([Self.away] + others.map(Self.condition)) }
        try await eventually("the other to be told of all") {
            try await stages("quick") == [.told, .told, .told, .told] ? () : nil
        }
        #expect(stuck.posts.count == 1)
        try stuck.answer(.takes)
        // The hanging connection broke: all four are told together.
        try await eventually("it to be told") {
            try await stages("stuck") == [.told, .told, .told, .told] ? () : nil
        }
        running.cancel()
        try await running.value
        let last = try #require(stuck.posts.last)
        #expect(others.allSatisfy { last.body.contains("The destination \($0) is away.") })
    }

    @Test func `what was told before the service ended is not told again, and its end is`() async throws {
        let server = try await WebhookServer(folder)
        let first = service([webhook("hook", server)])
        var running = Task { try await first.run() }
        first.offer([Self.away, Self.condition("cloud")])
        try await eventually("it to be told") { try await stages("hook") == [.told, .told] ? () : nil }
        running.cancel()
        try await running.value
        let told = server.posts.count
        // One of them ended meanwhile.
        let second = service([webhook("hook", server)], startGrace: .milliseconds(50))
        running = Task { try await second.run() }
        second.offer([Self.away])
        try await eventually("the end to be told") { try await stages("hook") == [.told] ? () : nil }
        running.cancel()
        try await running.value
        #expect(server.posts.count == told + 1)
        let last = try #require(server.posts.last)
        #expect(last.body.contains("\"event\":\"ended\"") && last.body.contains("\"subject\":\"cloud\""))
    }

    @Test func `another address takes up where the one before stopped`() async throws {
        let (stuck, server) = (try await WebhookServer(folder, .fails), try await WebhookServer(folder))
        let service = service([webhook("hook", stuck)])
        let running = Task { try await service.run() }
        service.offer([Self.away])
        try await eventually("a try") { stuck.posts.isEmpty ? nil : () }
        service.use([webhook("hook", server)])
        try await eventually("it to be told there") { try await stages("hook") == [.told] ? () : nil }
        #expect(server.posts.count == 1)
        service.use([])
        #expect(service.standings.isEmpty)
        running.cancel()
        try await running.value
    }

    @Test func `a mail goes through the program that is named, with its text as it is`() async throws {
        let script = try Script(#"echo "$*" > "${0%/*}/arguments"; cat > "${0%/*}/mail""#)
        defer { script.remove() }
        let mail = NoticeMail(to: ["a@example.org"], from: "b@example.org", sendmail: script.file.path)
        let service = service([Notice(name: "mail", channel: .mail(mail))])
        guard case .taken = await service.test("mail") else {
            _ = Issue.record("the mail was not taken")
            return
        }
        #expect(try script.text("arguments") == "-t -i\n")
        let text = try script.text("mail")
        #expect(
            text.contains("To: a@example.org\n") && text.contains("Subject: booth: test from FrameFast\n"))
    }

    @Test(arguments: [
        ("/nowhere/sendmail", "is not there"), ("/bin/false", "did not take the mail: exit code 1"),
    ])
    func `a mail that cannot be sent says why`(program: String, words: String) async throws {
        let mail = NoticeMail(to: ["a@example.org"], from: "b@example.org", sendmail: program)
        let answer = await service([Notice(name: "mail", channel: .mail(mail))]).test("mail")
        guard case .undelivered(let sentence, _) = answer else {
            _ = Issue.record("\(String(describing: answer))")
            return
        }
        #expect(sentence.contains(words))
    }

    @Test func `without a session bus a notice on the desktop says so`() async throws {
        let answer = await service([Notice(name: "desk", channel: .desktop)]).test("desk")
        #expect(answer == .undelivered(SessionBus.missing, nextStep: SessionBus.nextStep))
        #expect(SessionBus.fault(["XDG_RUNTIME_DIR": folder.path("")]) != nil)
        #expect(SessionBus.fault(["DBUS_SESSION_BUS_ADDRESS": "unix:path=/x"]) == nil)
        #expect(await service([]).test("desk") == nil)
    }

    @Test(.enabled(if: PrivateBus.obstacle == nil, "needs dbus-daemon, busctl and python3-gi"))
    func `a notice on the desktop is a bubble, and no name is markup in it`() async throws {
        let session = try await DesktopSession(folder)
        let message = NoticeMessage(
            notice: "desk", host: "booth",
            entries: [
                NoticeEntry(
                    notice: "desk",
                    condition: Condition(
                        .diskFull, since: Date(), sentence: "The disk <b>& more</b> {file} is full.",
                        nextStep: "Free some space."))
            ])
        let sender = NoticeSender(surroundings: surroundings(session.environment))
        let answer = await sender.send(message, Notice(name: "desk", channel: .desktop))
        #expect(answer == .taken("The notification service of the desktop took it"))
        let bubble = try #require(session.bubbles.first)
        #expect(bubble.summary == "booth: disk full" && bubble.urgency == 2)
        #expect(bubble.body == "The disk &lt;b&gt;&amp; more&lt;/b&gt; {file} is full. Free some space.")
    }
}
