import FleetMessages
import FoundationEssentials
import FrameFastAPI
import FrameFastModel
import MQTT

/// Whether an order may be carried out here: decided from its message alone, and what this computer is.
struct OrderCheck: Sendable {
    /// An order that may be.
    struct Order: Hashable, Sendable {
        var verb: FleetVerb
        /// The group that it was sent to, or names.
        var group: GroupName?
        var order: FleetOrder
        /// Where its answer goes; `nil` when nobody waits.
        var replyTopic: String?
        /// Comes back with the answer.
        var correlation: [UInt8]?
    }

    /// Why not.
    struct Refusal: Error, Hashable {
        var reason: String
        /// The order, when so much could be read of it, and where its answer goes.
        var id: String?
        var replyTopic: String?
        var correlation: [UInt8]?
        /// Whether it is for others: nothing is said then.
        var isNotOurs = false
    }

    let host: FleetHostName
    let accept: Set<FleetVerb>
    /// The largest error of the clock at which a moment can be kept, in milliseconds.
    let clockErrorMaxMs: Double

    /// Reads a message.
    ///
    /// - Parameters:
    ///   - groups: groups that have cameras here.
    ///   - clockErrorMs: how wrong the own clock may be; `nil` where the system does not say.
    func order(
        _ message: MQTTMessage, topic: FleetTopic, groups: Set<GroupName>, now: Date, clockErrorMs: Double?
    ) throws(Refusal) -> Order {
        let (word, ofGroup): (String, GroupName?)
        switch topic {
        case .hostOrder(host, let verb): (word, ofGroup) = (verb, nil)
        case .groupOrder(let group, let verb) where groups.contains(group): (word, ofGroup) = (verb, group)
        default: throw Refusal(reason: "it is for others", isNotOurs: true)
        }
        guard !message.isRetained else {
            throw Refusal(reason: "the broker had kept it: an order is given to those who listen")
        }
        guard message.payload.count <= FleetOrder.bytesMax,
            let order = try? WireCoder.decode(FleetOrder.self, from: Data(message.payload))
        else { throw Refusal(reason: "it cannot be read as an order") }
        guard (1...FleetOrder.idMax).contains(order.id.count) else {
            throw Refusal(reason: "its id has not 1 to \(FleetOrder.idMax) characters")
        }
        let replyTopic = try self.replyTopic(message, order)
        func refuse(_ reason: String) -> Refusal {
            Refusal(
                reason: reason, id: order.id, replyTopic: replyTopic, correlation: message.correlation)
        }
        guard let verb = FleetVerb(rawValue: word) else { throw refuse("nobody here knows '\(word)'") }
        guard accept.contains(verb) else {
            throw refuse(
                "\(host) does not accept '\(verb.rawValue)': see accept in [fleet] of its configuration")
        }
        guard order.expiresAt > now else { throw refuse("it came too late") }
        guard order.expiresAt.timeIntervalSince(now) <= FleetOrder.ahead else {
            throw refuse("it expires more than \(Int(FleetOrder.ahead)) s from now")
        }
        if let at = order.at {
            guard (clockErrorMs ?? .infinity) <= clockErrorMaxMs else {
                throw refuse(
                    clockErrorMs.map {
                        "its clock may be wrong by \(Int($0.rounded(.up))) ms, and \(Int(clockErrorMaxMs)) ms are allowed"
                    } ?? "it cannot tell how wrong its clock is: see examples/fleet-clock.conf")
            }
            let aheadMs = at.timeIntervalSince(now) * 1_000
            guard aheadMs >= Double(GroupShootRequest.inRangeMs.lowerBound),
                aheadMs <= FleetOrder.ahead * 1_000
            else { throw refuse("its moment is \(Int(aheadMs)) ms from now: too late, or too far") }
        }
        return Order(
            verb: verb, group: ofGroup ?? order.group, order: order, replyTopic: replyTopic,
            correlation: message.correlation)
    }

    /// Where an answer goes: below this computer's own topics only, or whoever gives orders could have it write anywhere.
    private func replyTopic(_ message: MQTTMessage, _ order: FleetOrder) throws(Refusal) -> String? {
        if let topic = message.responseTopic {
            guard case .reply(host, _)? = FleetTopic(topic) else {
                throw Refusal(reason: "its answer would go to '\(topic.prefix(100))', which is none of ours")
            }
            return topic
        }
        return order.console.map { FleetTopic.reply(host, console: $0).text }
    }
}
