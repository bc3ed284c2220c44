/// Follows which of the camera's objects have been told of, so that a census shows those whose announcement was lost.
///
/// What the driver knows is not what was told: it reads whole folders while it looks for one file (`ptp_list_folder`
/// under `find_child`), and it throws announcements away (`camera_trigger_canon_eos_capture` discards the events that
/// wait when the shutter is released). So an object that the driver has read counts only when it was told by name.
struct ToldObjects {
    /// Most objects kept, against a camera that never stops counting: far above any card's number of photos.
    static let limit = 1_000_000
    /// Most bytes of one reply that are read: a folder of an EOS takes 60 bytes for each of 9,999 objects at most.
    static let replyBytesLimit = 4 * 1_024 * 1_024

    /// Handles that were told of, and those of which there is nothing to tell: folders, and what does not exist.
    private(set) var handles: Set<UInt32> = []
    /// Handles that the driver has read on its way, by the name under which they would be told.
    private var untold: [String: Set<UInt32>] = [:]
    private var reply: [UInt8] = []
    /// What the last GetObjectInfo that was answered said; `nil` when that was cut short.
    private(set) var lastInfo: ObjectInfo?
    /// Objects of which a word of the camera was cut short: the driver went by that, and took it that they are on no
    /// card. A later word does not make up for it in this session.
    private(set) var cutShort: Set<UInt32> = []

    /// The daemon was told of an object, by its handle.
    mutating func told(_ handle: UInt32) {
        if handles.count < Self.limit { handles.insert(handle) }
    }

    /// The daemon was told of an object, or of its not being readable.
    mutating func told(_ name: String) {
        guard let those = untold.removeValue(forKey: name) else { return }
        handles.formUnion(those)
    }

    /// Whether an object was told of, or read by the driver.
    func hasRead(_ handle: UInt32) -> Bool {
        handles.contains(handle) || untold.values.contains { $0.contains(handle) }
    }

    // MARK: What goes by

    mutating func beginReply() { reply.removeAll(keepingCapacity: true) }

    mutating func data(of request: PTPRequest, _ bytes: UnsafeMutableRawBufferPointer) {
        guard Self.tellsOfObjects(request), reply.count + bytes.count <= Self.replyBytesLimit else { return }
        reply.append(contentsOf: bytes)
    }

    /// The end of a transaction.
    mutating func response(to request: PTPRequest, code: UInt16) {
        guard Self.tellsOfObjects(request), handles.count + cutShort.count < Self.limit else { return }
        switch (request.operation, code) {
        case (PTPOperation.getObjectInfo, PTPResponse.good):
            let info = reply.withUnsafeMutableBytes { ObjectInfo($0) }
            lastInfo = info
            guard reply.count >= ObjectInfo.fixedBytes else {
                cutShort.insert(request.parameters.0)
                return
            }
            learn(request.parameters.0, name: info?.isFolder == false ? info?.name : nil)
        // Asking again in a new session would not help.
        case (PTPOperation.getObjectInfo, PTPResponse.invalidObjectHandle):
            handles.insert(request.parameters.0)
        case (PTPOperation.canonGetObjectInfoEx, PTPResponse.good):
            var listing: [UInt8] = []
            swap(&listing, &reply)
            listing.withUnsafeMutableBytes { canonFolder($0) }
        default: break
        }
    }

    private static func tellsOfObjects(_ request: PTPRequest) -> Bool {
        request.operation == PTPOperation.getObjectInfo
            || request.operation == PTPOperation.canonGetObjectInfoEx
    }

    /// An object that the driver has read.
    ///
    /// - Parameter name: `nil` for a folder. A name outside the DCF's letters may be told in another spelling: such
    ///   objects count as told, as the driver announces them.
    private mutating func learn(_ handle: UInt32, name: String?) {
        guard !handles.contains(handle) else { return }
        guard let name, !name.isEmpty, name.utf8.allSatisfy({ $0 > 32 && $0 < 127 }) else {
            handles.insert(handle)
            return
        }
        guard untold.count < Self.limit else { return }
        untold[name, default: []].insert(handle)
    }

    /// EOS folder listing (GetObjectInfoEx): a count, then records of size, handle, storage, format, … and, 36 bytes
    /// into the record, 16 bytes of name (ptp_unpack_Canon_EOS_FE). The driver asks no more about these objects.
    private mutating func canonFolder(_ bytes: UnsafeMutableRawBufferPointer) {
        var position = 4
        while position + 8 <= bytes.count, handles.count < Self.limit {
            let size = Int(bytes.word32(position))
            guard size >= 8, position + size <= bytes.count else { return }
            let isWhole = size >= 52
            let isFolder = isWhole && bytes.word16(position + 12) == PTPFormat.association
            let letters = isWhole ? bytes[position + 36..<position + 52].prefix { $0 != 0 } : bytes[0..<0]
            learn(
                bytes.word32(position + 4),
                name: isFolder ? nil : String(decoding: letters, as: UTF8.self))
            position += size
        }
    }
}
