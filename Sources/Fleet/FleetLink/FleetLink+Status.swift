import FleetMessages
import FoundationEssentials
import FrameFastAPI
import FrameFastModel
import MQTT
import Synchronization

extension FleetLink {
    // MARK: what this computer says

    func sayStatus() async {
        var saidAt = Date.distantPast
        while !Task.isCancelled {
            try? await Task.sleep(for: Self.statusEvery)
            let (isConnected, isAway) = state.withLock { state in
                (
                    state.isConnected,
                    !state.isConnected && Date().timeIntervalSince(state.since) > Self.awaySeconds
                )
            }
            if isAway { change { $0.trouble = [.away(reason: $0.reason ?? "")] } }
            let waiting = await around.storage.count()
            state.withLock { $0.waiting = waiting }
            guard isConnected else { continue }
            if waiting > 0 { outbox.wake() }
            let isDue = Date().timeIntervalSince(saidAt) >= Self.statusAtLeastSeconds
            if isDue { state.withLock { $0.published = [:] } }
            guard isStale.exchange(false, ordering: .relaxed) || isDue else { continue }
            if await publishAll() || isDue { saidAt = Date() }
        }
    }

    /// Says what has changed since it was said last in this connection. One at a time: an older word must not come behind a
    /// newer one.
    ///
    /// - Returns: whether anything had.
    private func publishAll() async -> Bool {
        guard let snapshot = await around.snapshot() else {
            changed()
            return false
        }
        let own = options.host
        // The broker has heard of the other one of this name, or of an earlier connection of ours, that it is gone.
        state.withLock { if $0.board.isGone(own) { $0.published[FleetTopic.online(own).text] = nil } }
        var isNews = publish(.online(own), Array("online".utf8))
        var comparable = snapshot.status
        // When it was said is no news of its own.
        comparable.at = .distantPast
        isNews =
            publish(.status(own), comparable, as: snapshot.status, expires: Self.statusKeptSeconds) || isNews
        for camera in snapshot.cameras {
            isNews = publish(.camera(own, camera.name), camera, as: camera) || isNews
        }
        if options.isInHomeAssistant {
            let device = HomeAssistantDevice(
                host: own, version: snapshot.status.version, cameras: snapshot.cameras,
                groups: options.accept.contains(.shoot)
                    ? around.groups().sorted { $0.rawValue < $1.rawValue } : [])
            if let payload = try? JSONEncoder.homeAssistant.encode(device) {
                isNews = publish(HomeAssistantDevice.topic(of: own), Array(payload)) || isNews
            }
        }
        let kept = state.withLock { $0.board.cameras(of: own) }
        for name in kept.subtracting(snapshot.cameras.map(\.name)) {
            isNews = publish(.camera(own, name), []) || isNews
        }
        return isNews
    }

    private func publish(
        _ topic: FleetTopic, _ comparable: some Encodable, as value: some Encodable, expires: UInt32? = nil
    ) -> Bool {
        guard let mark = try? WireCoder.encode(comparable), let payload = try? WireCoder.encode(value) else {
            return false
        }
        return publish(topic, Array(payload), mark: Array(mark), expires: expires)
    }

    private func publish(
        _ topic: FleetTopic, _ payload: [UInt8], mark: [UInt8]? = nil, expires: UInt32? = nil
    ) -> Bool { publish(topic.text, payload, mark: mark, expires: expires) }

    private func publish(
        _ text: String, _ payload: [UInt8], mark: [UInt8]? = nil, expires: UInt32? = nil
    ) -> Bool {
        guard state.withLock({ $0.isConnected && $0.published[text] != mark ?? payload }) else {
            return false
        }
        let isTaken = client.publish(
            MQTTMessage(topic: text, payload: payload, isRetained: true, expirySeconds: expires))
        if isTaken { state.withLock { $0.published[text] = mark ?? payload } }
        return isTaken
    }
}

extension JSONEncoder {
    /// As Home Assistant names fields, always in one order: what has not changed is not said again.
    static var homeAssistant: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return encoder
    }
}
