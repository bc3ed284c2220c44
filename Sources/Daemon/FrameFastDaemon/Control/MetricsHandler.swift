import Cameras
import CaptureEngine
import Foundation
import FrameFastAPI
import FrameFastModel
import FrameFastSystem
import Store
import UploadEngine

/// The endpoint that returns statistics for Prometheus.
///
/// The cost of a request does not depend on the number of photos. The number of time series is bounded,
/// because label values are destination names and fixed words.
struct MetricsHandler {
    let service: ServiceHandler
    let uploads: UploadService
    let ledger: LedgerStore
    let registry: CameraRegistry
    let saveStatistics: SaveStatistics
    let changer: SettingsChanger
    let frames: LiveViewFeed.FrameCounts
    let clock: HostClock

    func metrics() async throws(ControlError) -> MetricsText {
        let status = try await service.status()
        let uploads = try await uploads.mapErrors { try await $0.statistics() }
        var ages: [DestinationName: Double] = [:]
        for statistics in uploads {
            let name = statistics.destination
            let since = try await ledger.mapErrors { try await $0.oldestUploadWaiting(destination: name) }
            ages[name] = since.map { max(clock.now().timeIntervalSince($0), 0) } ?? 0
        }
        var text = MetricsText()
        text.addFamily("framefast_build", .info, "The running version.")
        text.addSample("framefast_build_info", ["version": status.version], 1)
        text.addFamily(
            "framefast_start_time_seconds", .gauge, unit: "seconds", "The time when the service started.")
        text.addSample("framefast_start_time_seconds", status.startedAt.timeIntervalSince1970.rounded())
        add(captures: status.captures, to: &text)
        add(cameras: status.cameras, to: &text)
        text.addFamily(
            "framefast_setting_changes", .counter,
            "Camera setting changes since the service started, by result.")
        let changes = changer.outcomeCounts
        for outcome in CameraSettingResult.Outcome.allCases where outcome != .trial {
            text.addSample(
                "framefast_setting_changes_total", ["result": outcome.rawValue],
                Double(changes[outcome] ?? 0))
        }
        text.addFamily(
            "framefast_live_view_frames", .counter,
            "Live view frames requested from cameras since the service started, by result.")
        for (result, count) in [("served", frames.served), ("refused", frames.refused)] {
            text.addSample("framefast_live_view_frames_total", ["result": result], Double(count))
        }
        add(uploads, ages, to: &text)
        Self.add(disk: status.disk, to: &text)
        text.addFamily("framefast_conditions", .gauge, "Current conditions by severity.")
        for severity in Condition.Severity.allCases.map(\.rawValue) {
            let count = status.conditions.count { $0.$severity.text == severity }
            text.addSample("framefast_conditions", ["severity": severity], Double(count))
        }
        return text
    }

    private func add(captures: CaptureStatisticsReply, to text: inout MetricsText) {
        text.addFamily(
            "framefast_shots", .counter, "Saved shots: a RAW+JPEG pair counts once.")
        text.addSample("framefast_shots_total", Double(captures.shots))
        text.addFamily("framefast_captures", .counter, "Saved photos.")
        text.addSample("framefast_captures_total", Double(captures.total))
        text.addFamily("framefast_captured_bytes", .counter, unit: "bytes", "Total size of saved photos.")
        text.addSample("framefast_captured_bytes_total", Double(captures.bytes))
        let latency = saveStatistics.latency
        let name = "framefast_capture_latency_seconds"
        text.addFamily(
            name, .histogram, unit: "seconds",
            "Time from a photo's announcement until it is safe on disk. Counts photos since the start.")
        for (bound, count) in zip(SaveStatistics.Latency.bounds, latency.counts) {
            text.addSample("\(name)_bucket", ["le": "\(bound)"], Double(count))
        }
        text.addSample("\(name)_bucket", ["le": "+Inf"], Double(latency.count))
        text.addSample("\(name)_sum", latency.seconds)
        text.addSample("\(name)_count", Double(latency.count))
    }

    private func add(cameras: [CameraReply], to text: inout MetricsText) {
        text.addFamily("framefast_cameras", .gauge, "Known cameras.")
        text.addSample("framefast_cameras", Double(cameras.count))
        text.addFamily("framefast_cameras_connected", .gauge, "Connected cameras.")
        let connected = registry.all.count { registry.connection(of: $0.id) != nil }
        text.addSample("framefast_cameras_connected", Double(connected))
        text.addFamily("framefast_captures_waiting", .gauge, "Photos on cameras that are not fetched yet.")
        text.addSample("framefast_captures_waiting", Double(cameras.reduce(0) { $0 + $1.pending }))
        text.addFamily(
            "framefast_worker_restarts", .counter,
            "Camera workers that ended, also after a failed connection, and were replaced.")
        for (how, count) in registry.workerEnds.sorted(by: { $0.key < $1.key }) {
            text.addSample("framefast_worker_restarts_total", ["how": how], Double(count))
        }
    }

    private func add(
        _ uploads: [UploadStatistics], _ ages: [DestinationName: Double], to text: inout MetricsText
    ) {
        text.addFamily("framefast_upload_jobs", .gauge, "Uploads by destination and state.")
        for statistics in uploads {
            for state in UploadJob.State.allCases where state != .verifying {
                text.addSample(
                    "framefast_upload_jobs",
                    ["destination": statistics.destination.rawValue, "state": state.rawValue],
                    Double(statistics.counts[state].jobs))
            }
        }
        text.addFamily(
            "framefast_upload_open_bytes", .gauge, unit: "bytes", "Bytes that are not uploaded yet.")
        for statistics in uploads {
            let open: [UploadJob.State] = [.queued, .retrying, .uploading]
            let bytes = open.reduce(0.0) { $0 + Double(statistics.counts[$1].bytes) }
            text.addSample(
                "framefast_upload_open_bytes", ["destination": statistics.destination.rawValue], bytes)
        }
        text.addFamily(
            "framefast_upload_queue_age_seconds", .gauge, unit: "seconds",
            "Age of the oldest upload that is ready to start.")
        for statistics in uploads {
            text.addSample(
                "framefast_upload_queue_age_seconds", ["destination": statistics.destination.rawValue],
                ages[statistics.destination] ?? 0)
        }
        let breaker = "framefast_destination_breaker"
        text.addFamily(
            breaker, .stateset,
            "Circuit breaker of a destination: closed, half_open during a trial, open after an outage.")
        for statistics in uploads {
            let current = DestinationReply.states(statistics.state).1.rawValue
            for state in ["closed", "half_open", "open"] {
                text.addSample(
                    breaker, ["destination": statistics.destination.rawValue, breaker: state],
                    state == current ? 1 : 0
                )
            }
        }
    }

    /// Adds the samples of the capture disk. While the capture folder is unavailable, the free space is
    /// unknown and is omitted.
    static func add(disk: DiskReply, to text: inout MetricsText) {
        let isKnown = disk.guard != .away
        text.addFamily("framefast_disk_free_bytes", .gauge, unit: "bytes", "Free space on the capture disk.")
        if isKnown { text.addSample("framefast_disk_free_bytes", Double(disk.freeBytes)) }
        text.addFamily(
            "framefast_disk_reserve_bytes", .gauge, unit: "bytes",
            "Free space to keep on the capture disk (min_free).")
        text.addSample("framefast_disk_reserve_bytes", Double(disk.minFreeBytes))
        if isKnown, let total = disk.totalBytes {
            text.addFamily(
                "framefast_disk_used_bytes", .gauge, unit: "bytes",
                "Used space on the capture disk, by all users.")
            text.addSample("framefast_disk_used_bytes", Double(max(total - disk.freeBytes, 0)))
        }
    }
}
