/// Reads the camera's own list of objects in passing, and keeps some objects away from the driver.
///
/// Why: `ptp_list_folder` marks a folder as read (PTPOBJECT_DIRECTORY_LOADED) and never asks the camera again in the
/// same session, so an object whose ObjectAdded event was lost stays unknown. Comparing the camera's own handle list
/// with what was told (``ToldObjects``) finds it. And libgphoto2 2.5.30 aborts on object names of 128 bytes and more
/// (`CameraFilePath.name` is a fixed buffer): the handle of such an object must not reach the driver at all.
///
/// Files can be held back from the driver as well, for the sake of time: it asks for every object of a folder, one
/// after the other in one call, before it finds a single file in it or tells of a new one.
struct HandleWatch {
    /// Handles that the driver must not hear of.
    var quarantined: Set<UInt32> = []
    /// Files that the driver need not read at present: it is not shown them in a folder's list, but may learn of them
    /// by an event. The first object of a folder is always shown, in the place of those.
    var heldBack: Set<UInt32> = []
    /// Folders whose list the driver has asked for in this session; it never asks twice.
    private(set) var shownFolders: Set<UInt32> = []
    /// Our own question for all handles is under way: its reply is for us and is left as it is.
    var isTakingCensus = false
    /// Handles of the last census reply.
    private(set) var census: [UInt32] = []

    private var arrayCount: UInt32?
    private var substitute: UInt32?

    /// Most handles kept, against a camera that never stops counting: far above any card's number of photos.
    static let limit = 1_000_000

    mutating func beginCensus() {
        isTakingCensus = true
        census = []
    }

    /// Whether the driver has read this folder's list in this session.
    func hasShown(_ folder: UInt32) -> Bool { shownFolders.contains(folder) || shownFolders.contains(0) }

    /// The driver forgets all that it has read.
    mutating func beginSession() { shownFolders = [] }

    // MARK: What goes by

    mutating func begin(_ request: PTPRequest) {
        arrayCount = nil
        substitute = nil
        if request.operation == PTPOperation.getObjectHandles, !isTakingCensus {
            shownFolders.insert(request.parameters.2)
        }
    }

    /// A part of a reply's data, in the driver's buffer.
    ///
    /// - Parameter offset: where the part lies in the whole reply.
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

    /// Whether an event is about an object that the driver must not hear of.
    func hides(event: UInt16, parameter: UInt32) -> Bool {
        (event == PTPEvent.objectAdded || event == PTPEvent.objectInfoChanged)
            && quarantined.contains(parameter)
    }

    // MARK: Replies

    /// An array of handles: a count, then the handles. Quarantined ones, and those that are held back, are overwritten
    /// with another of the same reply, because doubles are harmless to the driver and the length must not change.
    private mutating func handles(_ bytes: UnsafeMutableRawBufferPointer, offset: Int) {
        // A handle torn between two packets is not looked at: every camera seen cuts at multiples of 4.
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
            if isTakingCensus {
                if census.count < Self.limit { census.append(handle) }
            } else if quarantined.contains(handle) {
                hidden.append(here)
            } else if substitute == nil {
                substitute = handle
            } else if heldBack.contains(handle) {
                hidden.append(here)
            }
            here += 4
        }
        guard !hidden.isEmpty else { return }
        if let substitute {
            for place in hidden { bytes.set32(place, substitute) }
        } else if offset == 0 {
            // Nothing but quarantined objects in this folder: an empty folder.
            bytes.set32(0, 0)
        }
    }

    /// EOS folder listing (GetObjectInfoEx): a count, then records of size, handle, …: the driver takes these as
    /// object information and asks no more. A quarantined object's record becomes a second copy of another one.
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

    /// EOS event records: size, type, handle, ….
    private func canonEvents(_ bytes: UnsafeMutableRawBufferPointer) {
        let about = [
            PTPEvent.canonObjectAddedEx, PTPEvent.canonObjectAddedEx64, PTPEvent.canonObjectInfoChangedEx,
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
