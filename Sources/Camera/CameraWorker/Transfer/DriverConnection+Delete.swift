import FrameFastModel
import GPhoto2
import WorkerProtocol

extension DriverConnection {
    /// Deletes an object from the camera if it is still the fetched photo. If the photo came from the
    /// camera's memory, only the worker's stored copy exists, and the worker deletes that copy.
    mutating func delete(_ id: UInt64, _ object: CameraObject) {
        let path = CameraPath(folder: object.folder, name: object.name)
        if path.isInMemory {
            photoStore.remove(path.name)
            return daemon.send(.done(id: id))
        }
        do throws(CameraError) {
            try reveal(path)
            try camera.delete(path, handle: try confirmUnchanged(object, at: path))
            if !camera.isGuarded { try confirmGone(object, at: path) }
        } catch {
            return daemon.send(.failed(id: id, classify(error, during: "delete")))
        }
        daemon.send(.done(id: id))
        memory.photos?.remove(path)
        transfer.handles.remove(path)
        pollMemory()
    }

    /// Verifies with the camera that an object is unchanged. The driver's cache is not sufficient, because a
    /// newly formatted card reuses names and handles.
    ///
    /// - Returns: The object's handle, or 0 if the worker can't read the packets and has to rely on the
    ///   driver's cache.
    private mutating func confirmUnchanged(_ object: CameraObject, at path: CameraPath) throws(CameraError)
        -> UInt32
    {
        // If the driver can't find the file, the driver may delete all files (delete_file_func). To prevent
        // this, the worker must see the packets. Without packets, the worker deletes photos only from a
        // camera that stops shooting when its memory is full.
        guard camera.isGuarded || memory.photos != nil else { throw CameraHandle.photosOnly }
        guard try self.object(at: path) == object else { throw Self.isAnother(path) }
        guard camera.isGuarded else { return 0 }
        let handle = if let read = transfer.handles[path] { read } else { try handle(of: object, at: path) }
        let now: CardObject?
        do throws(CameraError) { now = try camera.object(handle) } catch {
            // No more direct requests are possible in this connection. The worker deletes the photo without
            // verification, because a full memory would stop the camera.
            guard error.kind == .unsupported, memory.photos != nil else { throw error }
            return handle
        }
        guard let now else {
            throw CameraError(
                kind: .notFound, code: 0, operation: "delete",
                text: "\(path.name) is no longer on the camera")
        }
        guard DeletionRule.isStill(now, object, listsCoarsely: camera.listsFolderAtOnce) else {
            throw Self.isAnother(path)
        }
        return handle
    }

    /// Returns the handle that the driver uses for a file. The worker finds the handle in a request of the
    /// driver.
    private func handle(of object: CameraObject, at path: CameraPath) throws(CameraError) -> UInt32 {
        guard let handle = try handleInRequest(for: object, at: path) else {
            throw CameraError(
                kind: .refused, code: 0, operation: "delete",
                text: "the camera does not report the handle of \(path.name)")
        }
        return handle
    }

    /// Makes the driver send a request for a file.
    ///
    /// - Returns: The handle in the request, or `nil` if the driver sends no request.
    private func handleInRequest(
        for object: CameraObject, at path: CameraPath
    ) throws(CameraError) -> UInt32? {
        do throws(CameraError) {
            _ = try camera.read(path, offset: 0, into: sink.buffer(for: Self.peekBytes))
            return camera.lastRead
        } catch {
            // The driver can't request a part of a file if partial transfers are hidden, or if the file has
            // 0 bytes.
            guard error.kind == .unsupported else { throw error }
        }
        do throws(CameraError) { return try camera.requestThumbnail(of: path) } catch {
            // The driver requests no thumbnail of this file. The worker reads the whole file of a Fujifilm,
            // because a photo that is not deleted fills the camera's memory.
            guard error.kind == .unsupported, camera.isFujifilm || object.size <= ReadingPlan.wholeLimit
            else { throw error }
        }
        try camera.get(path) { _ in true }
        return camera.lastRead
    }

    /// Throws if the driver still lists the object. The driver reports success whatever the camera answers,
    /// but keeps an object in its list until the camera has deleted the object.
    private func confirmGone(_ object: CameraObject, at path: CameraPath) throws(CameraError) {
        camera.forgetListings()
        guard let left = try? self.object(at: path), left == object else { return }
        throw CameraError(
            kind: .refused, code: 0, operation: "delete", text: "the camera still has \(path.name)")
    }

    /// The number of bytes that the worker reads to determine a file's handle.
    private static let peekBytes = 512

    private static func isAnother(_ path: CameraPath) -> CameraError {
        CameraError(
            kind: .refused, code: 0, operation: "delete", text: "another photo now has the name \(path.name)")
    }
}
