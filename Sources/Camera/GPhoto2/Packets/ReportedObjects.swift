/// The objects that were reported to the daemon. A handle scan uses this set to find objects whose
/// announcement was lost.
///
/// The driver's own list is not sufficient. While the driver searches for a file, it reads whole folders
/// (`ptp_list_folder` under `find_child`). At a release, the driver discards queued announcements
/// (`camera_trigger_canon_eos_capture`). Therefore an object that the driver has read counts as unreported
/// until the worker reports the object's name.
struct ReportedObjects {
    /// The maximum number of stored objects, far above the number of photos on any card. The maximum limits
    /// the memory that a camera with endless lists can use.
    static let limit = 1_000_000
    /// The maximum number of bytes to parse in one response. A folder of an EOS has at most 9,999 objects of
    /// 60 bytes each.
    static let replyBytesLimit = 4 * 1_024 * 1_024

    /// The handles that count as reported: of reported objects, of folders, of objects with unusual names
    /// (see ``recordRead(_:name:)``), and of objects that do not exist.
    private(set) var handles: Set<UInt32> = []
    /// The unreported handles of objects that the driver has read. The key is the name that a report of the
    /// object contains.
    private var unreported: [String: Set<UInt32>] = [:]
    /// The objects whose information the camera refused to send at the last request, for example because of
    /// a mode in which other programs may not read the card (libgphoto2 issue 976).
    private(set) var refused: Set<UInt32> = []
    private var reply: [UInt8] = []
    /// The information from the last successful GetObjectInfo, or `nil` if the response was truncated.
    private(set) var lastInfo: ObjectInfo?
    /// The objects whose object information was truncated. The driver assumes that these objects are not on a
    /// card. A later response in the same PTP session does not correct this assumption.
    private(set) var truncatedObjects: Set<UInt32> = []

    /// Records that an object was reported by its handle.
    mutating func markReported(_ handle: UInt32) {
        if handles.count < Self.limit { handles.insert(handle) }
    }

    /// Records that the object with this name was reported, or is unreadable and will not be reported.
    ///
    /// - Returns: Whether this is the first report of an object with this name. `false` for a name with
    ///   characters outside the DCF set (see ``recordRead(_:name:)``).
    @discardableResult
    mutating func markReported(_ name: String) -> Bool {
        guard let reportedHandles = unreported.removeValue(forKey: name) else { return false }
        let isFirst = !reportedHandles.isSubset(of: handles)
        handles.formUnion(reportedHandles)
        return isFirst
    }

    /// Returns whether the object was reported, or the driver has read it.
    func hasRead(_ handle: UInt32) -> Bool {
        handles.contains(handle) || unreported.values.contains { $0.contains(handle) }
    }

    // MARK: Packets

    mutating func beginReply() { reply.removeAll(keepingCapacity: true) }

    mutating func data(of request: PTPRequest, _ bytes: UnsafeMutableRawBufferPointer) {
        guard Self.containsObjectInfo(request), reply.count + bytes.count <= Self.replyBytesLimit else {
            return
        }
        reply.append(contentsOf: bytes)
    }

    /// Processes the end of a transaction.
    mutating func response(to request: PTPRequest, code: UInt16) {
        guard Self.containsObjectInfo(request),
            handles.count + truncatedObjects.count + refused.count < Self.limit
        else { return }
        switch (request.operation, code) {
        case (PTPOperation.getObjectInfo, PTPResponse.good):
            refused.remove(request.parameters.0)
            let info = reply.withUnsafeMutableBytes { ObjectInfo($0) }
            lastInfo = info
            guard reply.count >= ObjectInfo.fixedBytes else {
                truncatedObjects.insert(request.parameters.0)
                return
            }
            recordRead(request.parameters.0, name: info?.isFolder == false ? info?.name : nil)
        // The object does not exist. A new connection would not find the object either.
        case (PTPOperation.getObjectInfo, PTPResponse.invalidObjectHandle):
            handles.insert(request.parameters.0)
        case (PTPOperation.getObjectInfo, _): refused.insert(request.parameters.0)
        case (PTPOperation.canonGetObjectInfoEx, PTPResponse.good):
            var listing: [UInt8] = []
            swap(&listing, &reply)
            listing.withUnsafeMutableBytes { canonFolder($0) }
        default: break
        }
    }

    private static func containsObjectInfo(_ request: PTPRequest) -> Bool {
        request.operation == PTPOperation.getObjectInfo
            || request.operation == PTPOperation.canonGetObjectInfoEx
    }

    /// Records an object that the driver has read.
    ///
    /// - Parameter name: The name, or `nil` for a folder. If a name contains characters outside the DCF set,
    ///   its reported spelling may differ. Such an object is treated as reported, because the driver
    ///   announces it.
    private mutating func recordRead(_ handle: UInt32, name: String?) {
        guard !handles.contains(handle) else { return }
        guard let name, !name.isEmpty, name.utf8.allSatisfy({ $0 > 32 && $0 < 127 }) else {
            handles.insert(handle)
            return
        }
        guard unreported.count < Self.limit else { return }
        unreported[name, default: []].insert(handle)
    }

    /// Parses an EOS folder listing (GetObjectInfoEx): a count, then records of size, handle, storage,
    /// format, …. The 16 bytes of the name start at byte 36 of a record (ptp_unpack_Canon_EOS_FE). The driver
    /// sends no further requests for these objects.
    private mutating func canonFolder(_ bytes: UnsafeMutableRawBufferPointer) {
        var position = 4
        while position + 8 <= bytes.count, handles.count < Self.limit {
            let size = Int(bytes.word32(position))
            guard size >= 8, position + size <= bytes.count else { return }
            let isWhole = size >= 52
            let isFolder = isWhole && bytes.word16(position + 12) == PTPFormat.association
            let letters = isWhole ? bytes[position + 36..<position + 52].prefix { $0 != 0 } : bytes[0..<0]
            recordRead(
                bytes.word32(position + 4),
                name: isFolder ? nil : String(decoding: letters, as: UTF8.self))
            position += size
        }
    }
}
