import ChildProcesses
import FrameFastModel
import Glibc

/// Hands messages over, each by the way of its notice.
struct NoticeSender: Sendable {
    /// Longest try, in seconds: who does not answer until then is asked again later.
    static let timeoutSeconds = 20.0

    let surroundings: NoticeSurroundings

    /// Makes one try. Never throws: whoever is told gets a sentence.
    func send(_ message: NoticeMessage, _ notice: Notice) async -> NoticeAnswer {
        await withTaskGroup(of: NoticeAnswer?.self) { group in
            group.addTask { await self.hand(message, to: notice.channel) }
            group.addTask {
                try? await Task.sleep(for: .seconds(surroundings.timeoutSeconds))
                return nil
            }
            defer { group.cancelAll() }
            return (await group.next() ?? nil)
                ?? .undelivered(
                    "Nobody answered within \(Int(surroundings.timeoutSeconds)) seconds",
                    nextStep: "Check that the other side works.")
        }
    }

    private func hand(_ message: NoticeMessage, to channel: NoticeChannel) async -> NoticeAnswer {
        switch channel {
        case .desktop: return await desktop(message)
        case .mail(let mail): return await send(message, by: mail)
        case .webhook(let address):
            return await post(message, to: address) {
                try WebhookMessage(message).post(to: address, secret: $0)
            }
        case .ntfy(let address):
            return await post(message, to: address) { NtfyMessage(message).post(to: address, token: $0) }
        }
    }

    private func post(
        _ message: NoticeMessage, to address: NoticeAddress, _ make: (_ secret: String?) throws -> NoticePost
    ) async -> NoticeAnswer {
        let post: NoticePost
        do { post = try make(address.secretFile.map(surroundings.secret)) } catch {
            return .undelivered("\(error)", nextStep: "Correct the file, or its place in the configuration.")
        }
        switch await surroundings.post(post) {
        case .answered(let status, let text):
            let said = text.isEmpty ? "" : " (\(oneLine(text, max: 120)))"
            let sentence = "\(address.place) answered with status \(status)\(said)"
            return (200..<300).contains(status)
                ? .taken(sentence) : .undelivered(sentence, nextStep: Self.nextStep(status))
        case .failed(let sentence, let nextStep):
            return .undelivered(sentence, nextStep: nextStep ?? "Nothing to do: it is tried again.")
        }
    }

    private static func nextStep(_ status: Int) -> String {
        switch status {
        case 300..<400: "Enter the final address: redirections are not followed."
        case 401, 403: "Check the secret or token of the notice, and what it may do."
        case 404, 410: "Check the address of the notice."
        case 429: "Nothing to do: it is tried again later."
        default: "Check the log of the server; it is tried again."
        }
    }

    private func send(_ message: NoticeMessage, by mail: NoticeMail) async -> NoticeAnswer {
        let settings = mail.command(timeoutSeconds: surroundings.timeoutSeconds)
        if let fault = settings.faults.first {
            return .undelivered(
                "Mail cannot be sent: \(fault)",
                nextStep: "Install a sendmail, for example msmtp-mta, or name another in sendmail.")
        }
        let outcome = await CommandRun(
            settings: settings, facts: [:], input: Array(MailMessage(message).text(mail).utf8)
        ).run()
        guard outcome.end == .exited(0) else {
            return .undelivered(
                "\(mail.sendmail) did not take the mail: \(outcome.lastLine ?? "\(outcome.end)")",
                nextStep: "Try it by hand as the user of the service; its log says more.")
        }
        return .taken("\(mail.sendmail) took the mail for \(mail.to.joined(separator: ", "))")
    }

    private func desktop(_ message: NoticeMessage) async -> NoticeAnswer {
        guard let bus = surroundings.sessionBus() else {
            return .undelivered(
                SessionBus.missing, nextStep: SessionBus.nextStep)
        }
        let outcome = await CommandRun(
            settings: DesktopMessage(message).command(bus, timeoutSeconds: surroundings.timeoutSeconds),
            facts: [:]
        ).run()
        guard outcome.end == .exited(0) else {
            return .undelivered(
                "The desktop did not take it: \(outcome.lastLine ?? "\(outcome.end)")",
                nextStep: "Check that a notification service runs in this session.")
        }
        return .taken("The notification service of the desktop took it")
    }
}
