import Cameras
import FrameFastModel
import WorkerProtocol

/// What has no event of its own: it is looked after when time brings it, and nothing wakes before.
extension Intake {
    /// Looks after everything that has no event of its own.
    func tick() async {
        while await rest() {
            guard end == nil else { return }
            settleLeft()
            guard isListed, !isTaking else { continue }
            // What still waits then waits for room on the disk; the camera is looked after meanwhile.
            let duty = quiet.next()
            do throws(WorkerFailure) {
                switch duty {
                case .nothing: break
                case .reconcile:
                    if hasNewDoubts {
                        end = end ?? .relist
                    } else if quiet.reconciled(missing: try await session.missing()) {
                        end = end ?? .relist
                    }
                case .refresh: try await session.refresh()
                case .retryParked:
                    queue.append(failed.unpark())
                case .retryDamaged: readDamagedAgain()
                }
            } catch {
                if error.kind == .disconnected || error.kind == .timeout {
                    end = end ?? .lost(afterProgress: hasProgress)
                } else if duty == .reconcile, error.kind != .unsupported {
                    quiet.refused()
                }
            }
            if duty != .nothing || !isAtRest { stir() }
        }
    }

    /// A sleep of many ticks that is cut short when something happens.
    struct Nap {
        let task: Task<Void, any Error>
        let ticks: Int
        let start = ContinuousClock.now
        var counted = 0
    }

    /// Whether everything is done that can be done, so that only time brings a duty.
    private var isAtRest: Bool {
        isListed && isLinkFree && queue.isEmpty && rereads.isEmpty && !hasNewDoubts
    }

    /// Sleeps: a tick while something goes on, and until the next duty when nothing does.
    ///
    /// - Returns: `false` when the session is over.
    private func rest() async -> Bool {
        while end == nil {
            let ticks = isAtRest ? quiet.ticksToNextDuty : 1
            let task = Task { [tick = shared.settings.quietTick] in try await Task.sleep(for: tick * ticks) }
            if ticks > 1 { nap = Nap(task: task, ticks: ticks) }
            let slept = await withTaskCancellationHandler {
                await task.result
            } onCancel: {
                task.cancel()
            }
            countNap()
            nap = nil
            if Task.isCancelled { return false }
            if case .success = slept { return true }
        }
        return false
    }

    /// Counts the ticks of a nap that have gone by; the last one is that of the duty.
    private func countNap() {
        guard var nap else { return }
        let passed = min(Int(nap.start.duration(to: .now) / shared.settings.quietTick), nap.ticks - 1)
        guard passed > nap.counted else { return }
        quiet.rested(passed - nap.counted)
        nap.counted = passed
        self.nap = nap
    }

    /// The camera announced something, or something is to be asked of it.
    func heardNews() {
        countNap()
        quiet.heard()
    }
}
