import Foundation
import FrameFastModel
import FrameFastSystem
import ScriptedWorker
import Synchronization
import TestRig
import WorkerProtocol

@testable import Cameras

/// A camera with a card that keeps what was shot, and a link that does what it likes.
final class ModelCamera: Sendable {
    /// What happens to the next reading of an object.
    enum ReadFault: String, CaseIterable, Sendable {
        case disconnected, timeout, busy, refused, corrupt, gone, hostIO, zeros, short
    }

    /// What is wrong with the next listing of the card.
    enum ListFault: String, CaseIterable, Sendable {
        /// It breaks off half-way.
        case cut
        /// One object comes twice.
        case doubled
        /// One object's folder, time or size is misread.
        case nameless, timeless, otherTime, sizeless
        /// The name of the folder around all others cannot be read from now on.
        case misplaced
    }

    /// What becomes of the word of a new photo.
    enum News: String, CaseIterable, Sendable {
        case told, toldTwice, lost, misread
    }

    struct Shot: Sendable {
        var object: CameraObject
        var bytes: Data

        /// As the driver calls it when the name of the folder around its own cannot be read.
        var misplaced: CameraObject {
            var misplaced = object
            misplaced.folder = object.folder.replacing("/DCIM/", with: ModelCamera.unreadable + "/")
            return misplaced
        }
    }

    struct Connection: Sendable {
        var session: CameraSession
        var notices: AsyncStream<[CameraSession.Notice]>.Continuation
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
        /// Facts with a wrong time that a listing gave while the folders could be read.
        var mistimed: Set<CameraObject> = []
        var unheard = 0
        var connection: Connection?
    }

    init(id: CameraID, serial: String) {
        self.id = id
        self.serial = serial
        state = Mutex(State(place: id.rawValue))
    }

    /// Where it is plugged in.
    var place: String {
        get { state.withLock(\.place) }
        set { state.withLock { $0.place = newValue } }
    }

    /// Everything that was shot.
    var taken: [Shot] { state.withLock(\.taken) }

    /// Whether its card still has a photo.
    func has(_ shot: Shot) -> Bool { state.withLock { $0.card.contains { $0.object == shot.object } } }

    /// Whether a listing gave exactly these facts with a wrong time, and the folder names can't be read since.
    ///
    /// No later listing disproves such facts: neither the path nor the time agrees with anything on the card, whether or
    /// not the card still has the photo. The photo might be on another card.
    func hasMisreadTwice(_ object: CameraObject) -> Bool {
        state.withLock { $0.isMisplaced && $0.mistimed.contains(object) }
    }

    /// Something will be wrong with the next readings.
    func suffer(_ fault: ReadFault) { state.withLock { $0.readFaults.append(fault) } }

    /// Something will be wrong with the next listing.
    func suffer(_ fault: ListFault) { state.withLock { $0.listFaults.append(fault) } }

    /// All is well from now on, but for names of folders that cannot be read.
    func recover() {
        state.withLock {
            $0.readFaults = []
            $0.listFaults = []
        }
    }

    // MARK: the shutter

    /// Takes a photo. Its name begins anew in the next folder after some; two may be of one second.
    ///
    /// - Parameter size: Bytes of the photo.
    func shoot(_ news: News, size: Int, secondsLater: Int64) {
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
            if news == .lost { state.unheard += 1 }
            return (shot, state.connection)
        }
        guard let connection else { return }
        connection.worker.put(state.withLock { $0.card.map(\.object) })
        connection.worker.misses(state.withLock(\.unheard))
        switch news {
        case .told: connection.notices.yield([.objectAdded(shot.object)])
        case .toldTwice:
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
    /// A folder whose name cannot be read.
    fileprivate static let unreadable = "/<none>"

    /// A JPEG with these words in it, as short as one can be.
    private static func photo(_ words: String, size: Int) -> Data {
        let comment = Data(words.utf8)
        let length = UInt16(comment.count + 2)
        var jpeg = Data([0xFF, 0xD8, 0xFF, 0xFE, UInt8(length >> 8), UInt8(length & 0xFF)]) + comment
        jpeg += Data([0xFF, 0xDA, 0, 2])
        jpeg += Data(repeating: 0x55, count: max(1, size - jpeg.count - 2))
        return jpeg + Data([0xFF, 0xD9])
    }

    // MARK: sessions

    /// Begins a session: the card is listed as it is now, with what is wrong with that listing.
    func connect(deletesAfterSave: Bool, using random: inout SeededRandom) throws -> Connection {
        let (ours, theirs) = try SocketPair.make()
        let (objects, isCut) = listing(using: &random)
        let worker = ScriptedWorker(objects) { [self] object, _, _ throws(WorkerFailure) in
            try read(object)
        }
        if isCut {
            worker.listFails(WorkerFailure(kind: .disconnected, during: "list", text: "the line is cut"))
        }
        worker.onDelete { [self] object in
            state.withLock { $0.card.removeAll { $0.object == object || $0.misplaced == object } }
        }
        let (notices, notice) = AsyncStream<[CameraSession.Notice]>.makeStream()
        let session = CameraSession(
            configured: ConfiguredCamera(
                id: id, name: id.rawValue, port: "usb:", zone: .gmt, deletesAfterSave: deletesAfterSave),
            place: place, facts: CameraFacts(maker: "Test", model: "T", serial: serial), notices: notices,
            link: WorkerLink(socket: ours, name: id.rawValue))
        worker.serve(theirs)
        let connection = Connection(session: session, notices: notice, worker: worker)
        state.withLock {
            $0.connection = connection
            $0.unheard = 0
        }
        return connection
    }

    /// The session is over.
    func disconnected() { state.withLock { $0.connection = nil } }

    /// Pulls the cable, or ends the worker.
    func cut(killsWorker: Bool) {
        guard let connection = state.withLock(\.connection) else { return }
        if killsWorker { connection.session.abandon() }
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
                // A misread folder or time is one in the driver's mind: the handle is the photo's.
                state.card.first { $0.object == object }
                    ?? state.card.first { $0.object.path == object.path || $0.misplaced.path == object.path }
                    ?? state.card.first { $0.object.wherever == object.wherever },
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
