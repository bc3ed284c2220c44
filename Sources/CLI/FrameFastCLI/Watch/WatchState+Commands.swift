import FrameFastAPI

extension WatchState {
    /// Returns why a command is not available now, as a sentence, or `nil` if it is available.
    func unavailableReason(for command: WatchCommand) -> String? {
        switch command {
        case .shoot, .adjust, .liveView, .pause, .retry, .forget, .mode:
            guard model.offline == nil, let status = model.status else { return "framefastd is unavailable." }
            return unavailableReason(for: command, status)
        case .filter, .search: return model.shots.all.isEmpty ? "No photos are listed yet." : nil
        case .fold: return focus == nil || page != .overview ? "Select an item with Tab first." : nil
        case .move, .nextPart, .details, .session, .redraw, .help, .quit: return nil
        }
    }

    private func unavailableReason(for command: WatchCommand, _ status: StatusReply) -> String? {
        switch command {
        case .shoot:
            guard case .camera(let id) = focus else {
                return model.cameras.contains(where: \.isConnected) ? nil : "No camera is ready."
            }
            return model.cameras.contains { $0.id == id && $0.isConnected }
                ? nil : "This camera is not ready."
        case .adjust, .liveView:
            guard let camera = adjustableCamera else {
                return model.cameras.isEmpty ? "No camera is ready." : "Select a camera with Tab first."
            }
            return camera.isConnected ? nil : "This camera is not ready."
        case .pause: return status.destinations.isEmpty ? "No destination is configured." : nil
        case .retry, .forget:
            guard let uploads = failedUploads else {
                return "The uploads of this photo are not listed here: see `framefast queue`."
            }
            let count = uploads.failed + (command == .retry ? uploads.retrying : 0)
            let hint = uploads.words.isEmpty ? "" : " For all uploads, press Esc, then \(command.keys)."
            return count > 0 ? nil : "No upload\(uploads.words) failed.\(hint)"
        default: return nil
        }
    }

    /// The failed uploads of the focused photo or destination, or all failed uploads if neither has the
    /// focus. `nil` until the status and the uploads of the focused photo are loaded.
    var failedUploads: FailedUploads? {
        guard let status = model.status else { return nil }
        switch focus {
        case .destination(let name):
            let found = status.destinations.first { $0.name == name }?.statistics
            return FailedUploads(
                destination: name, failed: found?.failed ?? 0, retrying: found?.retrying ?? 0)
        case .photo(let id):
            guard let shot = model.shots.all.first(where: { $0.id == id }) else { return nil }
            let jobs = model.shots.uploads(of: shot).filter { [.failed, .retrying].contains($0.state) }
            if jobs.isEmpty, [.uploadFailed, .retrying].contains(shot.state.known) { return nil }
            return FailedUploads(
                ids: jobs.map(\.id), photo: shot.name, failed: jobs.count { $0.state == .failed },
                retrying: jobs.count { $0.state == .retrying })
        case .camera, .part, nil:
            return FailedUploads(failed: status.uploads.failed, retrying: status.uploads.retrying)
        }
    }
}
