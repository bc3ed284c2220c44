extension Camera {
    /// The values of CaptureDestination (0xD11C), as libgphoto2 names them.
    enum CanonDestination {
        static let card: UInt32 = 2
        static let host: UInt32 = 4
    }

    /// Performs the operations of Canon's EOS extension that libgphoto2 uses.
    mutating func performCanonOperation(_ operation: PTPOperation, _ request: PTPRequest, at now: WallTime)
        -> PTPReply
    {
        switch operation {
        case .canonGetStorageIDs: return PTPReply(storageIDs())
        case .canonGetStorageInfo: return storageInfo(request)
        case .canonGetObject: return object(request)
        case .canonGetPartialObject: return partialObject(request)
        case .canonGetDeviceInfoEx: return PTPReply(canonDeviceInfo())
        case .canonGetObjectInfoEx: return canonFolder(request)
        case .canonSetEventMode: return canonSetEventMode(request)
        case .canonGetEvent: return PTPReply(canonEvents(at: now))
        case .canonTransferComplete: return canonTransferComplete(request)
        case .canonKeepDeviceOn:
            session?.isListening = true
            return PTPReply(.ok)
        case .canonSetDevicePropValueEx: return setCanonProperty(request, at: now)
        case .canonRequestDevicePropValue: return canonRequestProperty(request)
        case .canonSetRequestOLCInfoGroup:
            canon.displayMask = request.parameter(0)
            emitCanonDisplay()
            return PTPReply(.ok)
        case .canonSetUILock, .canonResetUILock:
            canon.isLocked = operation == .canonSetUILock
            return PTPReply(.ok)
        case .canonRemoteReleaseOn: return pressCanonButton(request, at: now)
        case .canonRemoteReleaseOff: return releaseCanonButton(request, at: now)
        case .canonBulbStart: return canonStartBulb(at: now)
        case .canonBulbEnd: return canonEndBulb(at: now)
        case .canonAutofocus: return canonDriveAutofocus(at: now)
        case .canonAutofocusCancel: return canonCancelAutofocus()
        default: return performCanonViewfinderOperation(operation, request, at: now)
        }
    }

    private func canonDeviceInfo() -> ByteWriter {
        var out = ByteWriter()
        out.u32(0)
        out.array32(CanonRecord.allCases.map(\.rawValue))
        out.array32(canonPropertyCodes.map(UInt32.init))
        out.array32([0])
        out.patch32(at: 0, UInt32(out.bytes.count))
        return out
    }

    /// Returns the metadata of all objects in a folder in one reply.
    private func canonFolder(_ request: PTPRequest) -> PTPReply {
        guard request.parameter(0) == Card.storageID else { return PTPReply(.invalidStorageID) }
        let folder = request.parameter(1)
        let parent = folder == 0xFFFF_FFFF ? 0 : folder
        if parent != 0 && card[parent] == nil { return PTPReply(.invalidObjectHandle) }
        let objects = card.objects.filter { $0.storage == Card.storageID && $0.parent == parent }
        var out = ByteWriter(capacity: 4 + objects.count * Self.canonEntryBytes)
        out.u32(UInt32(objects.count))
        for object in objects {
            out.u32(UInt32(Self.canonEntryBytes))
            out.u32(object.handle)
            out.u32(object.storage)
            out.u32(UInt32(object.format.rawValue))
            out.u32(0)
            out.u32(0)  // flags
            out.u32(UInt32(clamping: object.reportedSize))
            out.u32(0)
            out.u32(object.parent)
            // The name field has 16 bytes, which fits an 8.3 name.
            let name = Array(object.name.string.utf8.prefix(15))
            out.raw(name)
            out.zeros(16 - name.count)
            out.u32(UInt32(truncatingIfNeeded: object.reportedSeconds))
            out.u32(0)
        }
        return PTPReply(out)
    }

    private static let canonEntryBytes = 60

    private mutating func canonSetEventMode(_ request: PTPRequest) -> PTPReply {
        let isOn = request.parameter(0) != 0
        if isOn && session?.isEventModeOn == false {
            // The next GetEvent returns all values and then all lists, because the driver ignores a list
            // before its value.
            var everything = canonPropertyCodes.map(PTPEvent.propertyChanged)
            everything += canonPropertyCodes.map { CanonRecord.availableListChanged.event(UInt32($0)) }
            if canon.shutter.isOpen { everything.append(CanonRecord.cameraStatusChanged.event(1)) }
            session?.polled = everything
        }
        session?.isEventModeOn = isOn
        if !isOn { session?.polled = [] }
        return PTPReply(.ok)
    }

    private mutating func canonTransferComplete(_ request: PTPRequest) -> PTPReply {
        let handle = request.parameter(0)
        guard let object = card[handle] else { return PTPReply(.invalidObjectHandle) }
        if object.storage == 0 { _ = card.remove(handle) }
        return PTPReply(.ok)
    }

    private mutating func canonRequestProperty(_ request: PTPRequest) -> PTPReply {
        let property = UInt16(truncatingIfNeeded: request.parameter(0))
        guard canonPropertyCodes.contains(property) else { return PTPReply(.generalError) }
        emit(.propertyChanged(property))
        return PTPReply(.ok)
    }
}
