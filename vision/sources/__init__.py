"""Where camera pictures come from: ``open_source`` opens footage, ``pictures`` one photograph."""

from vision.sources.source import Source, open_source

__all__ = ["Source", "open_source"]
