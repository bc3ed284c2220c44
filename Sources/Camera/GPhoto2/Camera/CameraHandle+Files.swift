import CGPhoto2
import Glibc

/// Where a file is on a camera.
public struct CameraPath: Hashable, Sendable {
    /// Folder as libgphoto2 spells it.
    public var folder: String
    /// Name as the camera gives it.
    public var name: String

    /// Whether the file is only in the camera's memory and in the driver's: such files come over with their event,
    /// and lie at the driver's root, where no camera has any.
    public var isInMemory: Bool { folder == "/" }

    /// Creates a path.
    public init(folder: String, name: String) {
        self.folder = folder
        self.name = name
    }
}

/// What a camera says about a file.
public struct CameraFileFacts: Hashable, Sendable {
    /// Announced size in bytes.
    public var size: UInt64
    /// Modification time, else capture time, in seconds since 1970 in the process' time zone; `nil` for none.
    public var time: Int64?
    /// Whether the camera would refuse to delete it because the photographer protected it; `nil` when it does not tell.
    public var isProtected: Bool?
}

extension CameraHandle {
    /// Names of the folders in a folder, in the camera's order.
    public borrowing func folders(in folder: String) throws(CameraError) -> [String] {
        try names(.listFolders) { gp_camera_folder_list_folders(raw, folder, $0, $1) }
    }

    /// Names of the files in a folder, in the camera's order.
    public borrowing func files(in folder: String) throws(CameraError) -> [String] {
        try names(.listFiles) { gp_camera_folder_list_files(raw, folder, $0, $1) }
    }

    private borrowing func names(
        _ kind: DriverCall, _ list: (OpaquePointer, OpaquePointer) -> Int32
    ) throws(CameraError) -> [String] {
        var found: OpaquePointer?
        guard gp_list_new(&found) == GP_OK, let found else { throw Self.outOfMemory }
        defer { gp_list_free(found) }
        try call(kind) { list(found, $0) }
        return (0..<max(0, gp_list_count(found))).compactMap { index in
            var name: UnsafePointer<CChar>?
            guard gp_list_get_name(found, index, &name) == GP_OK, let name else { return nil }
            return String(cString: name)
        }
    }

    /// Forgets folder listings and file facts in libgphoto2's cache, but not in the driver's.
    public borrowing func forgetListings() {
        gp_filesystem_reset(raw.pointee.fs)
    }

    /// What the camera says about a file, the same after an event as after a listing.
    ///
    /// The driver's event code stores facts of its own making, with the host's clock for the time
    /// (add_object_to_fs_and_path): they are thrown away first, so that get_info_func answers from the object
    /// information. Identity depends on it.
    public borrowing func facts(of path: CameraPath) throws(CameraError) -> CameraFileFacts {
        gp_filesystem_set_info_dirty(raw.pointee.fs, path.folder, path.name, context.raw)
        var info = CameraFileInfo()
        try call(.fileInfo) { gp_camera_file_get_info(raw, path.folder, path.name, &info, $0) }
        let fields = info.file.fields.rawValue
        let hasTime = fields & GP_FILE_INFO_MTIME.rawValue != 0 && info.file.mtime > 0
        return CameraFileFacts(
            size: fields & GP_FILE_INFO_SIZE.rawValue != 0 ? info.file.size : 0,
            time: hasTime ? Int64(info.file.mtime) : nil,
            isProtected: fields & GP_FILE_INFO_PERMISSIONS.rawValue != 0
                ? info.file.permissions.rawValue & GP_FILE_PERM_DELETE.rawValue == 0 : nil)
    }

    /// What the camera itself said of the photo that came with the last event from its memory: name and time.
    public borrowing func takeMemoryObject() -> (name: String, time: Int64?)? {
        defer { tap.dialogue.memoryObject = nil }
        return tap.dialogue.memoryObject.map { ($0.name, $0.time) }
    }

    /// Whether a photo that came with the last event is taken for one in memory only because the camera's word about it
    /// was cut short: without a storage the driver believes that it is on none. It is on the camera's list.
    public var isOnlyTakenForMemory: Bool {
        guard let handle = lastRead, !ObjectInfo.inMemory.contains(handle) else { return false }
        return tap.dialogue.told.cutShort.contains(handle)
    }

    /// Forgets a file that came from the camera's memory; the camera is not asked.
    public borrowing func release(_ path: CameraPath) {
        gp_filesystem_delete_file_noop(raw.pointee.fs, path.folder, path.name, context.raw)
    }

    /// The camera's number for the file that was read last; `nil` before the first.
    public var lastRead: UInt32? { tap.dialogue.readObject }

    /// Deletes a file on the camera.
    ///
    /// - Parameter handle: the camera's number for it. Over the network the driver can delete no other one.
    ///
    /// The driver reports success whatever the camera answered (delete_file_func), so the answer is read from the
    /// link itself.
    public borrowing func delete(_ path: CameraPath, handle: UInt32) throws(CameraError) {
        // A file that the driver cannot find it would delete by the handle 0xFFFFFFFF; the tap stops that as well.
        _ = try facts(of: path)
        let before = tap.dialogue.requests
        tap.dialogue.deletable = handle
        defer { tap.dialogue.deletable = nil }
        try call(.deleteFile) { gp_camera_file_delete(raw, path.folder, path.name, $0) }
        let last = tap.dialogue.deletion
        guard tap.dialogue.requests > before, last != 0, last != PTPResponse.good else { return }
        throw CameraError(
            kind: last == PTPResponse.invalidObjectHandle ? .notFound : .refused, code: GP_ERROR,
            operation: DriverCall.deleteFile.name,
            text: "the camera refused to delete (PTP response 0x\(String(last, radix: 16)))")
    }
}
