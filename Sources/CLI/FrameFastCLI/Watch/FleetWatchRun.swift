import APIClient
import FoundationEssentials
import FrameFastAPI
import Glibc
import PlainThreads
import TerminalUI

/// The live screen of a fleet with this computer's service behind it.
final class FleetWatchRun {
    private enum Message: Sendable {
        case fleet(FleetReply)
        case away(Explanation)
    }

    /// Time between two questions, in microseconds: computers say at most once a second what they do.
    private static let pauseUs: UInt32 = 1_000_000

    private let client: FrameFastClient
    private let mailbox = Mailbox<Message>()
    private var screen = FleetScreen()

    init(client: FrameFastClient) { self.client = client }

    /// Shows the screen until the person leaves.
    ///
    /// - Returns: The signal that ended it; `nil` when the person did.
    func run(style: Style) -> Int32? {
        // Signals first: threads take the mask of their parent.
        let loop = ScreenLoop()
        let (client, mailbox) = (client, mailbox)
        PlainThread.startOrExit("fleet") {
            while true {
                do throws(ClientError) {
                    mailbox.post(.fleet(try client.call(\.fleet.list).value))
                } catch { mailbox.post(.away(error.explanation)) }
                usleep(Self.pauseUs)
            }
        }
        return loop.run(
            style, messages: mailbox.descriptor, waitMs: { Motion.waitMs(isBusy: false, isStill: true) },
            picture: { layout in
                screen.now = Date()
                return screen.lines(layout)
            },
            take: { take($0) })
    }

    /// - Returns: How it ends: with a signal, or with none.
    private func take(_ input: ScreenLoop.Input) -> Int32?? {
        switch input {
        case .time: break
        case .closed, .signal(SIGINT), .key(.character("q")), .key(.escape): return .some(nil)
        case .signal(let signal): return signal
        case .key: break
        case .messages:
            for message in mailbox.takeAll() {
                switch message {
                case .fleet(let fleet): (screen.fleet, screen.offline) = (fleet, nil)
                case .away(let explanation): screen.offline = explanation
                }
            }
        }
        return nil
    }
}
