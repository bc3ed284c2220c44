extension Camera {
    /// Performs one request and returns the reply.
    ///
    /// - Parameter now: The host's time, in the time zone of the camera's clock.
    public mutating func respond(to request: PTPRequest, at now: WallTime) -> PTPReply {
        statistics.requestCount += 1
        statistics.requests[request.code, default: 0] += 1
        let operation = PTPOperation(code: request.code, maker: identity.maker)
        let readsObject = operation?.readsObject ?? false
        if readsObject { recordReading(at: now) }
        let shot = readsObject ? card[resolved(request.parameter(0))]?.shot : nil
        let fault = takeFault(.request, shot: shot, operation: request.code, readsObject: readsObject)
        let reply = fault.map { faultyReply($0, request, at: now) } ?? answer(request, at: now)
        requestLog.add(request, reply.response, at: now)
        return reply
    }

    private mutating func faultyReply(_ fault: Fault.Kind, _ request: PTPRequest, at now: WallTime)
        -> PTPReply
    {
        var reply = PTPReply(.generalError)
        switch fault {
        case .response(let code): reply.response = code
        case .garbage: reply.linkFault = .garbage
        case .linkDown(let milliseconds): reply.linkFault = .linkDown(milliseconds: milliseconds)
        case .stall(let milliseconds):
            if milliseconds != nil { reply = answer(request, at: now) }
            reply.linkFault = .stall(milliseconds: milliseconds)
        default: break
        }
        return reply
    }

    private mutating func answer(_ request: PTPRequest, at now: WallTime) -> PTPReply {
        guard let operation = PTPOperation(code: request.code, maker: identity.maker),
            identity.understands(operation)
        else {
            return PTPReply(.operationNotSupported)
        }
        guard session != nil || operation.worksWithoutSession else { return PTPReply(.sessionNotOpen) }
        if isReadTooEarly(operation, request) { return simulateSonyCrash() }
        if let reply = fujiFrame(operation, request, at: now) { return reply }
        if let reply = sonyFrame(operation, request, at: now) { return reply }
        switch operation {
        case .getDeviceInfo: return PTPReply(deviceInfo())
        case .openSession: return openSession(request)
        case .closeSession: return closeSession()
        case .resetDevice: return closeSession()
        case .getStorageIDs: return PTPReply(storageIDs())
        case .getStorageInfo: return storageInfo(request)
        case .getNumObjects: return numberOfObjects(request)
        case .getObjectHandles: return objectHandles(request)
        case .getObjectInfo: return objectInfo(request)
        case .getObject: return object(request)
        case .getPartialObject: return partialObject(request)
        case .getThumb: return thumbnail(request)
        case .deleteObject: return delete(request)
        case .initiateOpenCapture: return fujiOpenCapture(request, at: now)
        case .terminateOpenCapture: return fujiEndOpenCapture(request, at: now)
        case .initiateCapture: return initiateCapture(at: now)
        case .getDevicePropDesc: return describeProperty(request, at: now)
        case .getDevicePropValue: return propertyValue(request, at: now)
        case .setDevicePropValue: return setProperty(request, at: now)
        case .resetDevicePropValue: return resetProperty(request)
        default:
            return switch identity.maker {
            case .canon: performCanonOperation(operation, request, at: now)
            case .nikon: performNikonOperation(operation, request, at: now)
            case .sony: performSonyOperation(operation, request, at: now)
            case .generic: performMTPOperation(operation, request)
            case .fuji: PTPReply(.operationNotSupported)
            }
        }
    }
}
