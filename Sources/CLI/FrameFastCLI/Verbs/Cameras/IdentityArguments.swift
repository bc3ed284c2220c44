public import ArgumentParser
public import FrameFastAPI

// What is chosen on the command line by number or by name. Whose name a camera's word is, the daemon finds out.

extension CameraReference: ExpressibleByArgument {}
extension CaptureID: ExpressibleByArgument {}
extension JobID: ExpressibleByArgument {}
extension DestinationName: ExpressibleByArgument {}
extension PresetName: ExpressibleByArgument {}
extension GroupName: ExpressibleByArgument {}
