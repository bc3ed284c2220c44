import APIClient
import Foundation
import FrameFastAPI
import Glibc
import TestRig

/// Two stations, three cameras and one folder that both deliver to, in which anything may happen; and what must be so
/// when it is quiet again.
final class CampaignWorld {
    let cast: CampaignCast
    let cameras: [Simulator]
    let stations: [CampaignStation]
    /// What was done so far, for the report of a failure.
    private(set) var history: [CampaignStep] = []
    /// Faults that were injected: of cameras, services, workers, disks, folders and destinations.
    private(set) var faults = 0

    private let scratch: ScratchFolder
    private let delivered: String
    /// Files of somebody else, which nothing may touch, with their hashes.
    private let foreign: [String: String]

    init(_ cast: CampaignCast) async throws {
        self.cast = cast
        let scratch = try ScratchFolder()
        self.scratch = scratch
        delivered = scratch.path("gallery")
        var cameras: [Simulator] = []
        for (number, maker) in cast.makers.enumerated() {
            let serial = cast.serial.map { ["--serial", $0] } ?? []
            cameras.append(
                try await Simulator(
                    scratch, name: "camera\(number)",
                    ["--maker", maker, "--size", cast.size, "--seed", "\(number + 1)"] + serial))
        }
        self.cameras = cameras
        let destination = delivered
        stations = try CampaignCast.stations.enumerated().map { number, members in
            try CampaignStation(
                scratch, name: "station\(number)", cameras: members.map { cameras[$0] },
                destination: destination)
        }
        foreign = try Self.leaveForeignFiles(in: stations.map(\.rig.captures) + [destination])
        for station in stations { try await station.rig.start() }
        for station in stations { try await station.ready() }
        // A destination is known from its first delivery on: before that, a folder that is away is a new one.
        for camera in cameras { try camera.command("shoot") }
        for station in stations.indices { try await settle(station) }
    }

    /// Puts files where photos will want to be, before anything runs.
    private static func leaveForeignFiles(in folders: [String]) throws -> [String: String] {
        var foreign: [String: String] = [:]
        for folder in folders {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            for name in ["left-00002.jpg", "right-00001.jpg", "notes.txt"] {
                let path = folder + "/" + name
                try "somebody's own \(path)".write(toFile: path, atomically: false, encoding: .utf8)
                foreign[name + " " + folder] = try DaemonRig.sha256(ofFile: path)
            }
        }
        return foreign
    }

    // MARK: what happens

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
            try await handedOver(station)
            try await stations[station].rig.kill()
            try await stations[station].rig.start()
        case .killWorkers(let station):
            faults += 1
            try await handedOver(station)
            let before = stations[station].connections
            let workers = stations[station].rig.program?.children ?? []
            for worker in workers { kill(worker, SIGKILL) }
            // Until it is missed, the camera still looks ready.
            try await eventually("the killed workers to be replaced") {
                stations[station].connections >= before + workers.count ? () : nil
            }
        case .restart(let station):
            try await handedOver(station)
            try await stations[station].rig.stop()
            try await stations[station].rig.start()
        case .exchangeAddresses(let station):
            faults += 1
            try await handedOver(station)
            try await stations[station].rig.stop()
            try stations[station].exchangeAddresses()
            try await stations[station].rig.start()
        case .moveCaptures(let station):
            faults += 1
            // What is not delivered yet is delivered from where it was saved.
            try await settle(station)
            try stations[station].moveCaptures()
            // The next photo makes the folder anew, and its camera's worker ends for that: what such a camera takes until
            // the next session begins goes to its card.
            for camera in CampaignCast.stations[station] where cast.keepsInMemory(camera) {
                try await shoot(camera, Int.random(in: 1...4, using: &random))
            }
            try await handedOver(station)
        case .session(let station, let name):
            // A name that is not taken is refused, and changes nothing.
            _ = try? stations[station].rig.client.call(\.sessions.start, .init(name: name))
        case .fullDisk(let station):
            faults += 1
            try await stations[station].whileFull {
                for camera in CampaignCast.stations[station] { try await shoot(camera, 1) }
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

    /// Lets a random time go by, so that the next thing strikes at another moment of the last one.
    func pause(upTo milliseconds: Int, using random: inout SeededRandom) async throws {
        try await Task.sleep(for: .milliseconds(Int.random(in: 0...milliseconds, using: &random)))
    }

    private func shoot(_ camera: Int, _ times: Int) async throws {
        // What such a camera takes while nobody is connected goes to its card, which nobody can list.
        if cast.keepsInMemory(camera) { try await stations[cast.station(of: camera)].ready() }
        // A camera whose memory is full refuses, and takes nothing.
        _ = try? cameras[camera].command("shoot \(times)")
    }

    /// Waits until cameras that lose their memory with the session have handed over what they took.
    private func handedOver(_ station: Int) async throws {
        let members = CampaignCast.stations[station]
        guard members.contains(where: cast.keepsInMemory) else { return }
        try await settle(station)
    }

    private func settle(_ station: Int) async throws {
        let shots = try taken(station)
        do { try await stations[station].settled(try shots.count - left(station).count) } catch {
            let there = Set(try stations[station].saved().map(\.sha256))
            let missing = shots.filter { !there.contains($0.sha256) }.map(\.name)
            throw Impatience(description: "not here: \(missing); \(error)")
        }
    }

    /// What is not here of cameras whose memory is lost with the session, where people were told of it.
    private func left(_ station: Int) throws -> [Simulator.Shot] {
        guard stations[station].hasToldOfPhotosLeft else { return [] }
        let there = Set(try stations[station].saved().map(\.sha256))
        return try CampaignCast.stations[station].filter(cast.keepsInMemory).flatMap {
            try cameras[$0].truth()
        }
        .filter { !there.contains($0.sha256) }
    }

    /// What the cameras of a station took.
    private func taken(_ station: Int) throws -> [Simulator.Shot] {
        try CampaignCast.stations[station].flatMap { try cameras[$0].truth() }
    }

    // MARK: what must be so

    /// Ends all faults and waits until nothing is on its way, and all is well: a photo whose facts were cut short is on
    /// record as an empty one until the next session lists it, and counts as many as it would under its own.
    func calm() async throws {
        for camera in cameras { try camera.command("clear-faults") }
        for station in stations { try await station.ready() }
        for station in stations.indices { try await settle(station) }
        // What is wrong then is looked at, and named, by who asks for ``wrongs()``.
        try? await eventually("all to be well", within: Self.healingSeconds, every: 250) {
            try wrongs().isEmpty ? () : nil
        }
    }

    /// Longest time that a station takes to put right by itself what its cameras told it wrong, in seconds: a quiet moment,
    /// and a new session.
    private static let healingSeconds = 60.0

    /// What is not as it must be; empty when all is well.
    ///
    /// Every object of every camera stands on its station's disk once, with its bytes, and was delivered once, or a
    /// condition tells of it; nobody else's file was touched; no service ended by itself; no log has an error that
    /// nobody provoked.
    func wrongs() throws -> [String] {
        let theirs = Set(foreign.values)
        var wrong: [String] = []
        var all: [CampaignFile] = []
        for (number, station) in stations.enumerated() {
            let saved = try station.saved()
            all += saved
            wrong += Self.difference(
                "station \(number)", has: saved.filter { !theirs.contains($0.sha256) },
                wants: try taken(number), told: try told(number))
            wrong += station.rig.errorsInLog.prefix(5).map { "station \(number), log: \($0)" }
            if station.rig.program?.isRunning != true { wrong.append("station \(number): its service ended") }
        }
        let gallery = try CampaignFile.all(below: delivered)
        func ours(_ files: [CampaignFile]) -> [String] {
            files.map(\.sha256).filter { !theirs.contains($0) }.sorted()
        }
        if ours(gallery) != ours(all) {
            let (there, wanted) = (Set(ours(gallery)), Set(ours(all)))
            wrong.append(
                "\(ours(all).count) photos were saved, \(ours(gallery).count) delivered; not delivered: "
                    + "\(all.filter { wanted.subtracting(there).contains($0.sha256) }.map(\.path))")
        }
        let everything = Set((gallery + all).map(\.sha256))
        for (name, hash) in foreign where !everything.contains(hash) {
            wrong.append("somebody's own file was touched: \(name)")
        }
        return wrong
    }

    /// How often a photo of each name is not here, where a condition says so.
    private func told(_ number: Int) throws -> [String: Int] {
        let station = stations[number]
        var names = try left(number).map(\.name)
        if try station.rig.status().conditions.contains(where: { $0.code == "photo-damaged" }) {
            names += try station.rig.records().filter { $0.state == .damaged }.map(\.originalName)
        }
        return Dictionary(names.map { ($0, 1) }, uniquingKeysWith: +)
    }

    private static func difference(
        _ place: String, has saved: [CampaignFile], wants shots: [Simulator.Shot], told: [String: Int]
    ) -> [String] {
        var files = Dictionary(grouping: saved, by: \.sha256)
        var told = told
        var missing: [String] = []
        for shot in shots {
            if files[shot.sha256]?.popLast() != nil { continue }
            if told[shot.name, default: 0] > 0 {
                told[shot.name, default: 0] -= 1
            } else {
                missing.append("\(shot.name) (\(shot.size) bytes)")
            }
        }
        let surplus = files.values.joined().map(\.path)
        return missing.isEmpty && surplus.isEmpty
            ? [] : ["\(place): of \(shots.count) photos \(missing) are missing; too many: \(surplus)"]
    }

    /// Photos that were taken.
    var photos: Int { (try? cameras.map { try $0.truth().count }.reduce(0, +)) ?? 0 }

    /// Ends the services in order.
    func end() async throws -> [Int32] {
        var ends: [Int32] = []
        for station in stations { ends.append(try await station.rig.stop()) }
        return ends
    }
}
