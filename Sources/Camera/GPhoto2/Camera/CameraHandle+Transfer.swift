import CGPhoto2
import Glibc
import SystemIO

extension CameraHandle {
    /// Reads a part of a file.
    ///
    /// This method can't read beyond the announced size, because the driver stops there.
    ///
    /// - Returns: The number of bytes read, or 0 at the end of the file.
    /// - Throws: An error of kind ``CameraError/Kind-swift.enum/unsupported`` if the camera does not support
    ///   GetPartialObject, or if the file has 0 bytes.
    public borrowing func read(
        _ path: CameraPath, offset: UInt64, into buffer: UnsafeMutableRawBufferPointer
    ) throws(CameraError) -> Int {
        var count = UInt64(buffer.count)
        let bytes = buffer.baseAddress?.assumingMemoryBound(to: CChar.self)
        tap.dialogue.readObject = nil
        try call(.readFile) {
            gp_camera_file_read(raw, path.folder, path.name, GP_FILE_TYPE_NORMAL, offset, bytes, &count, $0)
        }
        try checkStep(.readFile)
        return Int(min(count, UInt64(buffer.count)))
    }

    /// The times since the last data request, in milliseconds: until the first byte of its response
    /// (`roundTrip`), and until now (`total`). The value is `nil` if the last request was not a data request
    /// or has no response yet.
    public var lastReadMs: (roundTrip: Double, total: Double)? {
        guard PTPOperation.reads(tap.dialogue.request.operation), tap.respondedAt >= tap.requestedAt else {
            return nil
        }
        let total = SystemTime.monotonicNs - tap.requestedAt
        return (Double(tap.respondedAt - tap.requestedAt) / 1_000_000, Double(total) / 1_000_000)
    }

    /// Whether the camera refused the last data request with an error response.
    public var hasRefusedRead: Bool {
        PTPOperation.reads(tap.dialogue.request.operation) && tap.dialogue.responseCode != 0
            && tap.dialogue.responseCode != PTPResponse.good
    }

    /// Transfers a whole file in chunks, as they arrive from the camera. The driver sends no request for a
    /// file of 0 bytes.
    ///
    /// - Parameter receive: Called with each chunk. If the closure returns `false`, the call fails with
    ///   ``CameraError/Kind-swift.enum/cancelled``.
    /// - Throws: An error of kind ``CameraError/Kind-swift.enum/unsupported`` for objects of format
    ///   "Undefined" without a thumbnail. Some cameras report RAW files in this format. Use
    ///   ``read(_:offset:into:)`` for such objects.
    public borrowing func get(
        _ path: CameraPath, receive: (UnsafeRawBufferPointer) -> Bool
    ) throws(CameraError) {
        let tap = tap
        tap.dialogue.readObject = nil
        try withoutActuallyEscaping(receive) { (receive) throws(CameraError) in
            let receiver = Unmanaged.passRetained(
                Receiver { chunk in
                    tap.recordReceivedData()
                    return receive(chunk)
                })
            defer { receiver.release() }
            let handler = UnsafeMutablePointer<CameraFileHandler>.allocate(capacity: 1)
            defer { handler.deallocate() }
            handler.initialize(to: Receiver.handler)
            var file: OpaquePointer?
            guard gp_file_new_from_handler(&file, handler, receiver.toOpaque()) == GP_OK, let file else {
                throw CameraError.outOfMemory
            }
            defer { gp_file_unref(file) }
            do throws(CameraError) {
                try call(.getFile) {
                    gp_camera_file_get(raw, path.folder, path.name, GP_FILE_TYPE_NORMAL, file, $0)
                }
            } catch {
                throw tap.dialogue.tooLong > 0 ? Self.tooLarge(.getFile) : error
            }
            try checkStep(.getFile)
        }
    }

    /// Requests a file's thumbnail and returns the file's handle, which is in the request. Discards the
    /// thumbnail. The camera may refuse the request.
    ///
    /// The library's cache contains no thumbnails, so each call sends a request (gp_filesystem_get_file_impl,
    /// the same in 2.5.30, 2.5.31 and 2.5.34). An error does not change the cache.
    ///
    /// - Returns: The handle, or `nil` if the driver sent no request.
    /// - Throws: An error of kind ``CameraError/Kind-swift.enum/unsupported`` if the camera announced no
    ///   thumbnail and the file is not an image. The driver then sends no request (get_file_func).
    public borrowing func requestThumbnail(of path: CameraPath) throws(CameraError) -> UInt32? {
        var file: OpaquePointer?
        guard gp_file_new(&file) == GP_OK, let file else { throw CameraError.outOfMemory }
        defer { gp_file_unref(file) }
        tap.dialogue.readObject = nil
        do throws(CameraError) {
            try call(.getFile) {
                gp_camera_file_get(raw, path.folder, path.name, GP_FILE_TYPE_PREVIEW, file, $0)
            }
        } catch {
            guard tap.dialogue.readObject != nil, !awaitsResponse else { throw error }
        }
        try checkStep(.getFile)
        return tap.dialogue.readObject
    }

    /// Returns the error for a response that is too long. The driver does not detect the overflow, and its
    /// own status is unreliable.
    static func tooLarge(_ during: DriverCall) -> CameraError {
        CameraError(
            kind: .tooLarge, code: GP_ERROR_FIXED_LIMIT_EXCEEDED, operation: during.name,
            text: "the object has 4.3 GB or more, which the driver cannot transfer over the network")
    }

    /// Throws if the response is too long for the driver, or if the received bytes may belong to another
    /// response.
    private borrowing func checkStep(_ during: DriverCall) throws(CameraError) {
        if tap.dialogue.tooLong > 0 { throw Self.tooLarge(during) }
        guard isOutOfStep else { return }
        throw CameraError(
            kind: .linkFailure, code: GP_ERROR_CORRUPTED_DATA, operation: during.name,
            text: "the camera's responses do not match the requests")
    }
}

/// The receiver of a CameraFile that forwards its bytes instead of storing them.
private final class Receiver {
    let receive: (UnsafeRawBufferPointer) -> Bool

    init(_ receive: @escaping (UnsafeRawBufferPointer) -> Bool) { self.receive = receive }

    static var handler: CameraFileHandler {
        CameraFileHandler(
            size: { _, _ in GP_OK },
            read: { _, _, _ in GP_ERROR_NOT_SUPPORTED },
            write: { me, bytes, count in
                guard let me, let count else { return GP_ERROR_BAD_PARAMETERS }
                // If the driver has no data, it passes the expected size and a null pointer.
                guard bytes != nil || count.pointee == 0 else { return GP_ERROR_CORRUPTED_DATA }
                let receiver = Unmanaged<Receiver>.fromOpaque(me).takeUnretainedValue()
                let chunk = UnsafeRawBufferPointer(start: bytes, count: Int(count.pointee))
                return receiver.receive(chunk) ? GP_OK : GP_ERROR_CANCEL
            })
    }
}
