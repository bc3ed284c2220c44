import APIClient
import FoundationEssentials
import FrameFastAPI
import Glibc
import SystemIO
import TerminalUI

/// A runner of the guided flow. The runner performs the flow's actions. It passes the results of calls and
/// the events of the daemon to the flow.
final class ConnectRun {
    /// An event of the daemon, or the result of a call.
    enum Message: Sendable {
        case event(EventReply.Body)
        case offline(Explanation)
        case makers([MakerReply])
        case sessionStarted(SessionReply)
        case discovered(DiscoveryReply)
        case added(CameraReply)
        case renamed(CameraReply)
        case failed(Explanation)
    }

    /// The result of the flow.
    enum Ending {
        case ready(CameraReply)
        case left
        case failed(Explanation)
        case signal(Int32)
    }

    let client: FrameFastClient
    let clock: CommandClock
    let mailbox = Mailbox<Message>()
    var flow: ConnectFlow

    init(client: FrameFastClient, flow: ConnectFlow, clock: CommandClock) {
        self.client = client
        self.clock = clock
        self.flow = flow
    }

    /// Starts to read events, and opens the first screen.
    ///
    /// - Parameter makers: The makers to choose from.
    /// - Returns: The result, if the flow ends immediately.
    func start(makers: [MakerReply]) -> Ending? {
        let (client, mailbox) = (client, mailbox)
        PlainThread.startOrExit("events") { Self.followEvents(client, mailbox) }
        return perform(flow.handle(makers: makers))
    }

    /// Waits for a message, for input, or for the timeout.
    ///
    /// - Parameter milliseconds: The timeout, in milliseconds, or `nil` without a timeout.
    /// - Returns: Whether standard input can be read.
    func wait(milliseconds: Int?, withInput: Bool) -> Bool {
        var descriptors = [pollfd(fd: mailbox.descriptor, events: Int16(POLLIN), revents: 0)]
        if withInput { descriptors.append(pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)) }
        _ = poll(&descriptors, nfds_t(descriptors.count), Int32(clamping: milliseconds ?? -1))
        return withInput && descriptors[1].revents != 0
    }

    /// Passes all waiting messages to the flow.
    ///
    /// - Returns: The result, if a message ends the flow.
    func handleMessages() -> Ending? {
        for message in mailbox.takeAll() {
            if let ending = handle(message) { return ending }
        }
        return nil
    }

    private func handle(_ message: Message) -> Ending? {
        switch message {
        case .event(let event): return perform(flow.handle(event))
        case .offline(let explanation):
            guard flow.canAsk else { return .failed(explanation) }
            flow.offline = explanation
            return nil
        case .makers(let makers): return perform(flow.handle(makers: makers))
        case .sessionStarted(let session): return perform(flow.handleStartedSession(session))
        case .discovered(let reply): return perform(flow.handleDiscovery(reply))
        case .added(let camera): return perform(flow.handleAddedCamera(camera))
        case .renamed(let camera): return perform(flow.handleRenamedCamera(camera))
        case .failed(let explanation): return perform(flow.handleFailure(explanation))
        }
    }

    /// Performs the actions of the flow. Each call to the daemon runs on its own thread.
    ///
    /// - Returns: The result, if an action ends the flow.
    func perform(_ actions: [ConnectFlow.Action]) -> Ending? {
        for action in actions {
            switch action {
            case .startSession(let name, let mode):
                call { client throws(ClientError) in
                    .sessionStarted(
                        try client.call(\.sessions.start, .init(name: name, uploadMode: mode)).value)
                }
            case .discover(let request):
                call { client throws(ClientError) in
                    .discovered(try client.call(\.cameras.discover, request).value)
                }
            case .add(let request):
                call { client throws(ClientError) in .added(try client.call(\.cameras.add, request).value) }
            case .rename(let id, let name):
                call { client throws(ClientError) in
                    .renamed(try client.call(\.cameras.rename, CameraReference(id), .init(name: name)).value)
                }
            case .refreshMakers:
                call { client throws(ClientError) in .makers(try client.call(\.cameras.makers).value.makers) }
            case .finish(let camera): return .ready(camera)
            case .leave: return .left
            case .missing(let explanation), .fail(let explanation): return .failed(explanation)
            }
        }
        return nil
    }

    private func call(_ body: @escaping @Sendable (FrameFastClient) throws(ClientError) -> Message) {
        let (client, mailbox) = (client, mailbox)
        PlainThread.startOrExit("call") {
            do throws(ClientError) { mailbox.post(try body(client)) } catch {
                mailbox.post(.failed(error.explanation))
            }
        }
    }

    private static func followEvents(_ client: FrameFastClient, _ mailbox: Mailbox<Message>) {
        EventFollower.run(client) { update in
            let message: Message =
                switch update {
                case .event(let event): .event(event.body)
                case .away(let reason): .offline(reason.explanation)
                }
            mailbox.post(message, messagesMax: EventFollower.messagesMax)
            return true
        }
    }
}
