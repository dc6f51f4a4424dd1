// SPDX-License-Identifier: Apache-2.0

#include "include/CTagLib.h"

#include <taglib/apetag.h>
#include <taglib/flacfile.h>
#include <taglib/id3v2framefactory.h>
#include <taglib/id3v2header.h>
#include <taglib/id3v2tag.h>
#include <taglib/mp4file.h>
#include <taglib/mpegfile.h>
#include <taglib/opusfile.h>
#include <taglib/relativevolumeframe.h>
#include <taglib/textidentificationframe.h>
#include <taglib/tfilestream.h>
#include <taglib/vorbisfile.h>
#include <taglib/xiphcomment.h>

#include <unistd.h>

#include <cctype>
#include <string>
#include <vector>

using namespace TagLib;

namespace {

struct Entry {
  String name;
  /// Not used where the tag is to go.
  String value;
  bool isSet;
};

using Entries = std::vector<Entry>;

void set(Ogg::XiphComment &comment, const Entries &entries) {
  for (const auto &entry : entries) {
    // Names are compared without case.
    comment.removeFields(entry.name);
    if (entry.isSet) comment.addField(entry.name, entry.value);
  }
}

void set(ID3v2::Tag &tag, const Entries &entries) {
  for (const auto &entry : entries) {
    // A copy: removing changes the tag's own list.
    const ID3v2::FrameList texts = tag.frameList("TXXX");
    for (auto *frame : texts) {
      auto *text = dynamic_cast<ID3v2::UserTextIdentificationFrame *>(frame);
      if (text && text->description().upper() == entry.name) tag.removeFrame(text);
    }
    const ID3v2::FrameList volumes = tag.frameList("RVA2");
    for (auto *frame : volumes) {
      auto *volume = dynamic_cast<ID3v2::RelativeVolumeFrame *>(frame);
      if (!volume || !entry.isSet) continue;
      const String about = volume->identification().upper();
      if ((about == "TRACK" || about == "ALBUM") && entry.name == "REPLAYGAIN_" + about + "_GAIN")
        tag.removeFrame(volume);
    }
    if (!entry.isSet) continue;
    auto *text = new ID3v2::UserTextIdentificationFrame(String::Latin1);
    text->setDescription(entry.name);
    text->setText(entry.value);
    tag.addFrame(text);
  }
}

void set(APE::Tag &tag, const Entries &entries) {
  for (const auto &entry : entries) {
    tag.removeItem(entry.name);
    if (entry.isSet) tag.addValue(entry.name, entry.value);
  }
}

void set(MP4::Tag &tag, const Entries &entries) {
  const String prefix = "----:COM.APPLE.ITUNES:";
  for (const auto &entry : entries) {
    std::vector<String> old;
    for (const auto &item : tag.itemMap())
      if (item.first.upper() == prefix + entry.name) old.push_back(item.first);
    for (const auto &name : old) tag.removeItem(name);
    if (!entry.isSet) continue;
    std::string name = entry.name.to8Bit();
    for (auto &character : name) character = static_cast<char>(std::tolower(character));
    tag.setItem("----:com.apple.iTunes:" + name, StringList(entry.value));
  }
}

template <typename File> attacca_tag_result saveComment(FileStream &stream, const Entries &entries) {
  File file(&stream, false);
  if (!file.isValid() || !file.tag()) return attacca_tag_unknown;
  set(*file.tag(), entries);
  return file.save() ? attacca_tag_done : attacca_tag_failed;
}

attacca_tag_result saveFLAC(FileStream &stream, const Entries &entries) {
  FLAC::File file(&stream, ID3v2::FrameFactory::instance(), false);
  if (!file.isValid() || !file.xiphComment(true)) return attacca_tag_unknown;
  set(*file.xiphComment(), entries);
  return file.save() ? attacca_tag_done : attacca_tag_failed;
}

attacca_tag_result saveMPEG(FileStream &stream, const Entries &entries) {
  MPEG::File file(&stream, ID3v2::FrameFactory::instance(), false);
  if (!file.isValid()) return attacca_tag_unknown;
  // A file of version 2.3 stays one: there are players that know no other.
  const bool isOld = file.hasID3v2Tag() && file.ID3v2Tag()->header()->majorVersion() < 4;
  set(*file.ID3v2Tag(true), entries);
  int kinds = MPEG::File::ID3v2;
  if (file.hasAPETag()) {
    set(*file.APETag(), entries);
    kinds |= MPEG::File::APE;
  }
  const bool isSaved = file.save(
    kinds, File::StripNone, isOld ? ID3v2::v3 : ID3v2::v4, File::DoNotDuplicate);
  return isSaved ? attacca_tag_done : attacca_tag_failed;
}

attacca_tag_result saveMPEG4(FileStream &stream, const Entries &entries) {
  MP4::File file(&stream, false);
  if (!file.isValid() || !file.tag()) return attacca_tag_unknown;
  set(*file.tag(), entries);
  return file.save() ? attacca_tag_done : attacca_tag_failed;
}

attacca_tag_result save(FileStream &stream, attacca_tag_kind kind, const Entries &entries) {
  switch (kind) {
  case attacca_tag_flac: return saveFLAC(stream, entries);
  case attacca_tag_ogg_vorbis: return saveComment<Ogg::Vorbis::File>(stream, entries);
  case attacca_tag_ogg_opus: return saveComment<Ogg::Opus::File>(stream, entries);
  case attacca_tag_mpeg: return saveMPEG(stream, entries);
  case attacca_tag_mpeg4: return saveMPEG4(stream, entries);
  }
  return attacca_tag_unknown;
}

}  // namespace

attacca_tag_result attacca_tag_set(
  int descriptor, attacca_tag_kind kind, const char *const *names, const char *const *values,
  size_t count) {
  try {
    Entries entries;
    for (size_t i = 0; i < count; i += 1) {
      const bool isSet = values[i] != nullptr;
      entries.push_back({names[i], isSet ? String(values[i], String::UTF8) : String(), isSet});
    }
    // The stream closes what it is given.
    const int own = dup(descriptor);
    if (own < 0 || lseek(own, 0, SEEK_SET) != 0) return attacca_tag_unusable;
    FileStream stream(own);
    if (!stream.isOpen() || stream.readOnly()) return attacca_tag_unusable;
    return save(stream, kind, entries);
  } catch (...) {
    return attacca_tag_failed;
  }
}
