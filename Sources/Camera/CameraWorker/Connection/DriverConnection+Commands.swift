import FrameFastModel
import GPhoto2
import WorkerProtocol

extension DriverConnection {
    /// Performs a command of the daemon. A command that ends the connection sets ``end``.
    mutating func perform(_ command: WorkerCommand) {
        if !camera.isGuarded, command.needsPackets, let id = command.id {
            return daemon.send(.failed(id: id, WorkerFailure(CameraHandle.photosOnly, during: "command")))
        }
        switch command {
        case .close:
            // If the daemon has exited, the exposure runs to its end. A second `close` ends the exposure
            // immediately.
            if process.isOrphaned, isExposing, !shared.isClosing {
                shared.isClosing = true
            } else {
                end = .closed
            }
        case .open(let id, let request): end = .reopen(id, request)
        case .list(let id):
            shared.isListed = true
            list(id)
        case .reconcile(let id): reconcile(id)
        case .fetch(let id, let fetch): self.fetch(id, fetch)
        case .delete(let id, let object): delete(id, object)
        case .trigger(let id): trigger(id)
        case .refresh(let id): refresh(id)
        case .readSettings(let id, let names): readSettings(id, names)
        case .writeSettings(let id, let command): writeSettings(id, command)
        case .begin(let id, let command): beginOperation(id, command)
        case .end(let id): endOperation(id)
        case .focus(let id, let command): focus(id, command)
        case .liveFrame(let id, let command): enqueueFrame(id, command)
        case .setClock(let id, let offset, let isAutomatic):
            setClock(id, zoneOffsetSeconds: offset, isAutomatic: isAutomatic)
        }
    }

    /// Compares the camera's object handles with the objects that were reported to the daemon.
    private mutating func reconcile(_ id: UInt64) {
        guard profile.canList else {
            return daemon.send(.reconciled(id: id, missing: 0, total: photoStore.objects.count))
        }
        if card.listing?.isSent == false {
            let failure = WorkerFailure(kind: .busy, during: "reconcile", text: "the card is being read")
            return daemon.send(.failed(id: id, failure))
        }
        do throws(CameraError) {
            let scan = try camera.scanHandles()
            card.unreported = scan.missing
            daemon.send(
                .reconciled(
                    id: id, missing: scan.missing.count, total: scan.total, refused: scan.refused.count))
        } catch {
            daemon.send(.failed(id: id, classify(error, during: "reconcile")))
        }
    }

    /// Reads the facts again, and reports them only if they have changed. The facts of an idle camera stay
    /// the same.
    private mutating func refresh(_ id: UInt64) {
        let published = facts
        let now = readFacts()
        if now != published { daemon.send(.facts(now)) }
        if profile.sendsNoSettingEvents == true {
            settings.table?.scheduleReading(of: SettingsTable.exposure, at: .now)
        }
        daemon.send(.done(id: id))
    }
}

extension WorkerCommand {
    /// Whether the worker needs to see the packets to perform the command. The packets contain the camera's
    /// own responses and its reports of settings.
    fileprivate var needsPackets: Bool {
        switch self {
        case .readSettings, .writeSettings, .setClock, .begin, .focus, .liveFrame: true
        // The worker performs these commands with restrictions if it can't see the packets.
        case .open, .list, .reconcile, .fetch, .delete, .trigger, .refresh, .end, .close: false
        }
    }
}
