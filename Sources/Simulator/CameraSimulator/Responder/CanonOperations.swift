extension Camera {
    /// Values of CaptureDestination (0xD11C), as libgphoto2 names them.
    enum CanonDestination {
        static let card: UInt32 = 2
        static let host: UInt32 = 4
    }

    /// Answers the operations of the Canon EOS extension that the stock driver uses.
    mutating func canon(_ operation: PTPOperation, _ request: PTPRequest, at now: WallTime) -> PTPReply {
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
        case .canonSetDevicePropValueEx: return canonSetProperty(request)
        case .canonRequestDevicePropValue: return canonRequestProperty(request)
        case .canonRemoteReleaseOn: return canonRelease(request, at: now)
        default: return PTPReply(.ok)
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

    /// A folder with the facts of everything in it, in one answer: what makes listing an EOS card fast.
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
            out.u32(UInt32(clamping: object.toldSize))
            out.u32(0)
            out.u32(object.parent)
            // 16 bytes of name: all that an 8.3 name needs.
            let name = Array(object.name.string.utf8.prefix(15))
            out.raw(name)
            out.zeros(16 - name.count)
            out.u32(UInt32(truncatingIfNeeded: object.time.cameraSeconds))
            out.u32(0)
        }
        return PTPReply(out)
    }

    private static let canonEntryBytes = 60

    private mutating func canonSetEventMode(_ request: PTPRequest) -> PTPReply {
        let isOn = request.parameter(0) != 0
        if isOn && session?.isEventModeOn == false {
            // The first GetEvent after this gives every property.
            let everything = canonPropertyCodes.map(PTPEvent.propertyChanged)
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

    private mutating func canonSetProperty(_ request: PTPRequest) -> PTPReply {
        var reader = ByteReader(request.data)
        guard reader.u32() != nil, let code = reader.u32(), let value = reader.u32() else {
            return PTPReply(.invalidDataset)
        }
        let property = UInt16(truncatingIfNeeded: code)
        guard canonPropertyCodes.contains(property) else { return PTPReply(.devicePropNotSupported) }
        if property == CanonProperty.captureDestination {
            guard value == CanonDestination.card || value == CanonDestination.host else {
                return PTPReply(.invalidParameter)
            }
            memoryIsTarget = value == CanonDestination.host
            emit(.propertyChanged(CanonProperty.availableShots))
        } else {
            canonSettings[property] = value
        }
        emit(.propertyChanged(property))
        return PTPReply(.ok)
    }

    private mutating func canonRequestProperty(_ request: PTPRequest) -> PTPReply {
        let property = UInt16(truncatingIfNeeded: request.parameter(0))
        guard canonPropertyCodes.contains(property) else { return PTPReply(.generalError) }
        emit(.propertyChanged(property))
        return PTPReply(.ok)
    }

    /// The release button: 1 is half-way down (focus), 2 all the way, 3 both.
    private mutating func canonRelease(_ request: PTPRequest, at now: WallTime) -> PTPReply {
        let button = request.parameter(0)
        if button == 1 { session?.polled.append(Self.canonFocused) }
        if button & 2 != 0 { do { try shoot(at: now) } catch { return PTPReply(.storeFull, 7) } }
        return PTPReply(.ok)
    }
}
