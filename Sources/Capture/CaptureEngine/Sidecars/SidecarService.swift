import Cameras
import Foundation
import FrameFastModel
import FrameFastSystem
import Logging
public import ServiceLifecycle
import Store

/// Has sidecars say what people say of their photos: writes those anew that are out of date, and names those that it leaves
/// alone because somebody edited them.
public actor SidecarService: Service {
    /// Longest time between two looks: photos are put right, and files are removed, without a word to this.
    private static let pause: Duration = .seconds(60)
    /// Sidecars that are asked for at a time.
    private static let batch = 100

    private let files: SidecarFiles
    private let health: HealthBoard
    private let (wakes, wake) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    /// Folders with sidecars that are left alone.
    private var foldersTold: Set<String> = []

    init(files: SidecarFiles, health: HealthBoard) {
        self.files = files
        self.health = health
    }

    /// What is said of photos has changed.
    public nonisolated func ratingsChanged() { wake.yield() }

    /// Works until the service stops.
    public func run() async throws {
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                repeat { self.ratingsChanged() } while (try? await Task.sleep(for: Self.pause)) != nil
            }
            for await _ in wakes.cancelOnGracefulShutdown() { await look() }
            group.cancelAll()
        }
    }

    /// Looks at all that are out of date.
    func look() async {
        guard files.policy != nil else { return }
        var leftAlone: [String: [SidecarRecord]] = [:]
        var last: SidecarRecord?
        do {
            while !Task.isShuttingDownGracefully {
                let due = try await files.ledger.sidecarsDue(after: last, limit: Self.batch)
                guard !due.isEmpty else { break }
                last = due.last
                for sidecar in due {
                    switch await renew(sidecar) {
                    case .done, .later: break
                    case .edited, .taken:
                        leftAlone[DurableFile.parent(of: sidecar.path), default: []].append(sidecar)
                    }
                }
            }
        } catch {
            files.logger.error("cannot look at sidecars", metadata: ["reason": "\(error)"])
            return
        }
        tell(leftAlone)
    }

    private func renew(_ sidecar: SidecarRecord) async -> SidecarFiles.Renewal {
        do { return try await files.renew(sidecar) } catch {
            files.logger.warning(
                "cannot write a sidecar", metadata: ["path": "\(sidecar.path)", "reason": "\(error)"])
            return .later
        }
    }

    private func tell(_ leftAlone: [String: [SidecarRecord]]) {
        for folder in foldersTold.subtracting(leftAlone.keys) {
            health.clear(.sidecarEdited, subject: .folder(folder))
        }
        for (folder, sidecars) in leftAlone {
            let name = SafeName.component(sidecars[0].path.split(separator: "/").last.map(String.init) ?? "")
            health.raise(
                .sidecarEdited, subject: .folder(folder),
                sentence: sidecars.count == 1
                    ? "\(name) was written by another program: FrameFast leaves it as it is."
                    : "\(sidecars.count) sidecars in \(folder) were written by other programs, for example "
                        + "\(name): FrameFast leaves them as they are.",
                nextStep: "Set the stars there in that program, or remove the "
                    + "\(sidecars.count == 1 ? "file" : "files"): FrameFast then writes its own.")
        }
        foldersTold = Set(leftAlone.keys)
    }
}
