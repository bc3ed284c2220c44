import Cameras
import Crypto
import Foundation
import FrameFastModel
import FrameFastSystem
import Synchronization
import WorkerProtocol

/// The worker of a simulated camera. The worker performs one command at a time, each after a random delay.
extension SimulatedCamera {
    /// The computer that a worker runs on.
    struct Computer: Sendable {
        var disk: SimulatedDisk
        var executor: SimulationExecutor
        var trace: SimulationTrace
        /// The number of the service's run that started the worker.
        var generation: Int

        init(_ disk: SimulatedDisk, _ executor: SimulationExecutor, _ trace: SimulationTrace) {
            (self.disk, self.executor, self.trace) = (disk, executor, trace)
            generation = disk.generation
        }

        /// Whether the service that started the worker still runs.
        var isAlive: Bool { !disk.isKilled && disk.generation == generation }
    }

    /// The failure of a camera that is gone.
    static let lost = WorkerFailure(kind: .disconnected, during: "simulation", text: "the camera is gone")

    /// The longest delay before a command, in milliseconds.
    private static let commandMsMax = 400
    /// The longest time for which the worker hashes a photo after it has read the photo, in milliseconds.
    private static let hashMsMax = 600
    /// The largest number of bytes that a short read lacks.
    private static let missingMax = 16
    /// The wrong time in a misread listing, in seconds since 1970.
    private static let wrongTime: Int64 = 12

    /// Connects the camera.
    ///
    /// - Returns: The connection, or `nil` while the cable is unplugged.
    func connect(deletesAfterSave: Bool, to computer: Computer) -> CameraConnection? {
        guard isPlugged else { return nil }
        removeUnreportedParts()
        let (commands, sink) = AsyncStream<WorkerCommand>.makeStream()
        let worker = CameraConnection.InProcessWorker { _ = sink.yield($0) }
        let (notices, notice) = AsyncStream<[CameraConnection.Notice]>.makeStream()
        // A connection starts with a listing, which shows all photos.
        state.withLock { $0.unreported = [] }
        let connection = CameraConnection(
            configured: ConfiguredCamera(
                id: id, name: id.rawValue, port: "usb:", zone: .gmt, deletesAfterSave: deletesAfterSave),
            place: place, facts: reportFacts(), notices: notices, worker: worker)
        state.withLock { state in
            state.connection = Connection(session: connection, notices: notice, commands: sink)
            state.unannounced = 0
        }
        Task {
            for await command in commands {
                let pause = computer.executor.draw { $0.number(1...Self.commandMsMax) }
                try? await computer.executor.clock.sleep(Double(pause) / 1_000)
                for event in perform(command, for: connection, on: computer) {
                    if traits.hashesLate, case .fetched = event {
                        Task { await sendLate(event, of: command, from: worker, on: computer) }
                    } else {
                        send(event, of: command, from: worker)
                    }
                }
            }
        }
        return connection
    }

    /// Sends the result of a fetch after the photo is hashed. The worker performs other commands until then.
    private func sendLate(
        _ event: WorkerEvent, of command: WorkerCommand, from worker: CameraConnection.InProcessWorker,
        on computer: Computer
    ) async {
        let pause = computer.executor.draw { $0.number(0...Self.hashMsMax) }
        try? await computer.executor.clock.sleep(Double(pause) / 1_000)
        guard computer.isAlive else { return }
        send(event, of: command, from: worker)
    }

    /// Sends the result of a command. After the report of a transfer, its part file belongs to the service.
    private func send(
        _ event: WorkerEvent, of command: WorkerCommand, from worker: CameraConnection.InProcessWorker
    ) {
        if case .fetched = event, case .fetch(_, let request) = command, worker.isAlive {
            state.withLock { _ = $0.unreportedParts.remove(request.partPath) }
        }
        worker.send(event)
    }

    /// Removes the part files that earlier workers of the camera wrote and did not report.
    ///
    /// A real worker writes to its own folder. `WorkerProcess` empties this folder before it starts the next
    /// worker. The service itself cannot remove such a file, because the worker may write the file after the
    /// connection ends.
    private func removeUnreportedParts() {
        let parts = state.withLock { state in
            defer { state.unreportedParts = [] }
            return state.unreportedParts
        }
        for part in parts.sorted() { try? FileManager.default.removeItem(atPath: part) }
    }

    /// Ends the connection.
    func disconnect() {
        let connection = state.withLock { state in
            defer { state.connection = nil }
            return state.connection
        }
        connection?.commands.finish()
        connection?.notices.finish()
        connection?.session.abandon()
    }

    // MARK: commands

    private func perform(
        _ command: WorkerCommand, for session: CameraConnection, on computer: Computer
    ) -> [WorkerEvent] {
        // Nothing reaches a camera after its connection or the service has ended.
        let isConnected = state.withLock { $0.connection?.session.identity == session.identity }
        guard isConnected, computer.isAlive, isPlugged else { return [] }
        switch command {
        case .list(let id): return list(id, computer)
        case .reconcile(let id):
            return state.withLock { [.reconciled(id: id, missing: $0.unannounced, total: $0.card.count)] }
        case .fetch(let id, let request):
            do throws(WorkerFailure) { return [.fetched(id: id, try fetch(request, computer))] } catch {
                return [.failed(id: id, error)]
            }
        case .delete(let id, let object):
            delete(object, computer)
            return [.done(id: id)]
        case .refresh(let id):
            state.withLock(\.connection)?.notices.yield([.facts(reportFacts())])
            return [.done(id: id)]
        case .trigger(let id), .end(let id): return [.done(id: id)]
        case .begin(let id, _), .focus(let id, _), .readSettings(let id, _), .writeSettings(let id, _),
            .setClock(let id, _, _), .liveFrame(let id, _):
            return [
                .failed(id: id, WorkerFailure(kind: .unsupported, during: "simulation", text: "unsupported"))
            ]
        case .open, .close: return []
        }
    }

    private func delete(_ object: CameraObject, _ computer: Computer) {
        let deleted = state.withLock { state -> [Shot] in
            let deleted = state.card.filter { $0.object == object || $0.misplaced == object }
            state.card.removeAll { deleted.contains($0) }
            return deleted
        }
        computer.trace.add("\(id): deleted \(object.path), \(deleted.count) photo(s)")
        if let shot = deleted.first { shoot(atDeletionOf: shot, computer.trace) }
    }

    private func list(_ id: UInt64, _ computer: Computer) -> [WorkerEvent] {
        let (objects, fault) = listing(computer.executor)
        computer.trace.add(
            "\(self.id): lists \(objects.count) object(s)\(fault.map { ", fault \($0)" } ?? "")")
        state.withLock { state in
            state.connection?.objects = objects
            state.unannounced = 0
        }
        guard fault == .cut else {
            return wholeList(id, objects)
        }
        return [
            .listed(id: id, Array(objects.prefix(objects.count / 2)), isLast: false, total: objects.count),
            .failed(id: id, Self.lost),
        ]
    }

    /// Returns the reports of a complete list.
    private func wholeList(_ id: UInt64, _ objects: [CameraObject]) -> [WorkerEvent] {
        let (count, firstCount) = (objects.count, traits.listsInPortions ? objects.count / 2 : 0)
        let last = WorkerEvent.listed(
            id: id, Array(objects.dropFirst(firstCount)), isLast: true, total: count)
        guard firstCount > 0 else { return [last] }
        return [.listed(id: id, Array(objects.prefix(firstCount)), isLast: false, total: count), last]
    }

    private func listing(_ executor: SimulationExecutor) -> ([CameraObject], ListFault?) {
        let (card, fault) = state.withLock { state -> ([CameraObject], ListFault?) in
            let fault = state.card.isEmpty || state.listFaults.isEmpty ? nil : state.listFaults.removeFirst()
            if fault == .misplaced { state.isMisplaced = true }
            state.listed.formUnion(state.card)
            return (state.card.map { state.isMisplaced ? $0.misplaced : $0.object }, fault)
        }
        var objects = card
        guard let fault, !objects.isEmpty else { return (objects, nil) }
        let last = objects.count - 1
        let index = executor.draw { $0.number(0...last) }
        let right = objects[index]
        if ![.cut, .doubled].contains(fault) { state.withLock { _ = $0.misread.insert(right) } }
        switch fault {
        case .cut, .misplaced: break
        case .doubled: objects.append(objects[index])
        case .nameless: objects[index].folder = Self.unreadable
        case .timeless: objects[index].cameraTime = nil
        case .otherTime:
            objects[index].cameraTime = Self.wrongTime
            let mistimed = objects[index]
            state.withLock { state in
                if !state.isMisplaced { state.mistimed.insert(mistimed) }
            }
        case .sizeless: objects[index].size = 0
        }
        return (objects, fault)
    }

    // MARK: fetches

    private func fetch(_ request: FetchRequest, _ computer: Computer) throws(WorkerFailure) -> FetchResult {
        let requested = CameraObject(
            folder: request.folder, name: request.name, size: request.announcedSize, cameraTime: 1)
        let bytes = try read(requested, computer.trace)
        do {
            try bytes.write(to: URL(filePath: request.partPath), options: .withoutOverwriting)
        } catch {
            throw WorkerFailure(kind: .hostIO, during: "fetch", text: "cannot write")
        }
        state.withLock { _ = $0.unreportedParts.insert(request.partPath) }
        return FetchResult(
            bytes: UInt64(bytes.count), sha256: Hex.text(SHA256.hash(data: bytes)), transferMs: 1)
    }

    private func nextWrongRead() -> Int {
        state.withLock { state in
            state.wrongReads += 1
            return state.wrongReads
        }
    }

    private func read(_ requested: CameraObject, _ trace: SimulationTrace) throws(WorkerFailure) -> Data {
        let (shot, fault) = state.withLock { state -> (Shot?, ReadFault?) in
            // A request contains no time. The driver knows the time of each listed object.
            let known = state.connection?.objects.first {
                ($0.folder, $0.name, $0.size) == (requested.folder, requested.name, requested.size)
            }
            let object = known ?? requested
            // The driver may have misread the folder, time or size, but a real fetch uses the handle.
            // Therefore a partial match also finds the photo.
            let shot =
                state.card.first { $0.object == object }
                ?? state.card.first { $0.object.path == object.path || $0.misplaced.path == object.path }
                ?? state.card.first { $0.object.withoutFolder == object.withoutFolder }
            if let shot { state.requests[shot, default: 0] += 1 }
            if let shot, shot == state.unreadablePhoto { return (shot, .disconnected) }
            let fault = state.readFaults.isEmpty ? nil : state.readFaults.removeFirst()
            if fault == nil, let shot, shot.object == object {
                state.reads[shot, default: 0] += 1
                if !state.listed.contains(shot) { state.readBeforeListing.insert(shot) }
            }
            return (shot, fault)
        }
        if let fault { trace.add("\(id): reads \(requested.path), fault \(fault)") }
        func failure(_ kind: WorkerFailure.Kind) -> WorkerFailure {
            WorkerFailure(kind: kind, during: "fetch", text: fault.map { "\($0)" } ?? "no such object")
        }
        guard let bytes = shot?.bytes else { throw failure(.objectGone) }
        switch fault {
        case nil: return bytes
        case .disconnected: throw failure(.disconnected)
        case .timeout: throw failure(.timeout)
        case .busy: throw failure(.busy)
        case .refused: throw failure(.refused)
        case .corrupt: throw failure(.corrupt)
        case .gone: throw failure(.objectGone)
        case .hostIO: throw failure(.hostIO)
        case .zeros: return Data(count: bytes.count)
        // The byte before the end-of-image marker is 0x55 on the card.
        case .wrong: return bytes.dropLast(3) + [UInt8(1 + nextWrongRead() % 0x54)] + bytes.suffix(2)
        case .short: return bytes.dropLast(3 + nextWrongRead() % Self.missingMax) + bytes.suffix(2)
        }
    }
}
