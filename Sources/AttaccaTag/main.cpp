// SPDX-License-Identifier: Apache-2.0

// attacca-tag: sets tags of the file that is open as descriptor 3, by TagLib.
//
// Its argument has lines: the kind of the file (flac, vorbis, opus, mpeg or mpeg4), then NAME=VALUE for each tag that
// is to be set, or NAME for one that is to go; names are upper case and ASCII, values UTF-8. It ends with 0 where that is
// done, 1 where it is used wrongly, 2 where TagLib finds no such file, 3 where that does not write. Writes that the disk
// refuses are not told: TagLib does not look.

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

#include <cctype>
#include <sstream>
#include <string>
#include <vector>

using namespace TagLib;

namespace {

enum class Result { done, misused, unknown, failed };

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

template <typename File> Result saveComment(FileStream &stream, const Entries &entries) {
  File file(&stream, false);
  if (!file.isValid() || !file.tag()) return Result::unknown;
  set(*file.tag(), entries);
  return file.save() ? Result::done : Result::failed;
}

Result saveFLAC(FileStream &stream, const Entries &entries) {
  FLAC::File file(&stream, ID3v2::FrameFactory::instance(), false);
  if (!file.isValid() || !file.xiphComment(true)) return Result::unknown;
  set(*file.xiphComment(), entries);
  return file.save() ? Result::done : Result::failed;
}

Result saveMPEG(FileStream &stream, const Entries &entries) {
  MPEG::File file(&stream, ID3v2::FrameFactory::instance(), false);
  if (!file.isValid()) return Result::unknown;
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
  return isSaved ? Result::done : Result::failed;
}

Result saveMPEG4(FileStream &stream, const Entries &entries) {
  MP4::File file(&stream, false);
  if (!file.isValid() || !file.tag()) return Result::unknown;
  set(*file.tag(), entries);
  return file.save() ? Result::done : Result::failed;
}

Result save(FileStream &stream, const std::string &kind, const Entries &entries) {
  if (kind == "flac") return saveFLAC(stream, entries);
  if (kind == "vorbis") return saveComment<Ogg::Vorbis::File>(stream, entries);
  if (kind == "opus") return saveComment<Ogg::Opus::File>(stream, entries);
  if (kind == "mpeg") return saveMPEG(stream, entries);
  if (kind == "mpeg4") return saveMPEG4(stream, entries);
  return Result::misused;
}

Result run(const std::string &argument) {
  std::istringstream lines(argument);
  std::string kind, line;
  std::getline(lines, kind);
  Entries entries;
  while (std::getline(lines, line)) {
    const auto equals = line.find('=');
    const bool isSet = equals != std::string::npos;
    entries.push_back(
      {line.substr(0, equals), isSet ? String(line.substr(equals + 1), String::UTF8) : String(),
       isSet});
  }
  FileStream stream(3);
  if (!stream.isOpen() || stream.readOnly()) return Result::misused;
  return save(stream, kind, entries);
}

}  // namespace

int main(int count, char **arguments) {
  if (count != 2) return static_cast<int>(Result::misused);
  try {
    return static_cast<int>(run(arguments[1]));
  } catch (...) {
    return static_cast<int>(Result::failed);
  }
}
