// SPDX-License-Identifier: Apache-2.0
// Tags of files by TagLib, which is C++.
#pragma once

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The kinds of files whose tags can be changed.
enum attacca_tag_kind {
  attacca_tag_flac,
  attacca_tag_ogg_vorbis,
  attacca_tag_ogg_opus,
  attacca_tag_mpeg,
  attacca_tag_mpeg4,
};

enum attacca_tag_result {
  attacca_tag_done,
  /// The descriptor cannot be used.
  attacca_tag_unusable,
  /// TagLib finds no file of that kind there.
  attacca_tag_unknown,
  /// TagLib cannot write, or has thrown.
  attacca_tag_failed,
};

/// Sets `count` tags of the file that `descriptor` is open for, whatever their case was before; a value of NULL
/// takes a tag away.
///
/// `names` are upper case and ASCII, values UTF-8. The descriptor stays open; writes that the disk refuses are not
/// told.
enum attacca_tag_result attacca_tag_set(
  int descriptor, enum attacca_tag_kind kind, const char *const *names, const char *const *values,
  size_t count);

#ifdef __cplusplus
}
#endif
