public import ArgumentParser
public import FrameFastAPI

// Numbers and names on the command line. The daemon resolves the name of a camera.

extension CameraReference: ExpressibleByArgument {}
extension CaptureID: ExpressibleByArgument {}
extension JobID: ExpressibleByArgument {}
extension DestinationName: ExpressibleByArgument {}
extension PresetName: ExpressibleByArgument {}
extension GroupName: ExpressibleByArgument {}
