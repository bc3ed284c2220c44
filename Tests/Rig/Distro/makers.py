"""The makers whose cameras are simulated."""

import dataclasses


@dataclasses.dataclass(frozen=True)
class Maker:
    """A maker, and what a photographer does on the body because the driver cannot."""

    name: str
    # The maker, as `framefast-simcam --maker` calls it.
    simulator: str
    # Whether the driver can set the exposure mode, which is a ring on other bodies.
    sets_mode: bool = False
    # Dials before exposure settings are changed.
    exposure_dials: str = ""
    # Dials before a long exposure.
    bulb_dials: str = ""
    # Dials after it.
    normal_dials: str = ""


MAKERS = {
    maker.name: maker
    for maker in (
        Maker("canon", "canon", sets_mode=True, bulb_dials="mode=M shutter=bulb", normal_dials="mode=M shutter=1/125"),
        Maker("nikon", "nikon", exposure_dials="mode=M", bulb_dials="mode=M", normal_dials="shutter=1/125"),
        Maker("sony", "sony", exposure_dials="mode=M", bulb_dials="shutter=bulb", normal_dials="shutter=1/125"),
        Maker("fujifilm", "fuji", bulb_dials="shutter=bulb", normal_dials="shutter=1/125"),
        Maker("generic", "generic", sets_mode=True),
    )
}
