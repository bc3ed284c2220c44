import APIServer
import Cameras
import FrameFastAPI
import FrameFastModel
import FrameFastSystem
import Makers

/// The endpoints that list the makers for the connection guide, and search the network for cameras.
struct DiscoveryHandler: EndpointHandler {
    let registry: CameraRegistry
    let fleet: CameraFleet
    let knowledge: KnowledgeBase
    let search: CameraSearch
    let clock: HostClock

    func attachHandlers(to table: inout EndpointTable) {
        table.handle(\.cameras.makers, with: makers)
        table.handle(\.cameras.discover, with: discover)
    }

    func makers() async throws(ControlError) -> MakersReply {
        let picker = MakerPicker(knowledge)
        // The clients add the row "Not sure", which has no maker.
        let makers: [MakerReply] = picker.rows(detected: await fleet.detected).compactMap { row in
            guard let maker = row.maker else { return nil }
            let network = GuidanceReply(
                sentence: "Connect the \(maker.name) over the network.",
                steps: picker.lines(for: maker, .network, model: nil))
            return MakerReply(
                id: maker.rawValue, name: row.name, summary: row.line, isDetected: row.isDetected,
                usb: GuidanceReply(
                    sentence: "Connect the \(maker.name) by USB.",
                    steps: picker.lines(for: maker, .usb, model: row.models.first)),
                network: knowledge.entry(for: maker)?.network.isPossible == true ? network : nil)
        }
        return MakersReply(makers: makers)
    }

    func discover(_ request: DiscoveryRequest) async throws(ControlError) -> DiscoveryReply {
        let maker = try Maker.parsing(request.maker)
        let preferred: NetworkAddress? =
            if let address = request.address { try NetworkAddress.parsing(address) } else { nil }
        if let preferred, request.sweep != true, let approval = await search.approval(of: preferred) {
            return await reply(to: approval, at: preferred, maker)
        }
        let host = HostNetworks.current()
        guard request.sweep == true else {
            let addresses = await candidates(preferred, maker, on: host)
            let report = await search.search(addresses)
            return await reply(report, maker)
        }
        let last = try request.after.map { text throws(ControlError) in
            guard let last = IPv4Address(text) else {
                throw ControlError(
                    .invalid, "cannot continue after '\(text)': it is not an address from the last response")
            }
            return last
        }
        return try await sweep(host, after: last, preferred: preferred, maker)
    }

    /// Probes the next batch of a sweep's addresses. The first batch includes the candidates of an ordinary
    /// search.
    private func sweep(
        _ host: HostNetworks, after last: IPv4Address?, preferred: NetworkAddress?, _ maker: Maker?
    ) async throws(ControlError) -> DiscoveryReply {
        let sweep = NetworkSweep(of: host)
        if sweep.addresses.isEmpty, !sweep.refused.isEmpty {
            throw ControlError(
                .invalid,
                "cannot try every address of \(sweep.refused.map(\.rawValue).joined(separator: ", ")): "
                    + "a network may have at most \(NetworkSweep.hostsMax) addresses",
                nextStep: "Look up the address in the camera's network menu, and enter the address.")
        }
        let batch = sweep.batch(after: last)
        let held = connectedAddresses()
        var report =
            last == nil ? await search.search(await candidates(preferred, maker, on: host)) : ProbeReport()
        let known = Set(report.found.map(\.address) + report.misses.map(\.address))
        let rest = batch.addresses.map { NetworkAddress(host: $0) }
            .filter { !held.contains($0) && !known.contains($0) }
        let more = await search.search(rest, isSweep: true)
        report.found += more.found
        report.misses += more.misses
        report.waiting = Array(Set(report.waiting + more.waiting)).sorted {
            $0.address.host < $1.address.host
        }
        var reply = await self.reply(report, maker)
        reply.sweep = .init(sweep, batch)
        return reply
    }

    private func candidates(
        _ preferred: NetworkAddress?, _ maker: Maker?, on host: HostNetworks
    ) async -> [NetworkAddress] {
        // For an address without a maker, the search tries only that address and remembered addresses.
        let isOpen = preferred == nil || maker != nil
        return CandidateOrder(
            preferred: preferred, remembered: knownAddresses(on: host),
            announced: isOpen ? await announcedAddresses(on: host) : [],
            usual: isOpen ? usualAddresses(of: maker) : [], connected: connectedAddresses()
        ).addresses(on: host)
    }

    private func announcedAddresses(on host: HostNetworks) async -> [NetworkAddress] {
        await AnnouncementBrowse(
            services: knowledge.announcedServices,
            isMaker: { [knowledge] name in knowledge.maker(named: name) != nil }, clock: clock
        ).addresses(on: host)
    }

    private func reply(_ report: ProbeReport, _ maker: Maker?) async -> DiscoveryReply {
        DiscoveryReply(
            found: await foundReplies(report.found),
            failures: report.counts.map {
                .init(kind: $0.kind, count: $0.count)
            }, tried: report.tried,
            asking: report.waiting.map { .init(address: $0.address.portPath, until: $0.until) },
            guidance: report.found.isEmpty
                ? Self.guidance(for: report, maker, knowledge, on: .current(withIdle: true)) : nil)
    }

    private func reply(
        to approval: CameraSearch.Approval, at address: NetworkAddress, _ maker: Maker?
    ) async -> DiscoveryReply {
        var report = ProbeReport()
        switch approval {
        case .waiting(let camera): report.waiting = [camera]
        case .decided(.success(let camera)): report.found = [camera]
        case .decided(.failure(let failure)):
            report.misses = [.init(address: address, failure: failure)]
            var reply = await reply(report, maker)
            reply.guidance?.sentence =
                failure == .refused(.silent)
                ? "The connection request was not confirmed on the camera at \(address)."
                : "The camera at \(address) rejected this computer."
            return reply
        }
        return await reply(report, maker)
    }

    private func foundReplies(_ cameras: [FoundCamera]) async -> [DiscoveryReply.Found] {
        var found: [DiscoveryReply.Found] = []
        for camera in cameras {
            let atAddress = registry.all.first { $0.port == camera.address.portPath }?.id
            var known = atAddress
            if known == nil { known = await fleet.camera(maker: camera.maker, serial: camera.serial) }
            found.append(
                .init(
                    address: camera.address.portPath,
                    cameraName: camera.model.isEmpty ? camera.name : camera.model, camera: known))
        }
        return found
    }

    /// Returns guidance for a search that found no camera.
    static func guidance(
        for report: ProbeReport, _ maker: Maker?, _ knowledge: KnowledgeBase, on host: HostNetworks
    ) -> GuidanceReply {
        if let waiting = report.waiting.first?.address ?? report.pairing.first?.address {
            var guidance = knowledge.guidance(for: .pairingWanted, maker: maker)
            guidance.sentence = "The camera at \(waiting) is waiting to be paired with this computer."
            return GuidanceReply(guidance)
        }
        if let refusing = report.refusing.first?.address {
            var guidance = KnowledgeBase.heldOverNetwork
            guidance.sentence =
                "The camera at \(refusing) refuses the connection: another computer or app is usually connected to it."
            return GuidanceReply(guidance)
        }
        var guidance = knowledge.guidance(for: .unreachable, maker: maker)
        guidance.sentence =
            report.tried == 0
            ? "There is no address to try." : "No camera responded at \(report.tried) address(es)."
        guidance.steps += host.stepsForSharedNetworks()
        return GuidanceReply(guidance)
    }

    private func usualAddresses(of maker: Maker?) -> [NetworkAddress] {
        knowledge.networkCandidates(for: maker).compactMap { candidate in
            IPv4Address(candidate.host).map { NetworkAddress(host: $0, port: candidate.port) }
        }
    }

    private func knownAddresses(on host: HostNetworks) -> [CandidateOrder.KnownAddress] {
        registry.all.compactMap { status in
            guard let address = try? NetworkAddress(status.port),
                let network = host.network(of: address.host)
            else { return nil }
            return .init(network: network.key, address: address)
        }
    }

    /// Returns the addresses of the connected cameras. The search skips these addresses, because a second PTP
    /// session would disturb the existing session.
    private func connectedAddresses() -> Set<NetworkAddress> {
        Set(
            registry.all.filter { registry.connection(of: $0.id) != nil }
                .compactMap { try? NetworkAddress($0.port) })
    }
}

extension MakerPicker {
    /// Returns the steps as lines. A step that applies only to some cameras starts with the names of these
    /// cameras.
    fileprivate func lines(for maker: Maker?, _ connection: ConnectionKind, model: String?) -> [String] {
        steps(for: maker, connection: connection, model: model).flatMap { group in
            group.steps.map { step in group.bodies.map { "\($0): \(step)" } ?? step }
        }
    }
}

extension DiscoveryReply.Sweep {
    /// Creates the progress of a sweep after a batch. Includes the networks that are too large for a sweep.
    init(_ sweep: NetworkSweep, _ batch: NetworkSweep.Batch) {
        self.init(
            done: batch.done, total: sweep.addresses.count,
            next: batch.isLast ? nil : batch.addresses.last?.description,
            tooLarge: sweep.refused.map(\.rawValue))
    }
}

extension GuidanceReply {
    init(_ guidance: Guidance) {
        self.init(sentence: guidance.sentence, steps: guidance.steps)
    }
}
