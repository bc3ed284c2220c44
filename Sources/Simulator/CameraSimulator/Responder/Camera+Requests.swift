extension Camera {
    /// Performs one request and returns the reply.
    ///
    /// - Parameter now: The host's time, in the time zone of the camera's clock.
    mutating func respond(to request: PTPRequest, at now: WallTime) -> PTPReply {
        core.statistics.requestCount += 1
        core.statistics.requests[request.code, default: 0] += 1
        let operation = PTPOperation(code: request.code, maker: core.identity.maker)
        let readsObject = operation?.readsObject ?? false
        if readsObject { core.recordReading(at: now) }
        let shot = readsObject ? core.card[body.resolved(request.parameter(0), on: core.card)]?.shot : nil
        let fault = core.takeFault(.request, shot: shot, operation: request.code, readsObject: readsObject)
        let reply = fault.map { faultyReply($0, request, at: now) } ?? answer(request, at: now)
        core.requestLog.add(request, reply.response, at: now)
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
        guard let operation = PTPOperation(code: request.code, maker: core.identity.maker),
            core.identity.understands(operation)
        else { return PTPReply(.operationNotSupported) }
        guard core.session != nil || operation.worksWithoutSession else { return PTPReply(.sessionNotOpen) }
        if let reply = body.perform(operation, request, on: &core, at: now) { return reply }
        let resolved = body.resolved(request, on: core.card)
        switch operation {
        case .getDeviceInfo: return PTPReply(core.deviceInfo(properties: body.propertyCodes(of: core)))
        case .openSession: return openSession(request)
        case .closeSession, .resetDevice:
            body.endSession(on: &core)
            return PTPReply(.ok)
        case .getStorageIDs: return PTPReply(core.storageIDs())
        case .getStorageInfo: return core.storageInfo(request)
        case .getNumObjects: return core.numberOfObjects(request)
        case .getObjectHandles: return core.objectHandles(request)
        case .getObjectInfo: return core.objectInfo(resolved)
        case .getObject: return core.object(resolved)
        case .getPartialObject: return core.partialObject(resolved)
        case .getThumb: return core.thumbnail(resolved)
        case .deleteObject: return core.delete(resolved)
        case .initiateCapture:
            do { try body.shoot(on: &core, at: now) } catch { return PTPReply(error.response) }
            return PTPReply(.ok)
        case .getDevicePropDesc, .getDevicePropValue, .setDevicePropValue, .resetDevicePropValue:
            return performPropertyOperation(operation, request, at: now)
        default: return PTPReply(.operationNotSupported)
        }
    }

    private mutating func openSession(_ request: PTPRequest) -> PTPReply {
        guard request.parameter(0) != 0 else { return PTPReply(.invalidParameter) }
        if let session = core.session { return PTPReply(.sessionAlreadyOpen, session.id) }
        core.session = PTPSession(id: request.parameter(0))
        core.statistics.sessions += 1
        body.handleSessionStart(on: &core)
        return PTPReply(.ok)
    }
}
