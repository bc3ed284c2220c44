import FleetMessages
import Foundation
import FrameFastModel
import MQTT

@testable import FleetLink

extension FuzzTarget {
    private static let now = Date(timeIntervalSince1970: 1_795_271_130)

    /// Messages: what is special about one, its topic, its payload and, where it asks for an answer, whereto.
    static func fleet(_ bytes: [UInt8]) {
        var input = FuzzInput(bytes)
        var board = FleetBoard(host: "host-a")
        let check = OrderCheck(host: "host-a", accept: Set(FleetVerb.allCases), clockErrorMaxMs: 20)
        while !input.isAtEnd {
            let habits = input.byte()
            let text = input.piece().asText
            var message = MQTTMessage(topic: text, payload: input.piece(), isRetained: habits & 1 == 1)
            if habits & 2 == 2 { message.responseTopic = input.piece().asText }
            guard let topic = FleetTopic(text) else { continue }
            precondition(FleetTopic(topic.text) == topic, "a topic that is written is another")
            board.take(topic, message, at: now)
            let clock: Double? = habits & 4 == 4 ? nil : 1
            guard
                let order = try? check.order(
                    message, topic: topic, groups: ["ring"], now: now, clockErrorMs: clock)
            else { continue }
            precondition(!message.isRetained, "carries out what the broker had kept")
            precondition(order.order.expiresAt > now, "carries out what came too late")
            precondition(order.order.at == nil || clock != nil, "keeps a moment without a clock")
            if let reply = order.replyTopic {
                guard case .reply("host-a", _)? = FleetTopic(reply) else {
                    preconditionFailure("answers at \(reply)")
                }
            }
        }
        precondition(board.replies(at: now).count <= FleetBoard.hostsMax, "knows more computers than it may")
    }
}
