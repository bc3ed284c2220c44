extension Camera {
    /// Queues an event for the client, if there is one, where this camera's driver looks for it.
    ///
    /// Canon EOS and Nikon bodies are polled; what is wrong with the channel itself shows on the event connection.
    mutating func emit(_ event: PTPEvent) {
        guard session != nil else { return }
        switch (event, identity.maker) {
        case (.event, .canon):
            if session?.isEventModeOn == true { session?.polled.append(event) }
        case (.event, .nikon): session?.polled.append(event)
        default: outbox.append(event)
        }
    }
}
