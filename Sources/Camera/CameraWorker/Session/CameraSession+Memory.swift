import FrameFastModel
import GPhoto2
import Glibc
import WorkerProtocol

extension CameraSession {
    /// Announces what is new in a camera's memory that must be emptied.
    ///
    /// The driver makes its own announcements of what it finds in the camera's object list, but it asks for that list
    /// also while it looks for something else (`ptp_list_folder` under find_child), and what it saw then it takes for
    /// known. So the list itself is looked at, each time.
    ///
    /// Names begin anew with each session, also while older photos wait: the driver goes by names, knows of two photos
    /// only the first, and shows the second when that is deleted.
    ///
    /// - Parameter isAsking: whether the camera is asked. The driver does so for a list only while it knows of nothing;
    ///   of the others it hears when it is asked for events, where it takes one with each look.
    mutating func lookIntoMemory(isAsking: Bool = false) {
        guard memory != nil, loss == nil else { return }
        let requests = camera.requests
        announceListed()
        if camera.requests != requests {
            events.pace.noteLook(nowMs: nowMs())
        } else if isAsking, loss == nil {
            do throws(CameraError) {
                // Where packets are not seen, each event may be one of them, until there is none.
                let unread = try camera.isGuarded ? camera.countUnread() : Self.eventsAtOnce
                for _ in 0..<unread where loss == nil && !queue.hasUrgent {
                    if let event = try camera.nextEvent(timeoutMs: camera.isGuarded ? 0 : 1) {
                        take(event)
                    } else if !camera.isGuarded {
                        break
                    }
                }
                if unread > 0 { announceListed() }
            } catch {
                judge(error, during: "event")
            }
        }
        tellMemory()
    }

    private mutating func announceListed() {
        camera.forgetListings()
        do throws(CameraError) {
            var folders = try camera.folders(in: "/").map { "/\($0)" }
            while let folder = folders.popLast() {
                let requests = camera.requests
                let names = try camera.files(in: folder)
                for name in names {
                    let path = CameraPath(folder: folder, name: name)
                    guard memory?[path] == nil else { continue }
                    let object = try object(at: path)
                    memory?.put(object)
                    noteActivity()
                    announce(object)
                    camera.noteTold(path)
                }
                // The driver asked, and knows of nothing: it would ask again. A folder shows with the next look.
                guard !names.isEmpty || camera.requests == requests,
                    folder.split(separator: "/").count <= Self.memoryDepth
                else { continue }
                folders += try camera.folders(in: folder).map { "\(folder)/\($0)" }
            }
        } catch {
            judge(error, during: "event")
            if loss == nil { Log.line("cannot look into the camera's memory: \(error.text)") }
        }
    }

    /// Tells the daemon how many photos wait in a memory that cannot be listed: they do not come over any more when the
    /// connection breaks.
    mutating func tellWaiting() {
        guard loss == nil, let count = countInMemory else { return }
        guard count != facts.bufferedObjects else { return }
        // Of a burst each photo changes the number: what matters is whether any waits, and about how many.
        let isNews = count == 0 || facts.bufferedObjects ?? 0 == 0
        guard isNews || nowMs() >= toldWaitingMs + Self.tellWaitingMs else { return }
        toldWaitingMs = nowMs()
        facts.bufferedObjects = count
        daemon.send(.facts(facts))
    }

    /// Photos of a memory that cannot be listed that are nowhere but there or in this process, as far as the camera has told;
    /// `nil` for other cameras.
    var countInMemory: Int? {
        guard !habits.canList, let waiting = camera.photosInMemory else { return nil }
        return waiting + shelf.countOnlyHere
    }

    /// Tells the daemon, as the last word of a connection that broke, how many photos stay in a memory that cannot be listed:
    /// the one that was being read, those that the camera has announced since, and those of releases a moment ago.
    mutating func tellLeft() {
        guard !habits.canList else { return }
        let count = max(countInMemory ?? 0, awaited.count(nowMs: nowMs()))
        guard count != facts.bufferedObjects ?? 0 else { return }
        facts.bufferedObjects = count
        daemon.send(.facts(facts))
    }

    /// Least time between two words about how many wait, in milliseconds.
    private static let tellWaitingMs: UInt64 = 250

    /// Asks how many wait while none may come over: a look for events would bring the next one.
    mutating func countWaiting() {
        guard camera.photosInMemory != nil else { return }
        // Whatever its value in words is: the answer is read in passing.
        _ = value("d215")
        tellWaiting()
    }

    /// Brings over what waits in a memory that the camera empties when its session ends: this worker ends, and the next
    /// finds it on the shelf.
    mutating func takeWhatWaits() {
        guard !habits.canList else { return }
        shelf.takesAll = true
        let end = nowMs() + Self.takingMs
        repeat {
            takeEvents()
            // A photo that is announced can be read a moment later.
            poll(nil, 0, Self.lookAgainMs)
        } while loss == nil && !shelf.isFull && camera.photosInMemory ?? 0 > 0 && nowMs() < end
        shelf.settle()
    }

    /// Time for ``takeWhatWaits()``, in milliseconds: a camera that shoots on must not keep the next worker waiting.
    private static let takingMs: UInt64 = 5_000
    /// Time between two looks, in milliseconds.
    private static let lookAgainMs: Int32 = 10

    /// Folders inside each other under a storage of such a memory, at most.
    private static let memoryDepth = 3

    /// Tells the daemon when the camera's memory fills up, and when there is room again.
    private mutating func tellMemory() {
        guard memory?.changesWarning() == true, let memory else { return }
        facts.bufferedObjects = memory.count
        facts.bufferedBytes = memory.used
        daemon.send(.facts(facts))
    }
}
