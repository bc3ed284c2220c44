import Foundation
import FrameFastAPI
import SurfaceTestSupport
import TerminalUI
import Testing

@testable import FrameFastCLI

@Suite struct ConnectFlowTests {
    private func flow(_ makers: [MakerReply] = Scenes.makers) -> ConnectFlow {
        var flow = ConnectFlow(selections: ConnectSelections(), canAsk: true)
        var status = Samples.status
        status.cameras = []
        status.session = nil
        _ = flow.handle(.snapshot(status))
        _ = flow.handle(makers: makers)
        return flow
    }

    @Test func `focuses the detected maker, or the first maker if none is detected`() {
        let none = Scenes.makers.map { maker in
            var maker = maker
            maker.isDetected = false
            return maker
        }
        var last = none
        last[2].isDetected = true
        #expect(flow(last).cursor == 2)
        var first = flow(none)
        #expect(first.cursor == 0)
        #expect(first.press(.enter).isEmpty)
        #expect(first.selections.makerID == none[0].id && first.stage == .sessionName)
        var later = flow(none)
        #expect(later.handle(.camera(Scenes.cardReader)) == [.refreshMakers])
        #expect(later.handle(makers: last).isEmpty)
        #expect(later.cursor == 2)
        var moved = flow(none)
        _ = moved.press(.down)
        #expect(moved.handle(makers: last).isEmpty)
        #expect(moved.cursor == 1)
    }

    @Test func `Enter chooses the focused maker, upload mode and connection`() {
        var flow = flow()
        _ = flow.press(.enter)
        _ = flow.enterLine("Wedding")
        #expect(flow.stage == .uploadMode && flow.cursor == 0)
        let mode = UploadMode.allCases[0]
        #expect(flow.press(.enter) == [.startSession(name: "Wedding", mode: mode)])
        _ = flow.handleStartedSession(SessionReply(id: 3, name: "Wedding", startedAt: Samples.time))
        #expect(flow.stage == .connection && flow.cursor == 0)
        #expect(flow.press(.enter).isEmpty && flow.selections.connection == .usb)
        var network = self.flow()
        _ = network.press(.enter)
        _ = network.enterLine("")
        _ = network.choose(1)
        #expect(network.stage == .network && network.cursor == 0)
    }

    @Test func `digits choose a row as soon as the number is unambiguous`() {
        var flow = flow()
        _ = flow.press(.character("1"))
        #expect(flow.stage == .maker)
        #expect(flow.cursor == 0)
        _ = flow.press(.character("2"))
        #expect(flow.stage == .sessionName)
        #expect(flow.selections.makerID == Scenes.makers[11].id)
    }

    @Test func `Esc returns from the upload mode to the name of the session`() {
        var flow = flow()
        _ = flow.choose(0)
        _ = flow.enterLine("Wedding")
        #expect(flow.stage == .uploadMode)
        _ = flow.press(.escape)
        #expect(flow.stage == .sessionName)
        _ = flow.enterLine("Wedding")
        #expect(flow.choose(1) == [.startSession(name: "Wedding", mode: .offline)])
        _ = flow.handleStartedSession(SessionReply(id: 3, name: "Wedding", startedAt: Samples.time))
        #expect(flow.stage == .connection)
    }

    @Test func `does not restart a running session of the same name`() {
        var flow = ConnectFlow(
            selections: ConnectSelections(session: .new(name: "Bangkok Wedding"), connection: .usb),
            canAsk: false)
        var status = Samples.status
        status.cameras = []
        _ = flow.handle(.snapshot(status))
        #expect(flow.handle(makers: []).isEmpty)
        #expect(flow.stage == .waiting)
    }

    @Test func `connects another camera after the first is ready`() {
        var flow = ConnectFlow(selections: ConnectSelections(), canAsk: true)
        _ = flow.handle(.snapshot(Samples.status))
        _ = flow.handle(makers: Scenes.makers)
        #expect(flow.stage == .ready(Samples.camera))
        _ = flow.press(.character("n"))
        #expect(flow.stage == .maker)
        _ = flow.choose(0)
        _ = flow.choose(0)
        #expect(flow.stage == .waiting)
        #expect(flow.camera == nil)
        _ = flow.handle(.camera(Scenes.ready))
        #expect(flow.stage == .ready(Scenes.ready))
    }

    @Test func `continues a sweep automatically and merges its replies`() {
        var flow = Scenes.searching
        func piece(_ done: Int, _ next: String?, _ found: [DiscoveryReply.Found] = []) -> DiscoveryReply {
            DiscoveryReply(
                found: found, failures: [.init(kind: .timeout, count: 128 - found.count)], tried: 128,
                sweep: .init(done: done, total: 256, next: next),
                guidance: found.isEmpty ? GuidanceReply(sentence: "No camera answered.") : nil)
        }
        let maker = flow.selections.makerID
        #expect(
            flow.handleDiscovery(piece(128, "10.0.0.129"))
                == [.discover(DiscoveryRequest(maker: maker, sweep: true, after: "10.0.0.129"))])
        #expect(flow.stage == .searching(.init(done: 128, total: 256, next: "10.0.0.129")))
        let camera = DiscoveryReply.Found(address: "ptpip:10.0.0.200:15740", cameraName: "Z 9")
        #expect(flow.handleDiscovery(piece(256, nil, [camera])).isEmpty)
        guard case .found(let whole) = flow.stage else { return #expect(Bool(false), "\(flow.stage)") }
        #expect(whole.found == [camera] && whole.tried == 256 && whole.guidance == nil)
        #expect(whole.failures == [.init(kind: .timeout, count: 255)])
    }

    @Test func `scrolls long steps and keeps the progress below them`() {
        let layout = Layout(width: 80, height: 24)
        func text(_ flow: ConnectFlow) -> [String] {
            ConnectScreen(flow: flow, now: Scenes.now).lines(layout).map(\.text)
        }
        var flow = Scenes.longSteps
        _ = flow.press(.home)
        #expect(flow.scroll == 0)
        #expect(text(flow).contains { $0.contains("Connect the Canon by USB.") })
        #expect(text(flow).contains { $0.contains("more lines below") })
        #expect(text(flow).contains { $0.contains("Waiting for the camera") } && text(flow).count <= 24)
        #expect(text(flow).last?.contains("↑↓ scroll") == true)
        for _ in 0..<100 { _ = flow.press(.down) }
        _ = flow.press(.pageDown)
        flow.scroll = min(flow.scroll, ConnectScreen(flow: flow, now: Scenes.now).scrollMax(layout))
        #expect(text(flow).contains { $0.contains("40. Do what step 40") })
        #expect(text(flow).contains { $0.contains("more lines above") })
        #expect(!text(flow).contains { $0.contains("more lines below") })
        _ = flow.press(.up)
        #expect(text(flow).contains { $0.contains("more lines below") })
        _ = flow.press(.pageUp)
        #expect(flow.scroll == ConnectScreen(flow: flow, now: Scenes.now).scrollMax(layout) - 11)
        // The next screen starts at its top.
        _ = flow.press(.escape)
        #expect(flow.scroll == 0)
    }

    @Test func `ignores a late sweep reply after the person left the sweep`() {
        var flow = Scenes.searching
        _ = flow.press(.escape)
        #expect(flow.stage == .network)
        let late = DiscoveryReply(
            found: [], failures: [], tried: 128, sweep: .init(done: 128, total: 256, next: "10.0.0.129"))
        #expect(flow.handleDiscovery(late).isEmpty && flow.stage == .network)
    }

    private static let address = "ptpip:192.168.1.2:15740"
    private static let question = DiscoveryReply.Asking(
        address: address, until: Samples.time.addingTimeInterval(90))
    private static let asks = DiscoveryReply(
        found: [], failures: [], tried: 1, asking: [question], guidance: GuidanceReply(sentence: "It asks."))

    @Test(arguments: [true, false])
    func `waits until the owner accepts pairing, and then adds the camera`(canAsk: Bool) {
        var flow = ConnectFlow(
            selections: ConnectSelections(
                maker: .notSure, session: .current, connection: .network(.search(sweep: false))),
            canAsk: canAsk)
        var status = Samples.status
        status.cameras = []
        _ = flow.handle(.snapshot(status))
        #expect(flow.handle(makers: Scenes.makers) == [.discover(DiscoveryRequest())])
        let join = [ConnectFlow.Action.discover(DiscoveryRequest(address: Self.address))]
        #expect(flow.handleDiscovery(Self.asks) == join)
        #expect(flow.stage == .pairing(Self.question))
        #expect(flow.handleDiscovery(Self.asks) == join, "the daemon answers every few seconds")
        let found = DiscoveryReply(
            found: [.init(address: Self.address, cameraName: "R5")], failures: [], tried: 1)
        #expect(flow.handleDiscovery(found) == [.add(CameraAddRequest(address: Self.address))])
    }

    @Test func `a pairing refusal ends the wait and fails a script`() {
        let refused = DiscoveryReply(
            found: [], failures: [.init(kind: .refused, count: 1)], tried: 1,
            guidance: GuidanceReply(sentence: "The camera rejected this computer.", steps: ["Ask again."]))
        var flow = Scenes.searching
        _ = flow.handleDiscovery(Self.asks)
        #expect(flow.handleDiscovery(refused).isEmpty && flow.stage == .found(refused))
        var script = ConnectFlow(
            selections: ConnectSelections(
                maker: .notSure, session: .current, connection: .network(.search(sweep: false))),
            canAsk: false)
        var status = Samples.status
        status.cameras = []
        _ = script.handle(.snapshot(status))
        _ = script.handle(makers: Scenes.makers)
        _ = script.handleDiscovery(Self.asks)
        guard case .fail(let explanation) = script.handleDiscovery(refused).first else {
            return #expect(Bool(false), "the script did not fail")
        }
        #expect(explanation.nextStep == "Ask again.")
    }

    @Test func `a script waits for a camera of the given maker`() {
        var flow = ConnectFlow(
            selections: ConnectSelections(maker: .known(Scenes.makers[1]), connection: .usb), canAsk: false)
        var status = Samples.status
        status.cameras = [Scenes.ready]
        _ = flow.handle(.snapshot(status))
        _ = flow.handle(makers: Scenes.makers)
        #expect(flow.stage == .waiting)
        var fuji = Scenes.ready
        fuji.id = "fuji"
        fuji.maker = "FUJIFILM Corporation"
        #expect(flow.handle(.camera(fuji)) == [.finish(fuji)])
    }

    @Test(arguments: [
        ("192.168.1.5", true), ("192.168.1.5:15740", true), ("ptpip:10.0.0.1", true), ("camera.local", true),
        ("1.2.3", false), ("192.168.1.256", false), ("a b", false), ("", false), ("10.0.0.1:99999", false),
    ])
    func `validates a camera address`(text: String, isValid: Bool) {
        #expect((TypedAddress.validationError(for: text) == nil) == isValid)
    }

    @Test(arguments: [
        ("OM Digital Solutions", "olympus", "OM System / Olympus", true),
        ("Canon Inc.", "canon", "Canon", true),
        ("SONY", "sony", "Sony", true), ("Sony Corporation", "nikon", "Nikon Corporation", false),
    ])
    func `matches a camera with its known maker`(camera: String, id: String, name: String, isSame: Bool) {
        let maker = MakerReply(
            id: id, name: name, summary: "", isDetected: false, usb: GuidanceReply(sentence: ""))
        let reply = CameraReply(id: "a", name: "a", maker: camera, state: .ready)
        #expect(maker.isMaker(of: reply) == isSame)
    }
}
