import FrameFastModel

extension WorkerEvent {
    /// This event, reduced to ``WorkerLimits``. Long texts are truncated, and invalid numbers are omitted or
    /// clamped.
    ///
    /// A worker sends only reduced events. If this property changes a received event, the worker is
    /// compromised.
    public var reducedToLimits: Self {
        switch self {
        case .hello(let hello):
            .hello(
                WorkerHello(
                    protocolVersion: hello.protocolVersion, pid: hello.pid,
                    libraryVersion: hello.libraryVersion.cut(WorkerLimits.labelBytes)))
        case .opened(let id, let facts): .opened(id: id, facts.reducedToLimits)
        case .listed(let id, let objects, let isLast, let total):
            .listed(
                id: id, objects.prefix(WorkerLimits.objectsPerListing).compactMap(\.reducedToLimits),
                isLast: isLast,
                total: total.map { $0.clamped(0...WorkerLimits.count) })
        case .reconciled(let id, let missing, let total, let refused):
            .reconciled(
                id: id, missing: missing.clamped(0...WorkerLimits.count),
                total: total.clamped(0...WorkerLimits.count),
                refused: refused.clamped(0...WorkerLimits.count))
        case .progress(let id, let bytes): .progress(id: id, bytes: min(bytes, WorkerLimits.bytes))
        case .fetched(let id, let result):
            .fetched(
                id: id,
                FetchResult(
                    bytes: min(result.bytes, WorkerLimits.bytes),
                    sha256: result.sha256.isDigest ? result.sha256 : "",
                    transferMs: result.transferMs.clamped(0...WorkerLimits.milliseconds)))
        case .facts(let facts): .facts(facts.reducedToLimits)
        case .settings(let id, let settings):
            .settings(id: id, settings.prefix(WorkerLimits.settings).map(\.reducedToLimits))
        case .settingResults(let id, let results):
            .settingResults(id: id, results.prefix(WorkerLimits.settings).map(\.reducedToLimits))
        case .settingsChanged(let settings, let source):
            .settingsChanged(settings.prefix(WorkerLimits.settings).map(\.reducedToLimits), source: source)
        case .frame(let id, let frame): .frame(id: id, LiveFrame(jpeg: frame.jpeg.prefix(LiveFrame.bytesMax)))
        case .operation(let progress): .operation(progress.reducedToLimits)
        case .clockSet(let id, let setting): .clockSet(id: id, setting.reducedToLimits)
        case .done: self
        case .failed(let id, let failure): .failed(id: id, failure.reducedToLimits)
        // An object beyond the limits cannot be sent. The daemon lists the card instead, and the list omits
        // the object.
        case .objectAdded(let object):
            object.reducedToLimits.map { .objectAdded($0) }
                ?? .listChanged(reason: "an object with a name that is too long")
        case .listChanged(let reason): .listChanged(reason: reason.cut(WorkerLimits.wordBytes))
        case .lost(let failure): .lost(failure.reducedToLimits)
        case .heartbeat(let heartbeat):
            .heartbeat(
                WorkerHeartbeat(
                    call: heartbeat.call?.cut(WorkerLimits.labelBytes),
                    runningMs: heartbeat.runningMs.clamped(0...WorkerLimits.milliseconds),
                    silentMs: heartbeat.silentMs.map { $0.clamped(0...WorkerLimits.milliseconds) }))
        }
    }
}

extension CameraObject {
    /// The object within the limits, or `nil` if its name or folder is too long. A name is never truncated,
    /// because the worker could not fetch the object under another name.
    fileprivate var reducedToLimits: Self? {
        guard name.utf8.count <= WorkerLimits.nameBytes, folder.utf8.count <= WorkerLimits.folderBytes else {
            return nil
        }
        return CameraObject(
            folder: folder, name: name, size: min(size, WorkerLimits.bytes),
            cameraTime: cameraTime.flatMap { WorkerLimits.times.contains($0) ? $0 : nil },
            isProtected: isProtected)
    }
}

extension CameraFacts {
    fileprivate var reducedToLimits: Self {
        var facts = self
        for word in [\Self.maker, \.model, \.serial, \.firmware, \.vendorExtension] {
            facts[keyPath: word] = self[keyPath: word].cut(WorkerLimits.wordBytes)
        }
        facts.captureTarget = captureTarget?.cut(WorkerLimits.wordBytes)
        facts.batteryPercent = batteryPercent.map { $0.clamped(0...100) }
        facts.shotsLeft = shotsLeft.map { $0.clamped(0...WorkerLimits.count) }
        facts.burstShotsLeft = burstShotsLeft.map { $0.clamped(0...WorkerLimits.count) }
        facts.clockDriftSeconds = clockDriftSeconds.map {
            $0.clamped(-WorkerLimits.driftSeconds...WorkerLimits.driftSeconds)
        }
        facts.bufferBytes = bufferBytes.map { min($0, WorkerLimits.bytes) }
        facts.bufferedBytes = bufferedBytes.map { min($0, WorkerLimits.bytes) }
        facts.bufferedObjects = bufferedObjects.map { $0.clamped(0...WorkerLimits.count) }
        facts.unrestored = unrestored.prefix(WorkerLimits.settings).map { $0.cut(WorkerLimits.wordBytes) }
        facts.storages = storages.prefix(WorkerLimits.storages).map { storage in
            CameraStorage(
                folder: storage.folder.cut(WorkerLimits.wordBytes),
                label: storage.label.cut(WorkerLimits.wordBytes),
                capacityBytes: storage.capacityBytes.map { min($0, WorkerLimits.bytes) },
                freeBytes: storage.freeBytes.map { min($0, WorkerLimits.bytes) })
        }
        return facts
    }
}

extension CameraSetting {
    fileprivate var reducedToLimits: Self {
        var setting = self
        setting.name = name.cut(WorkerLimits.wordBytes)
        setting.word = word.cut(WorkerLimits.textBytes)
        setting.value = value.flatMap(\.reducedToLimits)
        setting.choices = choices.prefix(WorkerLimits.choices).map {
            Choice(value: $0.value.flatMap(\.reducedToLimits), word: $0.word.cut(WorkerLimits.wordBytes))
        }
        setting.range = range.flatMap {
            $0.least.isFinite && $0.most.isFinite && $0.step.isFinite ? $0 : nil
        }
        return setting
    }
}

extension CameraSettingValue {
    /// The value, or `nil` if it is longer than any value of FrameFast's keys.
    fileprivate var reducedToLimits: Self? { text.utf8.count <= WorkerLimits.labelBytes ? self : nil }
}

extension CameraSettingResult {
    fileprivate var reducedToLimits: Self {
        var result = self
        result.change.name = change.name.cut(WorkerLimits.wordBytes)
        result.change.value = change.value.cut(WorkerLimits.textBytes)
        result.now = now?.reducedToLimits
        result.reason = reason?.cut(WorkerLimits.textBytes)
        return result
    }
}

extension CameraClockSetting {
    fileprivate var reducedToLimits: Self {
        let range = -WorkerLimits.milliseconds...WorkerLimits.milliseconds
        return CameraClockSetting(
            driftBeforeMs: driftBeforeMs.map { $0.clamped(range) },
            driftAfterMs: driftAfterMs.map { $0.clamped(range) })
    }
}

extension CameraOperationProgress {
    fileprivate var reducedToLimits: Self {
        var progress = self
        progress.done = done.clamped(0...WorkerLimits.count)
        progress.total = total.map { $0.clamped(0...WorkerLimits.count) }
        progress.elapsedMs = elapsedMs.clamped(0...WorkerLimits.milliseconds)
        progress.nextAtMs = nextAtMs.map { $0.clamped(0...WorkerLimits.wallMs) }
        progress.tick?.number = tick.map { $0.number.clamped(0...WorkerLimits.count) } ?? 0
        progress.tick?.latenessUs = tick.map { $0.latenessUs.clamped(0...WorkerLimits.count) } ?? 0
        progress.tick?.answerUs = tick.map { $0.answerUs.clamped(0...WorkerLimits.count) } ?? 0
        progress.tick?.reason = tick?.reason?.cut(WorkerLimits.textBytes)
        progress.failedChanges = failedChanges?.reducedToLimits
        progress.reason = reason?.cut(WorkerLimits.textBytes)
        return progress
    }
}

extension FailedSettingChanges {
    fileprivate var reducedToLimits: Self {
        FailedSettingChanges(
            count: count.clamped(1...WorkerLimits.count), tick: tick.clamped(0...WorkerLimits.count),
            change: CameraSettingChange(
                name: change.name.cut(WorkerLimits.wordBytes),
                value: change.value.cut(WorkerLimits.textBytes)),
            reason: reason.cut(WorkerLimits.textBytes))
    }
}

extension WorkerFailure {
    fileprivate var reducedToLimits: Self {
        WorkerFailure(
            kind: kind, code: code, during: during.cut(WorkerLimits.labelBytes),
            text: text.cut(WorkerLimits.textBytes))
    }
}

extension String {
    /// Returns the longest prefix that fits into a number of bytes without splitting a character.
    fileprivate func cut(_ bytes: Int) -> String { SafeName.cut(self, toBytes: bytes) }

    /// Whether the string is a SHA-256 in lower-case hexadecimal.
    fileprivate var isDigest: Bool {
        utf8.count == 64
            && utf8.allSatisfy {
                (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || (97...102).contains($0)
            }
    }
}

extension Int {
    fileprivate func clamped(_ range: ClosedRange<Int>) -> Int {
        Swift.min(Swift.max(self, range.lowerBound), range.upperBound)
    }
}
