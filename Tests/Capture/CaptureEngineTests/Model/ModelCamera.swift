import Foundation
import FrameFastModel
import FrameFastSystem
import ScriptedWorker
import Synchronization
import TestRig
import WorkerProtocol

@testable import Cameras

/// A simulated camera with a card and a faulty link.
final class ModelCamera: Sendable {
    /// A fault of the next fetch.
    enum ReadFault: String, CaseIterable, Sendable {
        case disconnected, timeout, busy, refused, corrupt, gone, hostIO, zeros, short
    }

    /// A fault of the next listing.
    enum ListFault: String, CaseIterable, Sendable {
        /// The listing is interrupted.
        case cut
        /// One object is listed twice.
        case doubled
        /// The folder, time or size of one object is misread.
        case nameless, timeless, otherTime, sizeless
        /// The name of the parent of all folders is unreadable from now on.
        case misplaced
    }

    /// The announcement of a new photo.
    enum Announcement: String, CaseIterable, Sendable {
        case announced, announcedTwice, lost, misread
    }

    struct Shot: Sendable {
        var object: CameraObject
        var bytes: Data

        /// The object as the driver reports it if the name of the parent folder is unreadable.
        var misplaced: CameraObject {
            var misplaced = object
            misplaced.folder = object.folder.replacing("/DCIM/", with: ModelCamera.unreadable + "/")
            return misplaced
        }
    }

    struct Connection: Sendable {
        var daemonSide: CameraConnection
        var notices: AsyncStream<[CameraConnection.Notice]>.Continuation
        var worker: ScriptedWorker
    }

    let id: CameraID
    let serial: String
    private let state: Mutex<State>

    private struct State {
        var place: String
        var card: [Shot] = []
        var taken: [Shot] = []
        var number = 0
        var time: Int64 = 1_700_000_000
        var readFaults: [ReadFault] = []
        var listFaults: [ListFault] = []
        var isMisplaced = false
        /// The objects that a listing reported with a wrong time while the folder names were readable.
        var mistimed: Set<CameraObject> = []
        var unannounced = 0
        var connection: Connection?
    }

    init(id: CameraID, serial: String) {
        self.id = id
        self.serial = serial
        state = Mutex(State(place: id.rawValue))
    }

    /// The USB port of the camera.
    var place: String {
        get { state.withLock(\.place) }
        set { state.withLock { $0.place = newValue } }
    }

    /// All photos that were taken.
    var taken: [Shot] { state.withLock(\.taken) }

    /// Whether the card still has a photo.
    func has(_ shot: Shot) -> Bool { state.withLock { $0.card.contains { $0.object == shot.object } } }

    /// Whether a listing reported this object with a wrong time, and the folder names are now unreadable.
    ///
    /// Later listings cannot disprove such a record, because no object on the card has its path or its time.
    /// The photo might be on another card.
    func hasMisreadTwice(_ object: CameraObject) -> Bool {
        state.withLock { $0.isMisplaced && $0.mistimed.contains(object) }
    }

    /// Adds a fault for the next fetch.
    func addFault(_ fault: ReadFault) { state.withLock { $0.readFaults.append(fault) } }

    /// Adds a fault for the next listing.
    func addFault(_ fault: ListFault) { state.withLock { $0.listFaults.append(fault) } }

    /// Removes all faults except unreadable folder names.
    func recover() {
        state.withLock {
            $0.readFaults = []
            $0.listFaults = []
        }
    }

    // MARK: the shutter

    /// Takes a photo. File names restart in each new folder. Two photos may have the same time, because times
    /// are in seconds.
    ///
    /// - Parameter size: The size of the photo, in bytes.
    func shoot(_ announcement: Announcement, size: Int, secondsLater: Int64) {
        let (shot, connection) = state.withLock { state in
            state.number += 1
            state.time += secondsLater
            let folder = 100 + state.number / Self.namesInFolder
            let name = String(format: "IMG_%04d.JPG", 1 + state.number % Self.namesInFolder)
            let bytes = Self.photo("\(id) \(state.number)", size: size)
            let shot = Shot(
                object: CameraObject(
                    folder: "/store_00010001/DCIM/\(folder)CANON", name: name, size: UInt64(bytes.count),
                    cameraTime: state.time), bytes: bytes)
            state.card.append(shot)
            state.taken.append(shot)
            if announcement == .lost { state.unannounced += 1 }
            return (shot, state.connection)
        }
        guard let connection else { return }
        connection.worker.put(state.withLock { $0.card.map(\.object) })
        connection.worker.setMissingCount(state.withLock(\.unannounced))
        switch announcement {
        case .announced: connection.notices.yield([.objectAdded(shot.object)])
        case .announcedTwice:
            connection.notices.yield([.objectAdded(shot.object)])
            connection.notices.yield([.objectAdded(shot.object)])
        case .lost: break
        case .misread:
            var misread = shot.object
            misread.folder = Self.unreadable
            connection.notices.yield([.objectAdded(misread)])
            connection.notices.yield([.objectAdded(shot.object)])
        }
    }

    private static let namesInFolder = 12
    /// The reported path of a folder whose name is unreadable.
    fileprivate static let unreadable = "/<none>"

    /// Returns a JPEG that contains this text, padded to this size.
    private static func photo(_ words: String, size: Int) -> Data {
        let comment = Data(words.utf8)
        let length = UInt16(comment.count + 2)
        var jpeg = Data([0xFF, 0xD8, 0xFF, 0xFE, UInt8(length >> 8), UInt8(length & 0xFF)]) + comment
        jpeg += Data([0xFF, 0xDA, 0, 2])
        jpeg += Data(repeating: 0x55, count: max(1, size - jpeg.count - 2))
        return jpeg + Data([0xFF, 0xD9])
    }

    // MARK: connections

    /// Starts a connection that lists the current card with the next listing fault.
    func connect(deletesAfterSave: Bool, using random: inout SeededRandom) throws -> Connection {
        let (ours, theirs) = try SocketPair.make()
        let (objects, isCut) = listing(using: &random)
        let worker = ScriptedWorker(objects) { [self] object, _, _ throws(WorkerFailure) in
            try read(object)
        }
        if isCut {
            worker.failListing(WorkerFailure(kind: .disconnected, during: "list", text: "the link is cut"))
        }
        worker.onDelete { [self] object in
            state.withLock { $0.card.removeAll { $0.object == object || $0.misplaced == object } }
        }
        let (notices, notice) = AsyncStream<[CameraConnection.Notice]>.makeStream()
        let daemonSide = CameraConnection(
            configured: ConfiguredCamera(
                id: id, name: id.rawValue, port: "usb:", zone: .gmt, deletesAfterSave: deletesAfterSave),
            place: place, facts: CameraFacts(maker: "Test", model: "T", serial: serial), notices: notices,
            link: WorkerLink(socket: ours, name: id.rawValue))
        worker.serve(theirs)
        let connection = Connection(daemonSide: daemonSide, notices: notice, worker: worker)
        state.withLock {
            $0.connection = connection
            $0.unannounced = 0
        }
        return connection
    }

    /// Ends the connection.
    func disconnect() { state.withLock { $0.connection = nil } }

    /// Breaks the connection. If `killsWorker` is `true`, also simulates a killed worker.
    func breakConnection(killsWorker: Bool) {
        guard let connection = state.withLock(\.connection) else { return }
        if killsWorker { connection.daemonSide.abandon() }
        connection.notices.yield([.lost(WorkerFailure(kind: .disconnected, during: "model", text: "cut"))])
        connection.notices.finish()
    }

    private func listing(using random: inout SeededRandom) -> ([CameraObject], isCut: Bool) {
        let (card, fault) = state.withLock { state in
            let fault = state.card.isEmpty || state.listFaults.isEmpty ? nil : state.listFaults.removeFirst()
            if fault == .misplaced { state.isMisplaced = true }
            return (state.card.map { state.isMisplaced ? $0.misplaced : $0.object }, fault)
        }
        var objects = card
        guard let fault, let index = objects.indices.randomElement(using: &random) else {
            return (objects, false)
        }
        switch fault {
        case .cut: return (objects, true)
        case .doubled: objects.append(objects[index])
        case .misplaced: break
        case .nameless: objects[index].folder = Self.unreadable
        case .timeless: objects[index].cameraTime = nil
        case .otherTime:
            objects[index].cameraTime = 12
            let mistimed = objects[index]
            state.withLock { if !$0.isMisplaced { $0.mistimed.insert(mistimed) } }
        case .sizeless: objects[index].size = 0
        }
        return (objects, false)
    }

    private func read(_ object: CameraObject) throws(WorkerFailure) -> Data {
        let (shot, fault) = state.withLock { state in
            (
                // The facts of the object may be misread. Its handle would still identify the photo.
                state.card.first { $0.object == object }
                    ?? state.card.first { $0.object.path == object.path || $0.misplaced.path == object.path }
                    ?? state.card.first { $0.object.withoutFolder == object.withoutFolder },
                state.readFaults.isEmpty ? nil : state.readFaults.removeFirst()
            )
        }
        func failure(_ kind: WorkerFailure.Kind) -> WorkerFailure {
            WorkerFailure(kind: kind, during: "fetch", text: fault?.rawValue ?? "no such object")
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
        case .short: return bytes.dropLast(3)
        }
    }
}
