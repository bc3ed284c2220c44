import FrameFastAPI
import Localization

/// Finding a camera on the network: what a look brought, and what that leads to.
extension ConnectFlow {
    mutating func discovered(_ reply: DiscoveryReply) -> [Action] {
        switch stage {
        case .looking:
            let whole = swept?.adding(reply) ?? reply
            guard let sweep = reply.sweep, let next = sweep.next else {
                swept = nil
                return concluded(whole)
            }
            swept = whole
            enter(.looking(sweep))
            return [.discover(DiscoveryRequest(maker: answers.makerID, sweep: true, after: next))]
        case .pairing(let asking):
            guard reply.found.isEmpty, reply.asking.contains(where: { $0.address == asking.address }) else {
                return concluded(reply)
            }
            return ask(asking)
        default: return []
        }
    }

    /// Joins the camera that waits for its owner: the daemon holds the line, and answers as soon as there is an answer.
    private func ask(_ asking: DiscoveryReply.Asking) -> [Action] {
        [.discover(DiscoveryRequest(address: asking.address))]
    }

    private mutating func concluded(_ reply: DiscoveryReply) -> [Action] {
        if reply.found.isEmpty, let asking = reply.asking.first {
            enter(.pairing(asking))
            return ask(asking)
        }
        if case .pairing = stage, reply.found.count == 1, let only = reply.found.first {
            answers.connection = .network(.address(only.address))
            return advance()
        }
        if reply.found.count == 1, let only = reply.found.first, !canAsk {
            answers.connection = .network(.address(only.address))
            return advance()
        }
        guard canAsk else {
            let message =
                reply.found.isEmpty
                ? localized("cannot find a camera on the network")
                : localized("cannot choose between cameras")
            let step =
                reply.found.isEmpty
                ? reply.guidance?.steps.first ?? reply.guidance?.sentence
                : localized("Name one with --address: \(reply.found.map(\.address).joined(separator: ", ")).")
            return [
                .fail(
                    Explanation(status: .failed, code: .notFound, message: message, nextStep: step))
            ]
        }
        enter(.found(reply), cursor: 0)
        return []
    }
}
