extension CameraCore {
    /// Queues an event for the client if a session is open. The maker determines how the client receives the
    /// event.
    ///
    /// Invalid bytes and a close always go to the event connection, even if the client polls for events.
    mutating func emit(_ event: PTPEvent) {
        guard session != nil else { return }
        guard case .event(let code, let parameters) = event else {
            outbox.append(event)
            return
        }
        switch profile.delivery {
        case .sent: outbox.append(event)
        case .polled: session?.polled.append(event)
        case .polledInEventMode:
            if session?.isEventModeOn == true { session?.polled.append(event) }
        case .translated(let codes):
            if let own = codes[code] { outbox.append(.event(code: own, parameters: parameters)) }
        }
    }
}
