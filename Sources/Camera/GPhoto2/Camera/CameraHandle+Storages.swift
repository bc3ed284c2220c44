import CGPhoto2
import Glibc

/// A card or internal memory, as the camera describes it.
public struct StorageFacts: Hashable, Sendable {
    /// Base folder, for example `/store_00010001`.
    public var folder: String
    /// Label, else description; may be empty.
    public var label: String
    /// Capacity in bytes; `nil` when not told.
    public var capacityBytes: UInt64?
    /// Free space in bytes; `nil` when not told.
    public var freeBytes: UInt64?
    /// Photos that still fit; `nil` when not told.
    public var freeImages: Int?
    /// Whether it is memory built into the camera that photos are written to, and not a card.
    public var isBuiltInMemory: Bool
}

extension CameraHandle {
    /// The camera's storages, asked for anew.
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
