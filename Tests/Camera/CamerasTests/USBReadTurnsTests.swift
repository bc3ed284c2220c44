import FrameFastModel
import Synchronization
import TestRig
import Testing
import WorkerProtocol

@testable import Cameras

/// Whose turn it is to read on the USB.
@Suite struct USBReadTurnsTests {
    private static func reader(_ camera: CameraID, bus: Int = 1, isShot: Bool = false) -> USBReadTurns.Reader
    {
        .init(camera: camera, bus: bus, isShot: isShot)
    }

    @Test func `as many read as there is memory for, and those who wait go in the order in which they came`()
    {
        var turns = USBReadTurns()
        let limits = USBReadTurns.Limits(inAll: 2, onEachBus: 6)
        for (ticket, camera) in ["a", "b", "c", "d"].enumerated() {
            turns.wait(UInt64(ticket), Self.reader(CameraID(rawValue: camera)))
        }
        #expect(turns.admit(limits) == [0, 1] && turns.readers == 2)
        #expect(turns.admit(limits) == [])
        turns.end(1)
        #expect(turns.admit(limits) == [2])
        // One that is tired of waiting holds nobody up.
        turns.end(3)
        turns.wait(4, Self.reader("e"))
        turns.end(0)
        #expect(turns.admit(limits) == [4])
    }

    @Test func `a full bus keeps nobody from another one, and full memory keeps everybody`() {
        var turns = USBReadTurns()
        let limits = USBReadTurns.Limits(inAll: 3, onEachBus: 1)
        for (ticket, (camera, bus)) in [("a", 1), ("b", 1), ("c", 2), ("d", 3), ("e", 4)].enumerated() {
            turns.wait(UInt64(ticket), Self.reader(CameraID(rawValue: camera), bus: bus))
        }
        #expect(turns.admit(limits) == [0, 2, 3])
        turns.end(0)
        #expect(turns.admit(limits) == [1])
    }

    @Test func `a camera begins its next photo at once, unless another one waits for its place`() {
        var turns = USBReadTurns()
        let limits = USBReadTurns.Limits(inAll: 1, onEachBus: 6)
        turns.wait(1, Self.reader("a"))
        turns.wait(2, Self.reader("a"))
        #expect(turns.admit(limits) == [1, 2])
        turns.wait(3, Self.reader("b"))
        turns.wait(4, Self.reader("a"))
        #expect(turns.admit(limits) == [])
        turns.end(1)
        #expect(turns.admit(limits) == [])
        turns.end(2)
        #expect(turns.admit(limits) == [3])
        turns.end(3)
        #expect(turns.admit(limits) == [4])
    }

    @Test func `a shot goes before what lay on the cards`() {
        var turns = USBReadTurns()
        let limits = USBReadTurns.Limits(inAll: 1, onEachBus: 6)
        turns.wait(1, Self.reader("a"))
        turns.wait(2, Self.reader("b"))
        turns.wait(3, Self.reader("c", isShot: true))
        #expect(turns.admit(limits) == [3])
    }

    @Test func `whoever comes in whatever order, the limits hold and everybody gets a turn`() {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<200 {
            var turns = USBReadTurns()
            let limits = USBReadTurns.Limits(
                inAll: .random(in: 1...4, using: &generator), onEachBus: .random(in: 1...3, using: &generator)
            )
            var readers: [UInt64: USBReadTurns.Reader] = [:]
            var (inside, done) = (Set<UInt64>(), Set<UInt64>())
            for ticket in 0..<UInt64(40) {
                let camera = Int.random(in: 0..<8, using: &generator)
                let reader = Self.reader(
                    CameraID(rawValue: "\(camera)"), bus: camera % 3, isShot: .random(using: &generator))
                readers[ticket] = reader
                turns.wait(ticket, reader)
                inside.formUnion(turns.admit(limits))
                if let ends = inside.randomElement(using: &generator), .random(using: &generator) {
                    turns.end(ends)
                    inside.remove(ends)
                    done.insert(ends)
                    inside.formUnion(turns.admit(limits))
                }
                let cameras = Set(inside.compactMap { readers[$0] }.map { "\($0.camera) \($0.bus)" })
                #expect(cameras.count <= limits.inAll)
                for bus in 0..<3 { #expect(cameras.count { $0.hasSuffix(" \(bus)") } <= limits.onEachBus) }
            }
            while let ends = inside.first {
                turns.end(ends)
                inside.remove(ends)
                done.insert(ends)
                inside.formUnion(turns.admit(limits))
            }
            #expect(done.count == 40)
        }
    }

    @Test func `readers wait at the gate for their turn, and those of a camera that is gone no more`()
        async throws
    {
        let gate = USBReadGate(onEachBus: 6) { 1 }
        let (begun, begin) = AsyncStream<Void>.makeStream()
        let (release, free) = AsyncStream<Void>.makeStream()
        let order = Order()
        let first = Task {
            try await gate.read(Self.reader("a")) { () async throws(WorkerFailure) in
                begin.yield()
                for await _ in release { break }
                order.add("a")
            }
        }
        for await _ in begun { break }
        let gone = Task {
            try await gate.read(Self.reader("b")) { () async throws(WorkerFailure) in }
        }
        let second = Task {
            try await gate.read(Self.reader("c")) { () async throws(WorkerFailure) in
                order.add("c")
            }
        }
        let result = await eventuallyGone(gone, gate)
        #expect(result?.kind == .disconnected)
        free.yield()
        try await first.value
        try await second.value
        #expect(order.names == ["a", "c"])
    }

    private final class Order: Sendable {
        private let readers = Mutex<[String]>([])
        var names: [String] { readers.withLock { $0 } }
        func add(_ name: String) { readers.withLock { $0.append(name) } }
    }

    /// It may not have come to the gate yet when it is told to go.
    private func eventuallyGone(_ task: Task<Void, any Error>, _ gate: USBReadGate) async -> WorkerFailure? {
        let teller = Task {
            while !Task.isCancelled {
                gate.abandon("b")
                await Task.yield()
            }
        }
        defer { teller.cancel() }
        do {
            try await task.value
            return nil
        } catch { return error as? WorkerFailure }
    }
}
