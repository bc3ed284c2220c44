import APIServer
import FrameFastAPI
import FrameFastModel
import Notices

/// Ways of telling a person: how they are, and whether one works.
struct NoticeHandler: EndpointHandler {
    let notices: NoticeService

    func attach(to table: inout EndpointTable) {
        table.on(\.notices.list, list)
        table.on(\.notices.test, test)
    }

    func list() async throws(ControlError) -> NoticesReply {
        NoticesReply(
            notices: notices.standings.map { standing in
                NoticeReply(
                    name: standing.notice.name, kind: .init(rawValue: standing.notice.channel.kind.rawValue),
                    waiting: standing.waiting, failure: standing.failure)
            })
    }

    func test(_ name: NoticeName) async throws(ControlError) -> NoticeTestReply {
        let start = ContinuousClock.now
        guard let answer = await notices.test(name) else {
            throw ControlError(
                .notFound, "there is no notice '\(name)'",
                nextStep: "See those of the configuration: framefast notice list")
        }
        let tookMs = Int(start.duration(to: .now) / .milliseconds(1))
        return switch answer {
        case .taken(let sentence):
            NoticeTestReply(notice: name, ok: true, sentence: sentence + ".", tookMs: tookMs)
        case .undelivered(let sentence, let nextStep):
            NoticeTestReply(
                notice: name, ok: false, sentence: sentence + ".", nextStep: nextStep, tookMs: tookMs)
        }
    }
}
