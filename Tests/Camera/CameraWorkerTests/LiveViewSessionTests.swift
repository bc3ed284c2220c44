import Foundation
import FrameFastModel
import Glibc
import Testing
import WorkerProtocol

/// Live view with a camera: frames, photos between them, and how the camera is after it, whatever ended it.
@Suite(.blocking) struct LiveViewSessionTests {
    /// How the camera is that its own settings stand for: what the driver changes for live view.
    private struct Ways: Equatable, CustomStringConvertible {
        let description: String

        /// As a worker that has just opened the camera reads them.
        ///
        /// - Parameter home: of the worker before it.
        init(_ camera: SimulatedCamera, home: ScratchDirectory? = nil) throws {
            let worker = try WorkerProcess(home: home)
            _ = try worker.open(camera)
            self = try Self(worker)
            _ = try worker.send { _ in .close }
            worker.ending()
        }

        init(_ worker: WorkerProcess) throws {
            let names = ["output", "evfmode"]
            guard case .settings(_, let settings) = try worker.ask({ .readSettings(id: $0, names: names) })
            else { throw CameraTrouble(words: "no settings") }
            description = settings.map { "\($0.name)=\($0.word)" }.joined(separator: " ")
        }
    }

    private func frame(_ worker: WorkerProcess) throws -> LiveFrame {
        switch try worker.ask({ .liveFrame(id: $0, LiveFrameOrder()) }) {
        case .frame(_, let frame): return frame
        case let other: throw CameraTrouble(words: "\(other)")
        }
    }

    @Test func `frames are whole pictures that differ, and none is made that nobody asked for`() throws {
        let camera = try SimulatedCamera(maker: "canon")
        let worker = try WorkerProcess()
        _ = try worker.open(camera)
        var seen: Set<Data> = []
        for _ in 0..<10 {
            let frame = try frame(worker)
            #expect(frame.isWhole)
            seen.insert(frame.jpeg)
        }
        #expect(seen.count == 10)
        let served = try camera.say("frames")
        #expect(served.contains("\"served\":10"), "\(served)")
    }

    @Test func `a photo that is announced goes before frames that were ordered before it was asked for`()
        throws
    {
        let camera = try SimulatedCamera(maker: "canon", ["--size", "2MB"])
        let worker = try WorkerProcess()
        _ = try worker.open(camera)
        _ = try frame(worker)
        camera.press()
        let object = try worker.wait { if case .objectAdded(let object) = $0 { object } else { nil } }
        let frameOrder = try worker.send { .liveFrame(id: $0, LiveFrameOrder()) }
        let fetch = try worker.send {
            .fetch(
                id: $0,
                FetchRequest(
                    folder: object.folder, name: object.name, announcedSize: object.size,
                    partPath: worker.scratch.file("a.part"), isShot: true))
        }
        var order: [UInt64] = []
        while order.count < 2 {
            switch try worker.next() {
            case .fetched(let id, _) where id == fetch: order.append(id)
            case .frame(let id, _) where id == frameOrder: order.append(id)
            case .failed(_, let failure): throw CameraTrouble(words: failure.text)
            default: break
            }
        }
        #expect(order == [fetch, frameOrder])
    }

    enum Ending: String, CaseIterable {
        case nobodyAsks, close, term, hangUp, kill
    }

    @Test(arguments: Ending.allCases)
    func `the camera's output is as before, however live view ended`(ending: Ending) throws {
        let camera = try SimulatedCamera(maker: "canon")
        try camera.say("dial d1b0=1")
        let before = try Ways(camera)
        let worker = try WorkerProcess()
        _ = try worker.open(camera)
        for _ in 0..<3 { _ = try frame(worker) }
        #expect(try Ways(worker) != before)
        switch ending {
        case .nobodyAsks:
            let end = monotonicMs() + LiveViewLimits.restMs + 5_000
            while try Ways(worker) != before {
                guard monotonicMs() < end else { throw CameraTrouble(words: "live view stays on") }
            }
        case .close: break
        case .term: kill(worker.pid, SIGTERM)
        case .hangUp: worker.hangUp()
        case .kill: kill(worker.pid, SIGKILL)
        }
        if [.nobodyAsks, .close].contains(ending) { try worker.send { _ in .close } }
        worker.ending()
        let after = try Ways(camera, home: worker.scratch)
        #expect(after == before)
    }

    @Test(arguments: ["cut", "missing"])
    func `what is no picture is said to be none, and the next one is shown`(fault: String) throws {
        let camera = try SimulatedCamera(maker: "canon")
        let worker = try WorkerProcess()
        _ = try worker.open(camera)
        _ = try frame(worker)
        try camera.say("bad-frame \(fault)")
        guard case .failed(_, let failure) = try worker.ask({ .liveFrame(id: $0, LiveFrameOrder()) }) else {
            Issue.record("a spoiled frame was shown")
            return
        }
        #expect(failure.kind == .refused || failure.kind == .corrupt, "\(failure)")
        #expect(try frame(worker).isWhole)
    }

    @Test func `a camera without live view is not asked for frames`() throws {
        let camera = try SimulatedCamera()
        let worker = try WorkerProcess()
        _ = try worker.open(camera)
        guard case .failed(_, let failure) = try worker.ask({ .liveFrame(id: $0, LiveFrameOrder()) }) else {
            Issue.record("frames from nowhere")
            return
        }
        #expect(failure.kind == .unsupported)
    }
}
