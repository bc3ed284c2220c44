import CGPhoto2
import Glibc

extension CameraHandle {
    /// Returns the names of the folders in a folder, in the camera's order.
    public borrowing func folders(in folder: String) throws(CameraError) -> [String] {
        try names(.listFolders) { gp_camera_folder_list_folders(raw, folder, $0, $1) }
    }

    /// Returns the names of the files in a folder, in the camera's order.
    public borrowing func files(in folder: String) throws(CameraError) -> [String] {
        try names(.listFiles) { gp_camera_folder_list_files(raw, folder, $0, $1) }
    }

    private borrowing func names(
        _ kind: DriverCall, _ list: (OpaquePointer, OpaquePointer) -> Int32
    ) throws(CameraError) -> [String] {
        var found: OpaquePointer?
        guard gp_list_new(&found) == GP_OK, let found else { throw CameraError.outOfMemory }
        defer { gp_list_free(found) }
        try call(kind) { list(found, $0) }
        return (0..<max(0, gp_list_count(found))).compactMap { index in
            var name: UnsafePointer<CChar>?
            guard gp_list_get_name(found, index, &name) == GP_OK, let name else { return nil }
            return String(cString: name)
        }
    }

    /// Clears the folder listings and file facts in libgphoto2's cache. Does not clear the driver's cache.
    public borrowing func forgetListings() {
        gp_filesystem_reset(raw.pointee.fs)
    }

    /// Returns the camera's facts about a file. The result is the same after an event and after a listing.
    ///
    /// The driver's event code stores guessed facts, with the host's clock as the time
    /// (add_object_to_fs_and_path). This method first discards the guessed facts. get_info_func then reads
    /// the facts from the camera's object information. FrameFast identifies photos by these facts.
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

    /// Returns the camera's own name and time for the photo of the last memory event, and clears both.
    public borrowing func takeMemoryObject() -> (name: String, time: Int64?)? {
        defer { tap.dialogue.memoryObject = nil }
        return tap.dialogue.memoryObject.map { ($0.name, $0.time) }
    }

    /// Whether the driver mistook the photo of the last event for a memory photo, because the camera's object
    /// information was truncated. Without a storage id, the driver assumes that the photo is not on a card.
    /// The photo itself is in the camera's object list.
    public var isMisreadAsMemory: Bool {
        guard let handle = lastRead, !ObjectInfo.inMemory.contains(handle) else { return false }
        return tap.dialogue.reported.truncatedObjects.contains(handle)
    }

    /// Removes a memory file from libgphoto2's cache. Sends no request to the camera.
    public borrowing func release(_ path: CameraPath) {
        gp_filesystem_delete_file_noop(raw.pointee.fs, path.folder, path.name, context.raw)
    }

    /// The handle in the last request for a file's data or thumbnail, or `nil` if the last call that reads a
    /// file sent no such request.
    public var lastRead: UInt32? { tap.dialogue.readObject }

    /// Deletes a file from the camera.
    ///
    /// - Parameter handle: The camera's handle of the file. Over the network, ``PacketTap`` prevents the
    ///   driver from deleting any other file.
    ///
    /// The driver reports success regardless of the camera's response (delete_file_func). The packet tap
    /// therefore reads the response from the link.
    public borrowing func delete(_ path: CameraPath, handle: UInt32) throws(CameraError) {
        // If the driver can't find a file, it deletes handle 0xFFFFFFFF, which means all objects. This call
        // makes sure that the driver finds the file. Over the network, the tap also blocks a request with
        // that handle.
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
