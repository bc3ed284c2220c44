import GPhoto2
import Glibc
import WorkerProtocol

extension CameraSession {
    /// Up to this size an object is asked for whole: one request instead of one a piece. Above it the pieces leave
    /// gaps for triggers and events.
    static let wholeLimit: UInt64 = 2 * 1_024 * 1_024

    /// Streams one object into its `.part` file. The sink answers.
    mutating func fetch(_ id: UInt64, _ request: FetchRequest) {
        let photo: IncomingPhoto
        do throws(WorkerFailure) {
            photo = try IncomingPhoto(id: id, request)
        } catch {
            return daemon.send(.failed(id: id, error))
        }
        let start = nowMs()
        let path = CameraPath(folder: request.folder, name: request.name)
        var failure: WorkerFailure?
        do throws(CameraError) {
            let prefersWhole = request.announcedSize <= Self.wholeLimit || request.folder == "/"
            try transfer(path, to: photo, whole: prefersWhole)
        } catch {
            failure = judge(error, during: "fetch")
        }
        sink.end(photo, transferMs: Int(nowMs() - start), failure: failure)
        if camera.eventsArrived != eventsTaken || (mustAsk && pace.isDueDuringTransfer(nowMs: nowMs())) {
            takeEvents()
        }
    }

    /// Reads by the preferred way, and by the other one where the camera has only that.
    private mutating func transfer(
        _ path: CameraPath, to photo: IncomingPhoto, whole: Bool
    ) throws(CameraError) {
        do throws(CameraError) {
            if whole { try getWhole(path, to: photo) } else { try readPieces(path, to: photo) }
        } catch {
            guard error.kind == .unsupported else { throw error }
            if whole { try readPieces(path, to: photo) } else { try getWhole(path, to: photo) }
        }
    }

    /// Reads in pieces until the camera has no more, whatever size it announced.
    private mutating func readPieces(_ path: CameraPath, to photo: IncomingPhoto) throws(CameraError) {
        var offset: UInt64 = 0
        while !sink.hasFailed(photo) {
            let buffer = sink.takeBuffer()
            let count: Int
            do throws(CameraError) {
                count = try camera.read(path, offset: offset, into: buffer)
            } catch {
                sink.giveBack(buffer)
                throw error
            }
            guard count > 0 else { return sink.giveBack(buffer) }
            sink.write(photo, UnsafeMutableRawBufferPointer(rebasing: buffer[..<count]))
            offset += UInt64(count)
            serveBetweenPieces()
        }
    }

    /// Gets the object as one stream. The driver gives pieces of any size: they are collected into whole buffers.
    private func getWhole(_ path: CameraPath, to photo: IncomingPhoto) throws(CameraError) {
        let sink = sink
        var buffer = sink.takeBuffer()
        var filled = 0
        defer {
            if filled > 0 {
                sink.write(photo, UnsafeMutableRawBufferPointer(rebasing: buffer[..<filled]))
            } else {
                sink.giveBack(buffer)
            }
        }
        try camera.get(path) { piece in
            var rest = piece
            while !rest.isEmpty {
                let count = min(rest.count, buffer.count - filled)
                UnsafeMutableRawBufferPointer(rebasing: buffer[filled..<filled + count])
                    .copyMemory(from: UnsafeRawBufferPointer(rebasing: rest[..<count]))
                filled += count
                rest = UnsafeRawBufferPointer(rebasing: rest[count...])
                guard filled == buffer.count else { continue }
                sink.write(photo, buffer)
                buffer = sink.takeBuffer()
                filled = 0
            }
            return !sink.hasFailed(photo)
        }
    }

    /// A long photo must not keep the shutter or new photos waiting.
    private mutating func serveBetweenPieces() {
        while loss == nil, let command = queue.nextUrgent() {
            if case .trigger(let id) = command { trigger(id) }
        }
        guard loss == nil else { return }
        if camera.eventsArrived != eventsTaken || (mustAsk && pace.isDueDuringTransfer(nowMs: nowMs())) {
            takeEvents()
        }
    }
}
