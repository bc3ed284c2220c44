import APIClient
import Foundation
import FrameFastAPI
import Glibc
import TestRig
import Testing

/// A campaign with two stations, three cameras and one shared destination folder. Performs the campaign's
/// steps, and then checks the photos.
final class CampaignRun {
    let setup: CampaignSetup
    let cameras: [Simulator]
    let stations: [CampaignStation]
    /// The steps so far, for the report of a failure.
    private(set) var history: [CampaignStep] = []
    /// The number of injected faults: of cameras, services, workers, disks, folders and destinations.
    private(set) var faults = 0

    private let scratch: ScratchFolder
    private let delivered: String
    /// SHA-256 of the foreign files, which no service may change, by file name and folder.
    private let foreign: [String: String]

    init(_ setup: CampaignSetup) async throws {
        self.setup = setup
        let scratch = try ScratchFolder()
        self.scratch = scratch
        delivered = scratch.path("gallery")
        var cameras: [Simulator] = []
        for (number, maker) in setup.makers.enumerated() {
            let serial = setup.serial.map { ["--serial", $0] } ?? []
            cameras.append(
                try await Simulator(
                    scratch, name: "camera\(number)",
                    ["--maker", maker, "--size", setup.size, "--seed", "\(number + 1)"] + serial))
        }
        self.cameras = cameras
        let destination = delivered
        stations = try CampaignSetup.stations.enumerated().map { number, members in
            try CampaignStation(
                scratch, name: "station\(number)", cameras: members.map { cameras[$0] },
                destination: destination)
        }
        foreign = try Self.leaveForeignFiles(in: stations.map(\.rig.captures) + [destination])
        for station in stations { try await station.rig.start() }
        for station in stations { try await station.waitUntilReady() }
        // The service records a destination at its first delivery. Before the first delivery, the service
        // treats a missing folder as a new folder.
        for camera in cameras.indices {
            // Cameras with one serial number may connect again to compare their photos.
            if setup.keepsInMemory(camera) { try await waitUntilServed(camera) }
            try cameras[camera].command("shoot")
        }
        for station in stations.indices { try await waitUntilDelivered(station) }
    }

    /// Creates foreign files in the folders before a service starts, with names that photos will need.
    private static func leaveForeignFiles(in folders: [String]) throws -> [String: String] {
        var foreign: [String: String] = [:]
        for folder in folders {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            for name in ["left-00002.jpg", "right-00001.jpg", "notes.txt"] {
                let path = folder + "/" + name
                try "foreign file \(path)".write(toFile: path, atomically: false, encoding: .utf8)
                foreign[name + " " + folder] = try DaemonRig.sha256(ofFile: path)
            }
        }
        return foreign
    }

    // MARK: steps

    func perform(_ step: CampaignStep, using random: inout SeededRandom) async throws {
        history.append(step)
        switch step {
        case .shoot(let camera, let times): try await shoot(camera, times)
        case .fault(let camera, let fault):
            faults += 1
            try cameras[camera].command("fault \(fault)")
            try await shoot(camera, 1)
        case .killService(let station):
            faults += 1
            try await waitForMemoryPhotos(station)
            try await stations[station].rig.kill()
            try await stations[station].rig.start()
        case .killWorkers(let station):
            faults += 1
            try await waitForMemoryPhotos(station)
            let before = stations[station].connections
            let workers = stations[station].rig.program?.children ?? []
            for worker in workers { kill(worker, SIGKILL) }
            // The status shows a ready camera until the service detects that the worker has ended.
            try await eventually("the killed workers to be replaced", within: 60) {
                stations[station].connections >= before + workers.count ? () : nil
            }
        case .restart(let station):
            try await waitForMemoryPhotos(station)
            try await stations[station].rig.stop()
            try await stations[station].rig.start()
        case .exchangeAddresses(let station):
            faults += 1
            try await waitForMemoryPhotos(station)
            try await stations[station].rig.stop()
            try stations[station].exchangeAddresses()
            try await stations[station].rig.start()
        case .moveCaptures(let station):
            faults += 1
            // Undelivered photos are read from the path where they were saved. Therefore, they must be
            // delivered before the move.
            try await waitUntilDelivered(station)
            try stations[station].moveCaptures()
            // At the next photo, the service recreates the folder and restarts the camera's worker. Until the
            // next connection, a camera with photos in memory saves new photos to its card.
            for camera in CampaignSetup.stations[station] where setup.keepsInMemory(camera) {
                try await shoot(camera, Int.random(in: 1...4, using: &random))
            }
            try await waitForMemoryPhotos(station)
        case .session(let station, let name):
            // The service refuses an invalid name and changes nothing.
            _ = try? stations[station].rig.client.call(\.sessions.start, .init(name: name))
        case .fullDisk(let station):
            faults += 1
            try await stations[station].withFullDisk {
                for camera in CampaignSetup.stations[station] { try await shoot(camera, 1) }
                try await pause(upTo: 400, using: &random)
            }
        case .destinationAway:
            faults += 1
            try FileManager.default.moveItem(atPath: delivered, toPath: delivered + ".away")
            for camera in cameras.indices { try await shoot(camera, 1) }
            try await pause(upTo: 400, using: &random)
            try FileManager.default.moveItem(atPath: delivered + ".away", toPath: delivered)
        }
    }

    /// Waits for a random time. The next step then coincides with a random phase of the previous step.
    func pause(upTo milliseconds: Int, using random: inout SeededRandom) async throws {
        try await Task.sleep(for: .milliseconds(Int.random(in: 0...milliseconds, using: &random)))
    }

    private func shoot(_ camera: Int, _ times: Int) async throws {
        // Without a connection, a camera with photos in memory saves new photos to its card. The service
        // can't list that card.
        if setup.keepsInMemory(camera) { try await waitUntilServed(camera) }
        // A camera with full memory refuses the shot.
        _ = try? cameras[camera].command("shoot \(times)")
    }

    /// Waits until the service uses the camera's open session.
    ///
    /// The status shows a ready camera until the service detects the end of a connection. The status
    /// shows a new connection before the camera opens its session. Therefore, the same session must be open
    /// before and after the status is read.
    private func waitUntilServed(_ camera: Int) async throws {
        let station = stations[setup.station(of: camera)]
        try await station.rig.waitUntil("a session of camera \(camera)", within: 90) { snapshot -> Bool in
            guard let session = try cameras[camera].openSession() else { return false }
            return try station.isReady(snapshot.status) && cameras[camera].openSession() == session
        }
    }

    /// Waits until cameras that lose their memory at the end of a connection have transferred their photos.
    private func waitForMemoryPhotos(_ station: Int) async throws {
        let members = CampaignSetup.stations[station]
        guard members.contains(where: setup.keepsInMemory) else { return }
        try await waitUntilDelivered(station)
    }

    private func waitUntilDelivered(_ station: Int) async throws {
        let shots = try shotsTaken(station)
        do {
            try await stations[station].waitUntilDelivered(
                try shots.count - photosLeftInCamera(station).count)
        } catch {
            let savedHashes = Set(try stations[station].savedFiles().map(\.sha256))
            let missing = shots.filter { !savedHashes.contains($0.sha256) }.map(\.name)
            throw WaitTimeout(description: "not here: \(missing); \(error)")
        }
    }

    /// Returns the missing photos of cameras that lose their memory at the end of a connection, or an empty
    /// array if the station reported no photos left in a camera.
    private func photosLeftInCamera(_ station: Int) throws -> [Simulator.Shot] {
        guard stations[station].hasReportedPhotosLeft else { return [] }
        let savedHashes = Set(try stations[station].savedFiles().map(\.sha256))
        return try CampaignSetup.stations[station].filter(setup.keepsInMemory).flatMap {
            try cameras[$0].truth()
        }
        .filter { !savedHashes.contains($0.sha256) }
    }

    /// Returns the photos that the cameras of a station took.
    private func shotsTaken(_ station: Int) throws -> [Simulator.Shot] {
        try CampaignSetup.stations[station].flatMap { try cameras[$0].truth() }
    }

    // MARK: checks

    /// Ends all faults, and waits until all transfers are finished and no violation remains.
    ///
    /// If the metadata of a photo was truncated, its record is empty until the next connection lists the
    /// photo. ``waitUntilDelivered(_:)`` counts the empty record like a complete record.
    func recover() async throws {
        for camera in cameras { try camera.command("clear-faults") }
        for station in stations { try await station.waitUntilReady() }
        for station in stations.indices { try await waitUntilDelivered(station) }
        // A timeout is ignored, because the test checks and reports the remaining violations.
        try? await eventually("no violation to remain", within: Self.recoverySecondsMax, every: 250) {
            try violations().isEmpty ? () : nil
        }
    }

    /// The maximum time in which a station recovers from wrong data of its cameras, in seconds.
    /// Recovery needs an idle moment and a new connection.
    private static let recoverySecondsMax = 60.0

    /// Returns the violations of the campaign's rules, or an empty array.
    ///
    /// Every object of every camera is saved once on its station's disk with the same bytes, and delivered
    /// once. A condition reports each exception. Foreign files are unchanged. All services still run. The
    /// logs contain only errors that the campaign caused.
    func violations() throws -> [String] {
        let theirs = Set(foreign.values)
        var wrong: [String] = []
        var all: [CampaignFile] = []
        for (number, station) in stations.enumerated() {
            let saved = try station.savedFiles()
            all += saved
            wrong += Self.difference(
                "station \(number)", has: saved.filter { !theirs.contains($0.sha256) },
                wants: try shotsTaken(number), reported: try reportedLosses(number))
            wrong += station.rig.errorsInLog.prefix(5).map { "[loss] station \(number), log: \($0)" }
            if station.rig.program?.isRunning != true {
                wrong.append("[loss] station \(number): its service ended")
            }
        }
        let gallery = try CampaignFile.all(below: delivered)
        func ours(_ files: [CampaignFile]) -> [String] {
            files.map(\.sha256).filter { !theirs.contains($0) }.sorted()
        }
        if ours(gallery) != ours(all) {
            let (arrived, wanted) = (Set(ours(gallery)), Set(ours(all)))
            wrong.append(
                "[loss] \(ours(all).count) photos were saved, \(ours(gallery).count) delivered; not delivered: "
                    + "\(all.filter { wanted.subtracting(arrived).contains($0.sha256) }.map(\.path))")
        }
        let everything = Set((gallery + all).map(\.sha256))
        for (name, hash) in foreign where !everything.contains(hash) {
            wrong.append("[loss] a foreign file was changed: \(name)")
        }
        return wrong
    }

    /// Returns the number of missing photos that a condition reports, by name.
    private func reportedLosses(_ number: Int) throws -> [String: Int] {
        let station = stations[number]
        var names = try photosLeftInCamera(number).map(\.name)
        if try station.rig.status().conditions.contains(where: { $0.code == "photo-damaged" }) {
            names += try station.rig.records().filter { $0.state == .damaged }.map(\.originalName)
        }
        return Dictionary(names.map { ($0, 1) }, uniquingKeysWith: +)
    }

    private static func difference(
        _ place: String, has saved: [CampaignFile], wants shots: [Simulator.Shot], reported: [String: Int]
    ) -> [String] {
        var files = Dictionary(grouping: saved, by: \.sha256)
        var reported = reported
        var missing: [String] = []
        for shot in shots {
            if files[shot.sha256]?.popLast() != nil { continue }
            if reported[shot.name, default: 0] > 0 {
                reported[shot.name, default: 0] -= 1
            } else {
                missing.append("\(shot.name) (\(shot.size) bytes)")
            }
        }
        let surplus = files.values.joined().map(\.path)
        return missing.isEmpty && surplus.isEmpty
            ? [] : ["[loss] \(place): of \(shots.count) photos \(missing) are missing; too many: \(surplus)"]
    }

    /// The number of photos taken.
    var photos: Int { (try? cameras.map { try $0.truth().count }.reduce(0, +)) ?? 0 }

    /// Stops the services, and returns their exit statuses.
    func stop() async throws -> [Int32] {
        var statuses: [Int32] = []
        for station in stations { statuses.append(try await station.rig.stop()) }
        return statuses
    }
}
