/// One folder or file on the card.
public struct CardObject: Sendable {
    /// PTP object handle; the same as long as the simulator runs.
    public var handle: UInt32
    /// Handle of the folder; 0 at the root and for objects in camera memory.
    public var parent: UInt32
    /// Storage; 0 for objects in camera memory (tethered to the host only).
    public var storage: UInt32
    /// Format code.
    public var format: ObjectFormat
    /// Name as it is announced. May be anything.
    public var name: CameraText
    /// When it was made, by the camera's clock.
    public var time: WallTime
    /// The file's bytes; empty for a folder.
    public var bytes = ByteRope()
    /// The thumbnail, a JPEG; empty when there is none.
    public var thumbnail = ByteRope()
    /// Width of the picture in pixels.
    public var width = 0
    /// Height of the picture in pixels.
    public var height = 0
    /// Number of the shot that it belongs to, 1 for the first; 0 for folders and what was there before.
    public var shot = 0
    /// Size to announce in place of the true one.
    public var announcedSize: Int?
    /// Date to announce in place of the true one; any text.
    public var announcedDate: CameraText?
    /// Whether the photographer protected it.
    public var isProtected = false
    /// Bytes of it that reached a client, for "everything fetched".
    public var deliveredBytes = 0

    /// Whether it is a folder.
    public var isFolder: Bool { format == .association }
    /// Whether a client has read it to the end.
    public var isFetched: Bool { deliveredBytes >= bytes.count }
    /// The size that the camera tells.
    public var toldSize: Int { announcedSize ?? bytes.count }
    /// The date that the camera tells, as PTP spells it.
    public var toldDate: CameraText { announcedDate ?? CameraText(time.ptp) }
    /// The date that an EOS tells, in seconds since 1970 as if its clock ran in UTC; 0 for a text that is no date.
    public var toldSeconds: Int64 {
        announcedDate.map { WallTime.cameraSeconds(ptp: $0.string) ?? 0 } ?? time.cameraSeconds
    }
}
