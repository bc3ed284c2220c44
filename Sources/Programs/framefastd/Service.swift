import ArgumentParser
import FrameFastDaemon

@main enum Service {
    static func main() async { await ServiceCommand.main() }
}
