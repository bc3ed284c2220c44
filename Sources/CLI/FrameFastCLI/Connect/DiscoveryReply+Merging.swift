import FrameFastAPI

extension DiscoveryReply {
    /// Returns this reply combined with the reply of the next part of a sweep.
    func merging(_ next: DiscoveryReply) -> DiscoveryReply {
        var counts: [Failure] = []
        for failure in failures + next.failures {
            if let place = counts.firstIndex(where: { $0.$kind == failure.$kind }) {
                counts[place].count += failure.count
            } else {
                counts.append(failure)
            }
        }
        var all = found
        for camera in next.found where !all.contains(where: { $0.address == camera.address }) {
            all.append(camera)
        }
        var waiting = asking
        for camera in next.asking where !waiting.contains(where: { $0.address == camera.address }) {
            waiting.append(camera)
        }
        let tried = tried + next.tried
        // Guidance about a camera that responded takes precedence over "no camera responded". A reply with a
        // camera needs no guidance.
        var guidance = hasResponse ? self.guidance : next.guidance
        if !hasResponse, !next.hasResponse, guidance != nil {
            guidance?.sentence = "No camera responded at \(tried) address(es)."
        }
        return DiscoveryReply(
            found: all,
            failures: counts.sorted { $0.count > $1.count },
            tried: tried, asking: waiting, sweep: next.sweep, guidance: all.isEmpty ? guidance : nil)
    }

    /// Whether a camera waits for the user's approval or has refused the connection.
    private var hasResponse: Bool {
        !asking.isEmpty || failures.contains { $0.kind == .refused }
    }
}
