/// The values of CaptureDestination (0xD11C), as libgphoto2 names them.
enum CanonDestination {
    static let card: UInt32 = 2
    static let host: UInt32 = 4
}

extension CanonBody {
    /// Performs the operations of Canon's EOS extension that libgphoto2 uses.
    mutating func perform(
        _ operation: PTPOperation, _ request: PTPRequest, on camera: inout CameraCore, at now: WallTime
    ) -> PTPReply? {
        guard operation.maker == .canon else { return nil }
        switch operation {
        case .canonGetStorageIDs: return PTPReply(camera.storageIDs())
        case .canonGetStorageInfo: return camera.storageInfo(request)
        case .canonGetObject: return camera.object(request)
        case .canonGetPartialObject: return camera.partialObject(request)
        case .canonGetDeviceInfoEx: return PTPReply(extendedDeviceInfo)
        case .canonGetObjectInfoEx: return Self.folder(request, of: camera.card)
        case .canonSetEventMode: return setEventMode(request, on: &camera)
        case .canonGetEvent: return PTPReply(events(on: &camera, at: now))
        case .canonTransferComplete: return Self.completeTransfer(request, on: &camera.card)
        case .canonKeepDeviceOn:
            camera.session?.isListening = true
            return PTPReply(.ok)
        case .canonSetDevicePropValueEx: return setProperty(request, on: &camera, at: now)
        case .canonRequestDevicePropValue: return requestProperty(request, on: &camera)
        case .canonSetRequestOLCInfoGroup:
            displayMask = request.parameter(0)
            emitDisplay(on: &camera)
            return PTPReply(.ok)
        case .canonSetUILock, .canonResetUILock:
            isLocked = operation == .canonSetUILock
            return PTPReply(.ok)
        case .canonMovieSwitchOn, .canonMovieSwitchOff:
            isMovieSwitchOn = operation == .canonMovieSwitchOn
            return PTPReply(.ok)
        case .canonRemoteReleaseOn: return press(request, on: &camera, at: now)
        case .canonRemoteReleaseOff: return release(request, on: &camera, at: now)
        case .canonBulbStart: return startBulb(on: &camera, at: now)
        case .canonBulbEnd: return endBulb(on: &camera, at: now)
        case .canonAutofocus:
            startAutofocus(on: &camera, at: now, reportsResult: true)
            return PTPReply(.ok)
        case .canonAutofocusCancel:
            lateFocus = nil
            camera.emit(CanonOLC.event([.focus(0, 0)]))
            return PTPReply(.ok)
        default: return performLiveViewOperation(operation, request, on: &camera, at: now)
        }
    }

    private var extendedDeviceInfo: ByteWriter {
        var out = ByteWriter()
        out.u32(0)
        out.array32(CanonRecord.allCases.map(\.rawValue))
        out.array32(ownPropertyCodes.map(UInt32.init))
        out.array32([0])
        out.patch32(at: 0, UInt32(out.bytes.count))
        return out
    }

    /// Returns the metadata of all objects in a folder in one reply.
    private static func folder(_ request: PTPRequest, of card: Card) -> PTPReply {
        guard request.parameter(0) == Card.storageID else { return PTPReply(.invalidStorageID) }
        let folder = request.parameter(1)
        let parent = folder == 0xFFFF_FFFF ? 0 : folder
        if parent != 0 && card[parent] == nil { return PTPReply(.invalidObjectHandle) }
        let objects = card.objects.filter { $0.storage == Card.storageID && $0.parent == parent }
        var out = ByteWriter(capacity: 4 + objects.count * entryBytes)
        out.u32(UInt32(objects.count))
        for object in objects {
            out.u32(UInt32(entryBytes))
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

    private static let entryBytes = 60

    private func setEventMode(_ request: PTPRequest, on camera: inout CameraCore) -> PTPReply {
        let isOn = request.parameter(0) != 0
        if isOn && camera.session?.isEventModeOn == false {
            // The next GetEvent returns all values and then all lists, because the driver ignores a list that
            // arrives before the property's value.
            var everything = ownPropertyCodes.map(PTPEvent.propertyChanged)
            everything += ownPropertyCodes.map { CanonRecord.availableListChanged.event(UInt32($0)) }
            if shutter.isOpen { everything.append(CanonRecord.cameraStatusChanged.event(1)) }
            camera.session?.polled = everything
        }
        camera.session?.isEventModeOn = isOn
        if !isOn { camera.session?.polled = [] }
        return PTPReply(.ok)
    }

    private static func completeTransfer(_ request: PTPRequest, on card: inout Card) -> PTPReply {
        let handle = request.parameter(0)
        guard let object = card[handle] else { return PTPReply(.invalidObjectHandle) }
        if object.storage == 0 { _ = card.remove(handle) }
        return PTPReply(.ok)
    }

    private func requestProperty(_ request: PTPRequest, on camera: inout CameraCore) -> PTPReply {
        let property = UInt16(truncatingIfNeeded: request.parameter(0))
        guard ownPropertyCodes.contains(property) else { return PTPReply(.generalError) }
        camera.emit(.propertyChanged(property))
        return PTPReply(.ok)
    }
}
