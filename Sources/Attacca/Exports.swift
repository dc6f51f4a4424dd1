// SPDX-License-Identifier: Apache-2.0

// One import is enough for an application: times and buffers are part of the engine's interface, and so is
// what renders them.
@_exported public import MediaTime
@_exported public import PlaylistFiles
@_exported public import struct PulseAudio.PulseError
@_exported public import PulseDevice
@_exported public import Rendering
@_exported public import SampleBuffers
@_exported public import SoundFiles
