import FleetMessages
public import FoundationEssentials
public import FrameFastAPI
import FrameFastModel
import Logging
import MQTT
import Synchronization

extension FleetLink {
    // MARK: what it has others do

    /// Has every computer with cameras of a group release their shutters at one moment, and waits for what they say.
    ///
    /// - Returns: What each said, and who said nothing until `patience` after the moment.
    public func shoot(
        _ group: GroupName, at: Date, require: Int?, by: String?, patience: Duration
    ) async throws(ControlError) -> (answers: [FleetAnswer], silent: [FleetHostName]) {
        let expected = state.withLock { $0.isConnected ? $0.board.hosts(with: group) : nil }
        guard let expected else {
            throw ControlError(
                .conflict, "there is no connection to the broker",
                nextStep: "See 'framefast --fleet status'. Each computer goes on by itself meanwhile.")
        }
        guard !expected.isEmpty else {
            throw ControlError(
                .notFound, "no computer of the fleet has cameras in a group '\(group)'",
                nextStep: "See 'framefast --fleet cameras'.")
        }
        let order = FleetOrder(
            id: UUID().uuidString, issuedAt: Date(), expiresAt: at, by: by, console: options.host.rawValue,
            at: at, require: require)
        let (answers, continuation) = AsyncStream<FleetAnswer>.makeStream(
            bufferingPolicy: .bufferingOldest(FleetBoard.hostsMax))
        state.withLock { $0.asking[order.id] = continuation }
        defer { state.withLock { $0.asking[order.id] = nil } }
        guard let payload = try? WireCoder.encode(order) else {
            throw ControlError(.internal, "cannot write the order down")
        }
        client.publish(
            MQTTMessage(
                topic: FleetTopic.groupOrder(group, verb: FleetVerb.shoot.rawValue).text,
                payload: Array(payload), expirySeconds: UInt32(FleetOrder.ahead)))
        let end = Task {
            try? await Task.sleep(for: .seconds(max(0, at.timeIntervalSinceNow)) + patience)
            continuation.finish()
        }
        defer { end.cancel() }
        var heard: [FleetHostName: FleetAnswer] = [:]
        for await answer in answers {
            heard[answer.host] = answer
            if expected.isSubset(of: heard.keys) { break }
        }
        return (
            heard.values.sorted { $0.host.rawValue < $1.host.rawValue },
            expected.subtracting(heard.keys).sorted { $0.rawValue < $1.rawValue }
        )
    }

    // MARK: what others have it do

    func carryOut(_ message: MQTTMessage, _ topic: FleetTopic) async {
        let order: OrderCheck.Order
        do throws(OrderCheck.Refusal) {
            order = try check.order(
                message, topic: topic, groups: around.groups(), now: Date(),
                clockErrorMs: around.clockErrorMs())
        } catch {
            guard !error.isNotOurs else { return }
            logger.notice(
                "an order was refused", metadata: ["reason": "\(error.reason)", "topic": "\(message.topic)"])
            guard let id = error.id else { return }
            return answer(
                FleetAnswer(id: id, host: options.host, state: .refused, reason: error.reason),
                to: error.replyTopic, error.correlation)
        }
        let reply = await outcome(of: order)
        answer(reply, to: order.replyTopic, order.correlation)
    }

    /// Claims an order, carries it out when nobody has, and keeps what became of it.
    private func outcome(of order: OrderCheck.Order) async -> FleetAnswer {
        let id = order.order.id
        func answer(_ state: FleetAnswer.State, _ reason: String? = nil, _ shot: GroupShotReply? = nil)
            -> FleetAnswer
        {
            FleetAnswer(id: id, host: options.host, state: state, reason: reason, shot: shot)
        }
        do {
            switch try await around.storage.claim(id, Date()) {
            case .mine: break
            case .answered(let text):
                return (try? WireCoder.decode(FleetAnswer.self, from: Data(text.utf8)))
                    ?? answer(.unknown, "its answer cannot be read any more")
            case .unknown: return answer(.unknown, "it was begun before: perhaps it was carried out")
            }
        } catch { return answer(.refused, "the ledger cannot be written") }
        logger.notice(
            "an order of the fleet",
            metadata: [
                "order": "\(order.verb.rawValue)", "id": "\(id)",
                "by": "\(order.order.by ?? "nobody says who")",
            ])
        let told: FleetAnswer
        do throws(ControlError) {
            told = answer(.done, nil, try await around.carryOut(order.verb, order.order, order.group))
        } catch { told = answer(.refused, error.message) }
        if let text = try? WireCoder.encode(told) {
            try? await around.storage.answer(id, String(decoding: text, as: UTF8.self))
        }
        return told
    }

    private func answer(_ answer: FleetAnswer, to topic: String?, _ correlation: [UInt8]?) {
        guard let topic, let payload = try? WireCoder.encode(answer) else { return }
        client.publish(
            MQTTMessage(
                topic: topic, payload: Array(payload), expirySeconds: Self.answerKeptSeconds,
                correlation: correlation))
    }
}
