/// A folder or a file on the card.
public struct CardObject: Sendable {
    /// The PTP object handle. The handle is stable while the simulator runs.
    var handle: UInt32
    /// The handle of the parent folder, or 0 for the root and for objects in camera memory.
    var parent: UInt32
    /// The storage ID, or 0 for objects in camera memory. Objects in camera memory are sent to the computer
    /// and are not saved on the card.
    var storage: UInt32
    /// The PTP object format.
    var format: ObjectFormat
    /// The announced name, which may be any text.
    var name: CameraText
    /// The creation time, by the camera's clock.
    var time: WallTime
    /// The content of the file, or no bytes for a folder.
    var bytes = ByteRope()
    /// The JPEG thumbnail, or no bytes if the object has no thumbnail.
    var thumbnail = ByteRope()
    /// The width of the picture, in pixels.
    var width = 0
    /// The height of the picture, in pixels.
    var height = 0
    /// The number of the shot, from 1, or 0 for folders and for photos that existed at the start.
    var shot = 0
    /// The size to announce instead of the true size, or `nil` to announce the true size.
    var announcedSize: Int?
    /// The date to announce instead of the true date, as any text, or `nil` to announce the true date.
    var announcedDate: CameraText?
    /// Whether the photographer protected the object.
    var isProtected = false
    /// The offset of the end of the furthest part that a client has received, in bytes. If the offset reaches
    /// the file's size, the file is counted as fetched.
    var deliveredBytes = 0

    var isFolder: Bool { format == .association }
    /// Whether a client has read the whole object.
    var isFetched: Bool { deliveredBytes >= bytes.count }
    /// The size that the camera announces, in bytes.
    var reportedSize: Int { announcedSize ?? bytes.count }
    /// The date that the camera announces, in PTP's format.
    var reportedDate: CameraText { announcedDate ?? CameraText(time.ptp) }
    /// The date that an EOS announces, in seconds since 1970. The clock of the EOS is treated as UTC. The
    /// value is 0 if the text is not a date.
    var reportedSeconds: Int64 {
        announcedDate.map { WallTime.cameraSeconds(ptp: $0.string) ?? 0 } ?? time.cameraSeconds
    }
}
