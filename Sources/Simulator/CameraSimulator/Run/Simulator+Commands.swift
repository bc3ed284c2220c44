import Glibc

extension Simulator {
    /// Returns the reply to a line of the control socket, without the final line break.
    func reply(to line: String) -> String {
        do throws(SimulatorError) { return try run(ControlCommand(line)) } catch { return "error \(error)" }
    }

    /// Runs the command and returns the reply, without the final line break.
    func run(_ command: ControlCommand) throws(SimulatorError) -> String {
        switch command {
        case .shoot(let count):
            var taken: [CardObject] = []
            for _ in 0..<max(1, count) { taken += try press() }
            return "ok " + taken.map(\.name.json).joined(separator: " ")
        case .shootPair:
            return "ok " + (try press(pair: true)).map(\.name.json).joined(separator: " ")
        case .burst(let count, let intervalMs):
            return "ok \(takeBurst(count, intervalMs: intervalMs))"
        case .fault(let fault): link.withCamera { $0.add(fault) }
        case .clearFaults: link.withCamera { $0.clearFaults() }
        case .link(let isDown): try link.setLink(down: isDown)
        case .mode(let mode): try link.setMode(mode)
        case .silence(let isSilent): link.setSilent(isSilent)
        case .battery(let percent): link.withCamera { $0.setBattery(percent) }
        case .clockOffset(let seconds): link.withCamera { $0.clockOffsetSeconds = seconds }
        case .number(let number): link.withCamera { $0.numbering.restart(at: number) }
        case .rating(let stars): link.withCamera { $0.rating = UInt16(stars) }
        case .pictures(let pictures):
            guard options.photos == nil else {
                throw .usage("cannot generate pictures: the photos come from the folder of --photos")
            }
            link.withCamera { $0.pictures = pictures }
        case .name(let name): link.withCamera { $0.names.append(name) }
        case .protect(let name):
            guard link.withCamera({ $0.protect(name) }) else {
                throw .usage("cannot protect '\(name)': the card has no photo with this name")
            }
        case .delete(let name):
            guard link.withCamera({ $0.deleteByHand(name) }) else {
                throw .usage("cannot delete '\(name)': the card has no photo with this name")
            }
        case .protectNew(let isOn): link.withCamera { $0.protectsNew = isOn }
        case .target(let place):
            guard link.withCamera({ $0.setCaptureTarget(place) }) else {
                throw .usage("cannot set the target to '\(place)': use card, host or card+host")
            }
        case .format: link.withCamera { $0.format() }
        case .body(let control):
            let now = SharedCamera.now()
            let outcome: Result<String, SimulatorError> = link.withCamera { camera in
                do throws(SimulatorError) { return .success(try camera.run(control, at: now)) } catch {
                    return .failure(error)
                }
            }
            return try outcome.get()
        case .list:
            return (CardListing.objects(link.withCamera { $0.card }) + ["ok"]).joined(separator: "\n")
        case .truth:
            return (CardListing.truth(link.withCamera { $0.card }) + ["ok"]).joined(separator: "\n")
        case .operations:
            return (link.withCamera { $0.requestLog.drain() } + ["ok"]).joined(separator: "\n")
        case .stats:
            completeTruth()
            return "ok " + link.withCamera { CardListing.statistics($0) }
        case .help: return ControlCommand.usage + "\nok"
        case .quit: kill(getpid(), SIGTERM)
        }
        return "ok"
    }
}
