// SPDX-License-Identifier: Apache-2.0

// libcurl begins by initialising libssh2, whatever it is asked for, and that initialises all of OpenSSL: 1.5 MB that
// are read and lie in memory, for addresses that `Transfer` refuses. Both names are looked up in the program first.
// They are in the command only: a program that embeds `AttaccaNetwork` may use libssh2.

/// A stand-in for `libssh2_init`, which libcurl finds first: it initialises nothing.
@_cdecl("libssh2_init")
public func initializeNoSSH(flags: CInt) -> CInt { 0 }

/// A stand-in for `libssh2_exit`.
@_cdecl("libssh2_exit")
public func endNoSSH() {}
