import APIClient
import FrameFastAPI
import TerminalUI

/// A printer of the status line for a status bar. Prints the line once or after each change.
struct StatusBarOutput {
    let encoder: StatusBarEncoder
    let template: StatusTemplate?

    /// Returns the line of a status.
    func view(_ status: StatusReply) -> StatusBarView {
        applyTemplate(StatusLine.view(status), StatusSummaryReply(status))
    }

    /// Returns the line for an unreachable daemon.
    func view(_ reason: ClientError) -> StatusBarView {
        applyTemplate(StatusLine.offline(reason.explanation), nil)
    }

    /// Returns a view with the text of the template. Without a template, returns the view unchanged.
    private func applyTemplate(_ view: StatusBarView, _ status: StatusSummaryReply?) -> StatusBarView {
        var view = view
        view.custom = template.map { $0.text(view, status, hasUnicode: encoder.hasUnicode) }
        return view
    }

    /// Requests the status and prints one line. If the daemon is unreachable, the line contains the error,
    /// because status bars do not show standard error.
    func printOnce(_ client: FrameFastClient, _ print: (String) -> Void) {
        let view: StatusBarView
        do throws(ClientError) { view = try fetchView(client) } catch { view = self.view(error) }
        encoder.lines(view).forEach(print)
    }

    /// Requests only the data that the bar shows.
    ///
    /// With a hundred cameras, the full status is a thousand times as long as the line.
    private func fetchView(_ client: FrameFastClient) throws(ClientError) -> StatusBarView {
        if encoder.format.showsDetails { return view(try client.call(\.service.status).value) }
        let summary = try client.call(\.service.summary).value
        return applyTemplate(StatusLine.view(summary), summary)
    }

    /// Returns the line to show without an event stream.
    ///
    /// The daemon may refuse an event stream but still reply to a request, for example if too many streams
    /// are open.
    private func viewWithoutEvents(_ reason: ClientError, _ client: FrameFastClient) -> StatusBarView {
        guard case .refused = reason else { return view(reason) }
        do throws(ClientError) { return try fetchView(client) } catch { return view(error) }
    }

    /// Prints the line after each change, until the reader closes the output.
    func printChanges(_ context: Context) {
        ReaderWatch.start()
        encoder.opening.forEach(context.output.printLine)
        var status: StatusReply?
        var shown: [String] = []
        EventFollower.run(context.client) { update in
            let view: StatusBarView
            switch update {
            case .away(let reason):
                status = nil
                view = viewWithoutEvents(reason, context.client)
            case .event(let event):
                if case .snapshot(let first) = event.body { status = first }
                status?.apply(event.body)
                guard let status else { return true }
                view = self.view(status)
            }
            let lines = encoder.lines(view)
            if lines != shown { lines.forEach(context.output.printLine) }
            shown = lines
            return true
        }
    }
}
