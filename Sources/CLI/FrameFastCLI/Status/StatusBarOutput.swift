import APIClient
import FrameFastAPI
import TerminalUI

/// Prints status lines for bars: one, or one a change.
struct StatusBarOutput {
    let encoder: StatusBarEncoder
    let template: StatusTemplate?

    /// The line of a status.
    func view(_ status: StatusReply) -> StatusBarView {
        customised(StatusLine.view(status), StatusSummaryReply(status))
    }

    /// The line of a daemon that is away.
    func view(_ reason: ClientError) -> StatusBarView {
        customised(StatusLine.offline(reason.explanation), nil)
    }

    private func customised(_ view: StatusBarView, _ status: StatusSummaryReply?) -> StatusBarView {
        var view = view
        view.custom = template.map { $0.text(view, status, hasUnicode: encoder.hasUnicode) }
        return view
    }

    /// One line, in one round trip. A daemon that is away is a line, too: a bar hides what fails.
    func once(_ client: FrameFastClient, _ print: (String) -> Void) {
        let view: StatusBarView
        do throws(ClientError) { view = try asked(client) } catch { view = self.view(error) }
        encoder.lines(view).forEach(print)
    }

    /// Asks for no more than the bar shows: with a hundred cameras the whole status is a thousand times as long as a line.
    private func asked(_ client: FrameFastClient) throws(ClientError) -> StatusBarView {
        if encoder.format.showsDetails { return view(try client.call(\.service.status).value) }
        let summary = try client.call(\.service.summary).value
        return customised(StatusLine.view(summary), summary)
    }

    /// The line without events. A daemon that refuses only the stream answers a question, for example when too many
    /// followers are open.
    private func line(_ reason: ClientError, _ client: FrameFastClient) -> StatusBarView {
        guard case .refused = reason else { return view(reason) }
        do throws(ClientError) { return try asked(client) } catch { return view(error) }
    }

    /// A line whenever it changes, until its reader is gone.
    func follow(_ context: Context) {
        ReaderWatch.start()
        encoder.opening.forEach(context.output.line)
        var status: StatusReply?
        var shown: [String] = []
        EventFollow.run(context.client) { heard in
            let view: StatusBarView
            switch heard {
            case .away(let reason):
                status = nil
                view = line(reason, context.client)
            case .event(let event):
                if case .snapshot(let first) = event.body { status = first }
                status?.apply(event.body)
                guard let status else { return true }
                view = self.view(status)
            }
            let lines = encoder.lines(view)
            if lines != shown { lines.forEach(context.output.line) }
            shown = lines
            return true
        }
    }
}
