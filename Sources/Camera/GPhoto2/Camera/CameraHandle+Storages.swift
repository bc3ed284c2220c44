import CGPhoto2
import Glibc

/// The facts about a card or a built-in memory.
public struct StorageFacts: Hashable, Sendable {
    /// The base folder, for example `/store_00010001`.
    public var folder: String
    /// The label, or the description if the label is empty. May be empty.
    public var label: String
    /// The capacity in bytes, or `nil` if unknown.
    public var capacityBytes: UInt64?
    /// The free space in bytes, or `nil` if unknown.
    public var freeBytes: UInt64?
    /// The number of photos that still fit, or `nil` if unknown.
    public var freeImages: Int?
    /// Whether this is a built-in memory for photos instead of a card.
    public var isBuiltInMemory: Bool
}

extension CameraHandle {
    /// Requests the camera's storages.
    public borrowing func storages() throws(CameraError) -> [StorageFacts] {
        var list: UnsafeMutablePointer<CameraStorageInformation>?
        var count: Int32 = 0
        try call(.storages) { gp_camera_get_storageinfo(raw, &list, &count, $0) }
        defer { free(list) }
        guard let list else { return [] }
        return (0..<Int(max(0, count))).map { Self.storage(list[$0]) }
    }

    private static func storage(_ raw: CameraStorageInformation) -> StorageFacts {
        func has(_ field: CameraStorageInfoFields) -> Bool { raw.fields.rawValue & field.rawValue != 0 }
        let label = has(GP_STORAGEINFO_LABEL) ? text(of: raw.label) : ""
        let description = has(GP_STORAGEINFO_DESCRIPTION) ? text(of: raw.description) : ""
        return StorageFacts(
            folder: text(of: raw.basedir),
            label: label.isEmpty ? description : label,
            capacityBytes: has(GP_STORAGEINFO_MAXCAPACITY) ? raw.capacitykbytes * 1_024 : nil,
            freeBytes: has(GP_STORAGEINFO_FREESPACEKBYTES) ? raw.freekbytes * 1_024 : nil,
            freeImages: has(GP_STORAGEINFO_FREESPACEIMAGES) ? Int(raw.freeimages) : nil,
            isBuiltInMemory: has(GP_STORAGEINFO_STORAGETYPE) && raw.type == GP_STORAGEINFO_ST_FIXED_RAM)
    }
}
