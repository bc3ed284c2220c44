/// The JSON that the control socket returns about the card and the camera.
enum CardListing {
    static func objects(_ card: Card) -> [String] {
        card.objects.map { object in
            """
            {"handle":\(object.handle),"parent":\(object.parent),"folder":\(CameraText(card.path(of: object)).json),\
            "name":\(object.name.json),"size":\(object.bytes.count),"format":\(object.format.rawValue),\
            "shot":\(object.shot),"captured":"\(object.time.iso)","fetched":\(object.isFetched)}
            """
        }
    }

    static func truth(_ card: Card) -> [String] {
        card.files.map { TruthLog.line($0, folder: card.path(of: $0)) }
    }

    static func statistics(_ camera: Camera) -> String {
        let statistics = camera.statistics
        let requests = statistics.requests.sorted { $0.key < $1.key }.map { code, count in
            let operation = PTPOperation(code: code, maker: camera.identity.maker)
            return "\"\(operation.map { "\($0)" } ?? "0x" + String(code, radix: 16))\":\(count)"
        }
        return """
            {"sessions":\(statistics.sessions),"shots":\(statistics.shots),\
            "last_shot_ms":\(statistics.lastShot.map { "\($0.hostMs)" } ?? "null"),\
            "files":\(camera.card.files.reduce(0) { count, _ in count + 1 }),\
            "fetched":\(statistics.fetched),"deleted":\(statistics.deleted),"refused":\(statistics.refused),\
            "lost":\(statistics.lost),"crashes":\(statistics.crashes),\
            "target":"\(camera.captureTarget)","body_locked":\(camera.isBodyLocked),\
            "lamp":"\(camera.lamp?.rawValue ?? "none")",\
            "free_bytes":\(camera.card.freeBytes),"battery":\(camera.battery),\
            "session_open":\(camera.isSessionOpen),"client_listening":\(camera.isClientListening),\
            "requests":{\(requests.joined(separator: ","))}}
            """
    }
}
