import APIClient
import FrameFastAPI
import TerminalUI

/// Prints status lines for bars: one, or one a change.
struct StatusBarOutput {
    let encoder: StatusBarEncoder
    let template: StatusTemplate?

    /// The line of a status, or of its absence.
    func view(_ status: Result<StatusReply, ClientError>) -> StatusBarView {
        var view: StatusBarView
        switch status {
        case .success(let status): view = StatusLine.view(status)
        case .failure(let error): view = StatusLine.offline(error.explanation)
        }
        view.custom = template.map { $0.text(view, try? status.get(), hasUnicode: encoder.hasUnicode) }
        return view
    }

    /// One line, in one round trip. A daemon that is away is a line, too: a bar hides what fails.
    func once(_ context: Context) {
        let status: Result<StatusReply, ClientError>
        do throws(ClientError) { status = .success(try context.client.call(\.service.status).value) } catch {
            status = .failure(error)
        }
        encoder.lines(view(status)).forEach(context.output.line)
    }

    /// A line whenever it changes, until its reader is gone.
    func follow(_ context: Context) {
        encoder.opening.forEach(context.output.line)
        var status: StatusReply?
        var shown: [String] = []
        EventFollow.run(context.client) { heard in
            let view: StatusBarView
            switch heard {
            case .away(let reason):
                status = nil
                view = self.view(.failure(reason))
            case .event(let event):
                if case .snapshot(let first) = event.body { status = first }
                status?.apply(event.body)
                guard let status else { return true }
                view = self.view(.success(status))
            }
            let lines = encoder.lines(view)
            if lines != shown { lines.forEach(context.output.line) }
            shown = lines
            return true
        }
    }
}
