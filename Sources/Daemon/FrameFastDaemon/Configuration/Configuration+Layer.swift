import FrameFastModel

extension Configuration {
    /// Makes the value out of all layers together, with the checks that need them all.
    init(
        _ layer: ConfigurationLayer, files: [String], checkTemplate: (String) -> String?
    ) throws(ConfigurationErrors) {
        var errors = layer.errors
        let capture = Capture(
            directory: layer.text("capture.directory"),
            template: layer.text("capture.template"),
            deletesAfterSave: layer.flag("capture.delete_after_save"),
            minFreeBytes: layer.bytes("capture.min_free"),
            pairSettle: layer.duration("capture.pair_settle"),
            captureTarget: CaptureTarget(rawValue: layer.text("capture.capture_target")) ?? .card,
            existing: Capture.Existing(rawValue: layer.text("capture.existing")) ?? .fetch,
            verify: Capture.Verify(rawValue: layer.text("capture.verify")) ?? .structure)
        if let problem = checkTemplate(capture.template), let entry = layer.entries["capture.template"] {
            errors.append(
                .init(source: entry.source, line: entry.line, message: "'capture.template': \(problem)"))
        }
        let cameras = layer.checkedCameras(capture, errors: &errors)
        let upload = layer.upload(errors: &errors)
        let destinations = layer.destinations(checkTemplate: checkTemplate, errors: &errors)
        let hooks = layer.hooks(destinations: destinations.map(\.name), errors: &errors)
        guard errors.isEmpty else { throw ConfigurationErrors(errors: errors) }
        self.init(
            capture: capture, cameras: cameras,
            usb: USB(detects: layer.flag("usb.detect"), phones: Set(layer.list("usb.phones"))),
            upload: upload, destinations: destinations, hooks: hooks,
            keep: RetentionRule(layer.text("storage.keep")) ?? .forever,
            api: API(socket: layer.text("api.socket"), isStatusPublic: layer.flag("api.public_status")),
            metrics: LoopbackAddress(layer.text("metrics.listen")),
            driversAllowed: layer.list("drivers.allow"),
            stateDirectory: layer.text("state.directory"),
            logLevel: layer.text("log.level"),
            files: files)
    }
}

extension ConfigurationLayer {
    fileprivate func checkedCameras(
        _ capture: Configuration.Capture, errors: inout [ConfigurationError]
    ) -> [Configuration.Camera] {
        var checked: [Configuration.Camera] = []
        for table in lists["camera"] ?? [] {
            guard let name = table.text("name"), let address = table.text("address") else {
                // A value that is there and wrong has its own error already.
                let missing = ["name", "address"].filter { !table.keys.contains($0) }.map { "'\($0)'" }
                if !missing.isEmpty {
                    errors.append(table.error(nil, "a camera needs " + missing.joined(separator: " and ")))
                }
                continue
            }
            if let other = checked.first(where: { $0.name == name }) {
                errors.append(table.error("name", "camera name '\(other.name)' is taken by another camera"))
            }
            if let other = checked.first(where: { $0.address == address }) {
                errors.append(
                    table.error("address", "address '\(address)' is taken by camera '\(other.name)'"))
            }
            var deletes = capture.deletesAfterSave
            if case .flag(let own) = table.entries["delete_after_save"]?.value { deletes = own }
            let target = table.text("capture_target").flatMap(CaptureTarget.init) ?? capture.captureTarget
            checked.append(
                .init(
                    name: name, address: address, timeZone: table.text("time_zone"),
                    deletesAfterSave: deletes,
                    captureTarget: target))
        }
        return checked
    }

    // The defaults hold every key, so the fallbacks below are never taken; a test holds that.
    func text(_ path: String) -> String {
        if case .text(let text) = entries[path]?.value { text } else { "" }
    }

    fileprivate func flag(_ path: String) -> Bool {
        if case .flag(let flag) = entries[path]?.value { flag } else { false }
    }

    fileprivate func bytes(_ path: String) -> Int64 {
        if case .bytes(let bytes) = entries[path]?.value { bytes } else { 0 }
    }

    func duration(_ path: String) -> Duration {
        if case .duration(let duration) = entries[path]?.value { duration } else { .zero }
    }

    func number(_ path: String) -> Int {
        if case .number(let number) = entries[path]?.value { number } else { 0 }
    }

    func list(_ path: String) -> [String] {
        if case .list(let list) = entries[path]?.value { list } else { [] }
    }
}

extension ConfigurationLayer.Table {
    /// Where the table and its keys stand.
    var origin: ConfigurationOrigin {
        .init(
            table: .init(source: source, line: line),
            keys: entries.mapValues { .init(source: $0.source, line: $0.line) })
    }

    func text(_ name: String) -> String? {
        if case .text(let text) = entries[name]?.value { text } else { nil }
    }

    /// - Parameter name: The key that is wrong; `nil` for the table as a whole.
    func error(_ name: String?, _ message: String) -> ConfigurationError { origin.error(name, message) }
}
