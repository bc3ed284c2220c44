import FrameFastAPI

/// The order of the questions. The flow opens the screen of the first unanswered question.
extension ConnectFlow {
    /// If the camera is already connected, sets its connection, and skips the questions about the maker and
    /// about a running session.
    ///
    /// Command-line options take precedence.
    mutating func adoptReadyCamera() {
        guard let camera, camera.isConnected else { return }
        if selections.maker == nil { selections.maker = .notSure }
        if selections.connection == nil {
            let port = camera.port ?? ""
            selections.connection = port.hasPrefix("ptpip") ? .network(.address(port)) : .usb
        }
        target = camera.id
        if canAsk, selections.session == nil, status?.session != nil { selections.session = .current }
    }

    /// Opens the screen of the first unanswered question.
    mutating func advance() -> [Action] {
        guard let status, let makers else { return [] }
        if selections.maker == nil {
            guard canAsk else {
                selections.maker = .notSure
                return advance()
            }
            open(.maker, cursor: makers.firstIndex(where: \.isDetected) ?? 0)
            return []
        }
        if let actions = advanceSession(status) { return actions }
        if case .known(let maker) = selections.maker, maker.network == nil, selections.connection == nil {
            selections.connection = .usb
        }
        switch selections.connection {
        case nil:
            guard canAsk else { return [.missing(.missingConnection)] }
            open(.connection, cursor: 0)
            return []
        case .network(nil):
            open(.network, cursor: 0)
            return []
        case .network(.enteringAddress):
            open(.address)
            return []
        case .network(.search(let sweep)):
            sweepResult = nil
            open(.searching(nil))
            return [.discover(DiscoveryRequest(maker: selections.makerID, sweep: sweep ? true : nil))]
        case .network(.address(let address)) where target == nil:
            if let known = status.cameras.first(where: { $0.isAt(address) && !$0.isIgnored }) {
                target = known.id
                return advance()
            }
            open(.adding(address))
            return [
                .add(CameraAddRequest(address: address, name: selections.name, maker: selections.makerID))
            ]
        case .usb, .network: return advanceCamera()
        }
    }

    /// Opens the next screen about the session, or returns `nil` if the session is decided.
    private mutating func advanceSession(_ status: StatusReply) -> [Action]? {
        switch selections.session {
        case .current: return nil
        case nil:
            guard canAsk else {
                selections.session = .current
                return nil
            }
            if status.session == nil {
                open(.sessionName)
            } else {
                open(.session, cursor: 0)
            }
            return []
        case .enteringName:
            open(.sessionName)
            return []
        case .new(let name):
            if let running = status.session, running.name == name,
                selections.mode == nil || selections.mode == running.uploadMode
            {
                selections.session = .current
                return nil
            }
            if selections.mode == nil, canAsk {
                open(.uploadMode, cursor: 0)
                return []
            }
            open(.startingSession)
            return [.startSession(name: name, mode: selections.mode)]
        }
    }

    private mutating func advanceCamera() -> [Action] {
        guard let camera, camera.isConnected else {
            open(.waiting)
            return []
        }
        if case .ready = stage {} else { savedPath = nil }
        if let name = selections.name, camera.name != name, renaming == .toDo {
            renaming = .underway
            open(.ready(camera))
            return [.rename(id: camera.id, name: name)]
        }
        open(.ready(camera))
        return canAsk || renaming == .underway ? [] : [.finish(camera)]
    }
}
