import APIClient
import FrameFastAPI
import TerminalUI

/// Prints the status line for a status bar, once or after each change.
struct StatusBarOutput {
    let encoder: StatusBarEncoder
    let template: StatusTemplate?

    /// Returns the line of a status.
    func view(_ status: StatusReply) -> StatusBarView {
        customised(StatusLine.view(status), StatusSummaryReply(status))
    }

    /// Returns the line for a daemon that is away.
    func view(_ reason: ClientError) -> StatusBarView {
        customised(StatusLine.offline(reason.explanation), nil)
    }

    /// Returns a view with the text of the template, if there is one.
    private func customised(_ view: StatusBarView, _ status: StatusSummaryReply?) -> StatusBarView {
        var view = view
        view.custom = template.map { $0.text(view, status, hasUnicode: encoder.hasUnicode) }
        return view
    }

    /// Prints one line, after one request. Also prints a line if the daemon is away, because bars hide errors.
    func once(_ client: FrameFastClient, _ print: (String) -> Void) {
        let view: StatusBarView
        do throws(ClientError) { view = try asked(client) } catch { view = self.view(error) }
        encoder.lines(view).forEach(print)
    }

    /// Requests only the data that the bar shows.
    ///
    /// With a hundred cameras, the full status is a thousand times as long as the line.
    private func asked(_ client: FrameFastClient) throws(ClientError) -> StatusBarView {
        if encoder.format.showsDetails { return view(try client.call(\.service.status).value) }
        let summary = try client.call(\.service.summary).value
        return customised(StatusLine.view(summary), summary)
    }

    /// Returns the line while there is no event stream.
    ///
    /// A daemon that refuses the stream, for example because it has too many readers, still answers a request.
    private func line(_ reason: ClientError, _ client: FrameFastClient) -> StatusBarView {
        guard case .refused = reason else { return view(reason) }
        do throws(ClientError) { return try asked(client) } catch { return view(error) }
    }

    /// Prints the line after each change, until the reader closes the output.
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
