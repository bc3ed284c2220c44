import FleetMessages
import Foundation
import FrameFastAPI
import FrameFastModel
import MQTT
import Testing

@testable import FleetLink

/// Which orders of other computers are carried out.
@Suite struct OrderCheckTests {
    private static let now = Date(timeIntervalSince1970: 1_800_000_000)
    private static let check = OrderCheck(host: "host-a", accept: [.shoot, .session], clockErrorMaxMs: 20)

    private static func order(
        _ id: String = "one", expires: TimeInterval = 10, at: TimeInterval? = nil, console: String? = "desk"
    ) -> FleetOrder {
        FleetOrder(
            id: id, issuedAt: now, expiresAt: now + expires, console: console, at: at.map { now + $0 })
    }

    private static func judge(
        _ order: FleetOrder, _ topic: FleetTopic = .groupOrder("ring", verb: "shoot"),
        clockErrorMs: Double? = 1, _ change: (inout MQTTMessage) -> Void = { _ in }
    ) throws -> OrderCheck.Order {
        var message = MQTTMessage(topic: topic.text, payload: Array(try WireCoder.encode(order)))
        change(&message)
        return try check.order(
            message, topic: topic, groups: ["ring"], now: now, clockErrorMs: clockErrorMs)
    }

    private static func reason(_ body: @autoclosure () throws -> OrderCheck.Order) -> String? {
        do {
            _ = try body()
            return nil
        } catch let refusal as OrderCheck.Refusal { return refusal.reason } catch { return "\(error)" }
    }

    @Test func `an order to this computer or to a group that has cameras here is carried out`() throws {
        let ofGroup = try Self.judge(Self.order(at: 2))
        #expect(ofGroup.verb == .shoot && ofGroup.group == "ring")
        #expect(ofGroup.replyTopic == "framefast/v1/host/host-a/reply/desk")
        let own = try Self.judge(Self.order(), .hostOrder("host-a", verb: "session"))
        #expect(own.verb == .session && own.group == nil)
        // A broker's own way to ask for an answer counts first, with what has to come back.
        let asked = try Self.judge(Self.order()) {
            $0.responseTopic = "framefast/v1/host/host-a/reply/other"
            $0.correlation = [1, 2]
        }
        #expect(asked.replyTopic == "framefast/v1/host/host-a/reply/other" && asked.correlation == [1, 2])
        #expect(try Self.judge(Self.order(console: nil)).replyTopic == nil)
    }

    @Test func `an order for others is none of ours`() {
        for topic: FleetTopic in [
            .hostOrder("host-b", verb: "shoot"), .groupOrder("other", verb: "shoot"), .event("host-a"),
        ] {
            do {
                _ = try Self.judge(Self.order(), topic)
                Issue.record("\(topic) was taken")
            } catch { #expect((error as? OrderCheck.Refusal)?.isNotOurs == true) }
        }
    }

    @Test func `what is kept, late, far ahead, unknown or not accepted is refused with a reason`() {
        let retained = Self.reason(try Self.judge(Self.order()) { $0.isRetained = true })
        #expect(retained?.contains("kept") == true)
        #expect(Self.reason(try Self.judge(Self.order(expires: 0)))?.contains("too late") == true)
        #expect(Self.reason(try Self.judge(Self.order(expires: 61)))?.contains("60 s") == true)
        #expect(Self.reason(try Self.judge(Self.order(expires: 60))) == nil)
        let unknown = Self.reason(try Self.judge(Self.order(), .hostOrder("host-a", verb: "format")))
        #expect(unknown?.contains("'format'") == true)
        let refused = Self.reason(try Self.judge(Self.order(), .hostOrder("host-a", verb: "mode")))
        #expect(refused?.contains("accept") == true)
        #expect(Self.reason(try Self.judge(Self.order("")))?.contains("id") == true)
        let long = String(repeating: "x", count: FleetOrder.idMax + 1)
        #expect(Self.reason(try Self.judge(Self.order(long)))?.contains("id") == true)
        #expect(Self.reason(try Self.judge(Self.order(String(long.dropLast())))) == nil)
        for payload in [
            [], Array("{}".utf8), Array("[1]".utf8), [UInt8](repeating: 32, count: FleetOrder.bytesMax + 1),
        ] {
            #expect(
                Self.reason(try Self.judge(Self.order()) { $0.payload = payload })?.contains("read") == true)
        }
    }

    @Test func `an answer goes nowhere but to this computer's own topics`() {
        for topic in [
            "framefast/v1/host/host-b/reply/desk", "homeassistant/device/x/config",
            "framefast/v1/host/host-a/status",
        ] {
            let reason = Self.reason(try Self.judge(Self.order()) { $0.responseTopic = topic })
            #expect(reason?.contains("none of ours") == true, "\(topic)")
        }
        // A console's name is one level, whatever is in it.
        let order = try? Self.judge(Self.order(console: "../../host-b/status"))
        #expect(order?.replyTopic == "framefast/v1/host/host-a/reply/..%2F..%2Fhost-b%2Fstatus")
    }

    @Test func `a moment is kept by a clock that is good enough, and only when it can be reached`() {
        #expect(Self.reason(try Self.judge(Self.order(at: 2), clockErrorMs: 20)) == nil)
        #expect(Self.reason(try Self.judge(Self.order(at: 2), clockErrorMs: 20.1))?.contains("21 ms") == true)
        #expect(Self.reason(try Self.judge(Self.order(at: 2), clockErrorMs: nil))?.contains("clock") == true)
        // Without a moment no clock is needed.
        #expect(Self.reason(try Self.judge(Self.order(), clockErrorMs: nil)) == nil)
        #expect(Self.reason(try Self.judge(Self.order(at: 0.2)))?.contains("too late") == true)
        #expect(Self.reason(try Self.judge(Self.order(at: 61)))?.contains("too far") == true)
    }
}
