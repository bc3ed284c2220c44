import GPhoto2
import Glibc
import WorkerProtocol

extension DriverConnection {
    /// Streams one object into its `.part` file. The sink sends the reply to the daemon.
    mutating func fetch(_ id: UInt64, _ request: FetchRequest) {
        let photo: IncomingPhoto
        do throws(WorkerFailure) {
            photo = try IncomingPhoto(id: id, request)
        } catch {
            if Sandbox.blocksCreation(of: request.partPath) {
                drainMemory()
                Sandbox.exitForReplacedFolder()
            }
            return daemon.send(.failed(id: id, error))
        }
        let start = Instant.now
        let shotsBefore = transfer.shotsTime
        transfer.bufferReleaseDue = start + Self.bufferIdle
        let path = CameraPath(folder: request.folder, name: request.name)
        guard !path.isInMemory else { return fetchFromStore(path.name, to: photo) }
        var failure: WorkerFailure?
        do throws(CameraError) {
            failure = try receive(path, to: photo, plan(for: request), isShot: request.isShot)
        } catch {
            failure = classify(error, during: WorkerFailure.fetching)
        }
        let time = Instant.now - start - (transfer.shotsTime - shotsBefore)
        sink.finish(photo, transferMs: time.wholeMilliseconds, failure: failure)
        card.listing?.recordActivity(at: .now)
        pollDuringTransfer()
    }

    private func plan(for request: FetchRequest) -> ReadingPlan {
        ReadingPlan.choose(
            ReadingPlan.Facts(
                announced: request.announcedSize, asWhole: request.asWhole,
                isNetwork: camera.sockets.isNetwork,
                largeReads: camera.readsWideChunks
                    ? .chunks : camera.readsNikonsWideChunks ? .wholeInChunks : .none,
                isGuarded: camera.isGuarded, isFujifilm: camera.isFujifilm))
    }

    /// Prepares the driver to find the file and to read it with the planned method.
    private mutating func prepare(_ path: CameraPath, hidingPartialTransfers: Bool?) throws(CameraError) {
        if let hidingPartialTransfers, hidingPartialTransfers != camera.hidesPartialTransfers {
            try reopen(hidingPartialTransfers: hidingPartialTransfers)
        }
        try reveal(path)
    }

    /// Copies a photo from the photo store. The photo arrived together with its event and needs no request to
    /// the camera.
    private func fetchFromStore(_ name: String, to photo: IncomingPhoto) {
        var failure: WorkerFailure?
        switch photoStore.location(of: name) {
        case .file(let file): return sink.copy(photo, from: file)
        case .memory(let bytes): _ = bytes.withUnsafeBytes { sink.collect(photo, $0) }
        case nil:
            failure = WorkerFailure(
                kind: .objectGone, during: "fetch", text: "the photo is no longer in the camera's memory")
        }
        sink.finish(photo, transferMs: 0, failure: failure)
    }

    /// Reads with the planned method. If the camera does not support the planned method, uses the other
    /// method.
    private mutating func receive(
        _ path: CameraPath, to photo: IncomingPhoto, _ plan: ReadingPlan, isShot: Bool
    ) throws(CameraError) -> WorkerFailure? {
        do throws(CameraError) {
            switch plan {
            case .impossible:
                let text = "the driver cannot read objects of 4.3 GB or more over the network"
                return Self.tooLarge(camera.isGuarded ? text : CameraHandle.photosOnly.text)
            case .chunks:
                try prepare(path, hidingPartialTransfers: false)
                try readChunks(path, to: photo, isShot: isShot)
            case .whole(let hidingPartialTransfers):
                try prepare(path, hidingPartialTransfers: hidingPartialTransfers)
                try getWhole(path, to: photo)
            }
        } catch {
            // Switches the method only before the first byte arrives, because the bytes of both methods must
            // not be mixed. The other method has a different size limit, so the size must be known. A
            // Fujifilm has no other method.
            guard error.kind == .unsupported, photo.announced < ReadingPlan.unknownSize, photo.isEmpty,
                !camera.isFujifilm
            else {
                if error.kind == .unsupported, !photo.isEmpty { return Self.tooLarge(error.text) }
                throw error
            }
            if plan == .chunks {
                try getWhole(path, to: photo)
            } else {
                try readChunks(path, to: photo, isShot: isShot)
            }
        }
        return nil
    }

    private static func tooLarge(_ text: String) -> WorkerFailure {
        WorkerFailure(kind: .tooLarge, during: "fetch", text: text)
    }

    /// Reads chunks until the camera has no more data, regardless of the announced size.
    private mutating func readChunks(
        _ path: CameraPath, to photo: IncomingPhoto, isShot: Bool
    ) throws(CameraError) {
        var offset: UInt64 = 0
        var shortCount: Int?
        while true {
            let left = photo.announced - min(photo.announced, offset)
            let (chunk, asked) = try readChunk(path, offset: offset, left: left)
            // A reopened connection has no handle of this file yet.
            if offset == 0 || transfer.handles[path] == nil, let handle = camera.lastRead {
                transfer.handles.record(path, handle)
            }
            // If the object continues after a short chunk, the camera limits the chunk size.
            if let shortCount, !chunk.isEmpty { transfer.chunks.limit(shortCount) }
            shortCount = chunk.count < asked ? chunk.count : nil
            guard !chunk.isEmpty, sink.write(photo, chunk) else { return }
            offset += UInt64(chunk.count)
            performDuties(in: .betweenChunks)
            waitForShutter()
            // Fetching a shot may have reopened the driver's connection. The driver must then be prepared
            // again.
            if !isShot, fetchShots() { try prepare(path, hidingPartialTransfers: false) }
        }
    }

    /// Reads one chunk. If the camera refuses the size, requests a smaller chunk.
    private mutating func readChunk(
        _ path: CameraPath, offset: UInt64, left: UInt64
    ) throws(CameraError) -> (bytes: UnsafeRawBufferPointer, asked: Int) {
        while true {
            let size = transfer.chunks.beginChunk(left: left)
            let buffer = sink.buffer(for: size)
            do throws(CameraError) {
                let count = try camera.read(path, offset: offset, into: buffer)
                transfer.chunks.recordChunk(count, in: camera.lastReadMs)
                shutter.rest.recordRead(at: .now)
                return (UnsafeRawBufferPointer(rebasing: buffer[..<count]), size)
            } catch {
                classify(error, during: WorkerFailure.fetching)
                guard loss == nil else { throw error }
                guard transfer.chunks.recordFailure(isRefused: camera.hasRefusedRead) else { throw error }
            }
        }
    }

    /// Reads the object as one stream, in chunks that the driver chooses.
    private mutating func getWhole(_ path: CameraPath, to photo: IncomingPhoto) throws(CameraError) {
        let sink = sink
        try camera.get(path) { chunk in sink.collect(photo, chunk) }
        shutter.rest.recordRead(at: .now)
        if let handle = camera.lastRead { transfer.handles.record(path, handle) }
    }

    /// Fetches shots that were requested during this transfer. Shots must not wait for the end of a long
    /// movie.
    ///
    /// - Returns: Whether any shots were fetched.
    private mutating func fetchShots() -> Bool {
        let start = Instant.now
        var count = 0
        while loss == nil, let shot = queue.nextShot() {
            count += 1
            fetch(shot.id, shot.request)
            performDuties(in: .betweenChunks)
        }
        transfer.shotsTime += Instant.now - start
        return count > 0
    }
}
