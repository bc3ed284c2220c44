/// A filter that reads the camera's own object list from the packets, and hides some objects from the driver.
///
/// `ptp_list_folder` marks a folder as read (PTPOBJECT_DIRECTORY_LOADED) and never requests it again in the
/// same PTP session. If an ObjectAdded event is lost, the driver never lists the object. To find the
/// object, FrameFast compares the camera's own handles with the reported objects (``ReportedObjects``).
///
/// libgphoto2 2.5.30 aborts on object names of 128 bytes or more (`CameraFilePath.name` is a fixed buffer).
/// The filter therefore hides the handle of an object that crashed the driver twice.
///
/// Files can also be hidden to save time. Before the driver finds a file or reports a new file, the driver
/// reads all objects of the folder in a single call.
struct HandleFilter {
    /// The handles that are hidden from the driver.
    var quarantined: Set<UInt32> = []
    /// The handles of files that the driver does not have to read now. The filter hides these handles in
    /// folder listings but not in events. The filter always shows the first object of a folder, and replaces
    /// each hidden handle with the handle of that first object.
    var hiddenHandles: Set<UInt32> = []
    /// The folders that the driver has listed in this PTP session. The driver never lists a folder twice.
    private(set) var listedFolders: Set<UInt32> = []
    /// Whether FrameFast's own request for handles is running. The filter does not change the response to
    /// this request.
    var isScanning = false
    /// The handles in the response to the last handle scan.
    private(set) var scannedHandles: [UInt32] = []

    private var arrayCount: UInt32?
    private var substitute: UInt32?

    /// The maximum number of stored handles, far above the number of photos on any card. The maximum limits
    /// the memory that a camera with endless lists can use.
    static let limit = 1_000_000

    mutating func beginHandleScan() {
        isScanning = true
        scannedHandles = []
    }

    /// Returns whether the driver has listed this folder in this PTP session.
    func hasListed(_ folder: UInt32) -> Bool { listedFolders.contains(folder) || listedFolders.contains(0) }

    /// Clears the listed folders for a new PTP session of the driver.
    mutating func beginSession() { listedFolders = [] }

    // MARK: Packets

    mutating func startRequest(_ request: PTPRequest) {
        arrayCount = nil
        substitute = nil
        if request.operation == PTPOperation.getObjectHandles, !isScanning {
            listedFolders.insert(request.parameters.2)
        }
    }

    /// Processes a part of a response's data, in the driver's buffer.
    ///
    /// - Parameter offset: The offset of the part in the whole response.
    mutating func data(of request: PTPRequest, _ bytes: UnsafeMutableRawBufferPointer, offset: Int) {
        switch request.operation {
        case PTPOperation.getObjectHandles: handles(bytes, offset: offset)
        case PTPOperation.canonGetObjectInfoEx where offset == 0 && !quarantined.isEmpty: canonFolder(bytes)
        case PTPOperation.canonGetEvent where offset == 0 && !quarantined.isEmpty: canonEvents(bytes)
        case PTPOperation.nikonGetEvent where offset == 0 && !quarantined.isEmpty:
            nikonEvents(bytes, isEx: false)
        case PTPOperation.nikonGetEventEx where offset == 0 && !quarantined.isEmpty:
            nikonEvents(bytes, isEx: true)
        default: break
        }
    }

    /// Returns whether an event announces or changes a quarantined object.
    func hides(event: UInt16, parameter: UInt32) -> Bool {
        (event == PTPEvent.objectAdded || event == PTPEvent.objectInfoChanged)
            && quarantined.contains(parameter)
    }

    // MARK: Responses

    /// Processes an array of handles: a count, then the handles. Overwrites each hidden handle with another
    /// handle of the same response. The driver tolerates duplicates, and the length must not change.
    private mutating func handles(_ bytes: UnsafeMutableRawBufferPointer, offset: Int) {
        // Skips a handle that is split between two packets. Every known camera splits at multiples of 4.
        var position = (4 - offset % 4) % 4
        if offset == 0, bytes.count >= 4 {
            arrayCount = bytes.word32(0)
            position = 4
        }
        guard arrayCount != nil else { return }
        var hidden: [Int] = []
        var here = position
        while here + 4 <= bytes.count {
            let handle = bytes.word32(here)
            if isScanning {
                if scannedHandles.count < Self.limit { scannedHandles.append(handle) }
            } else if quarantined.contains(handle) {
                hidden.append(here)
            } else if substitute == nil {
                substitute = handle
            } else if hiddenHandles.contains(handle) {
                hidden.append(here)
            }
            here += 4
        }
        guard !hidden.isEmpty else { return }
        if let substitute {
            for place in hidden { bytes.set32(place, substitute) }
        } else if offset == 0 {
            // All handles in the first packet are quarantined. Shows an empty folder.
            bytes.set32(0, 0)
        }
    }

    /// Processes an EOS folder listing (GetObjectInfoEx): a count, then records of size, handle, …. The
    /// driver uses the records as object information and sends no further requests. Overwrites the record of
    /// a quarantined object with a copy of another record of the same size.
    private mutating func canonFolder(_ bytes: UnsafeMutableRawBufferPointer) {
        var hidden: [Range<Int>] = []
        var good: [Range<Int>] = []
        var position = 4
        while position + 8 <= bytes.count {
            let size = Int(bytes.word32(position))
            guard size >= 8, position + size <= bytes.count else { break }
            let handle = bytes.word32(position + 4)
            if quarantined.contains(handle) {
                hidden.append(position..<position + size)
            } else {
                good.append(position..<position + size)
            }
            position += size
        }
        for place in hidden {
            if let other = good.first(where: { $0.count == place.count }) {
                bytes[place].copyBytes(from: bytes[other])
            } else if good.isEmpty {
                bytes.set32(0, 0)
            }
        }
    }

    /// Processes EOS event records: size, type, handle, …. Replaces the type of each event for a quarantined
    /// object with an unknown type.
    private func canonEvents(_ bytes: UnsafeMutableRawBufferPointer) {
        let about = [
            PTPEvent.canonObjectAddedEx, PTPEvent.canonObjectAddedEx64, PTPEvent.canonObjectAddedEx64LFN,
            PTPEvent.canonObjectInfoChangedEx,
        ]
        var position = 0
        while position + 12 <= bytes.count {
            let size = Int(bytes.word32(position))
            guard size >= 8 else { return }
            if about.contains(bytes.word32(position + 4)), quarantined.contains(bytes.word32(position + 8)) {
                bytes.set32(position + 4, PTPEvent.canonUnknown)
            }
            position += size
        }
    }

    private func nikonEvents(_ bytes: UnsafeMutableRawBufferPointer, isEx: Bool) {
        for event in NikonEvents.all(in: bytes, isEx: isEx)
        where hides(event: event.code, parameter: event.parameter) {
            bytes.set16(event.place, PTPEvent.undefined)
        }
    }
}
