extension Camera {
    /// Queues an event for the client, if there is one, where this camera's driver looks for it.
    ///
    /// Canon EOS, Nikon, Sony and Fujifilm bodies are polled; what is wrong with the channel itself shows on the event connection.
    mutating func emit(_ event: PTPEvent) {
        guard session != nil else { return }
        switch (event, identity.maker) {
        case (.event, .canon):
            if session?.isEventModeOn == true { session?.polled.append(event) }
        case (.event, .nikon): session?.polled.append(event)
        // A Sony speaks of photos in memory only, before they can be read; a Fujifilm says nothing.
        case (.event(let code, _), .sony): if code == 0xC201 { outbox.append(event) }
        case (.event, .fuji): break
        default: outbox.append(event)
        }
    }
}
