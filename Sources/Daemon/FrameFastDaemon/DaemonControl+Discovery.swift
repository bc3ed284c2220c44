import APIServer
import Cameras
import FrameFastAPI
import FrameFastModel
import Makers

/// Looks for cameras on the network.
extension DaemonControl {
    func discover(_ request: DiscoveryRequest) async throws(ControlError) -> DiscoveryReply {
        let maker = try self.maker(request.maker)
        let preferred: NetworkAddress? =
            if let address = request.address { try networkAddress(address) } else { nil }
        let host = HostNetworks.current()
        let order = CandidateOrder(
            preferred: preferred, remembered: remembered(),
            // A person who gives an address and no maker asks about that address.
            usual: preferred != nil && maker == nil ? [] : usual(maker),
            sweep: request.sweep == true
                ? (maker == .nikon ? CandidateOrder.sweepNikon : CandidateOrder.sweepUsual) : nil,
            connected: connected())
        let report = await NetworkProbe(guid: guid).probe(order.addresses(on: host))
        return DiscoveryReply(
            found: await found(report.found),
            failures: report.counts.map {
                .init(kind: .init(rawValue: $0.kind.rawValue), count: $0.count)
            }, tried: report.tried,
            guidance: report.found.isEmpty ? guidance(for: report, maker) : nil)
    }

    private func found(_ cameras: [FoundCamera]) async -> [DiscoveryReply.Found] {
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

    private func guidance(for report: ProbeReport, _ maker: Maker?) -> GuidanceReply {
        if let waiting = report.pairing.first {
            var guidance = knowledge.guidance(for: .pairingWanted, maker: maker)
            guidance.sentence = "The camera at \(waiting.address) wants to be paired with this computer."
            return GuidanceReply(guidance)
        }
        var guidance = knowledge.guidance(for: .unreachable, maker: maker)
        guidance.sentence =
            report.tried == 0
            ? "There is no address to try." : "No camera answered at \(report.tried) address(es)."
        return GuidanceReply(guidance)
    }

    private func usual(_ maker: Maker?) -> [NetworkAddress] {
        knowledge.networkCandidates(for: maker).compactMap { candidate in
            // A camera with a dialect of its own needs another driver than PTP/IP's.
            guard candidate.eventPort == nil, let host = IPv4Address(candidate.host) else { return nil }
            return NetworkAddress(host: host, port: candidate.port)
        }
    }

    private func remembered() -> [CandidateOrder.Remembered] {
        registry.all.compactMap { status in
            guard let address = try? NetworkAddress(status.port),
                let network = HostNetworks.current().network(of: address.host)
            else { return nil }
            return .init(network: network.key, address: address)
        }
    }

    /// Cameras that we hold are not asked again: a second session would disturb the first.
    private func connected() -> Set<NetworkAddress> {
        Set(
            registry.all.filter { registry.session(of: $0.id) != nil }
                .compactMap { try? NetworkAddress($0.port) })
    }
}

extension GuidanceReply {
    init(_ guidance: Guidance) {
        self.init(sentence: guidance.sentence, steps: guidance.steps)
    }
}
