#!/usr/bin/env bash
# try_clients.sh ATTACCA: drives the service by clients that others wrote, mpc and python-mpd2, and shows what each
# says; fails at the first command that does not do what it should. Takes mpc and python3-mpd.
set -euo pipefail
attacca=$(realpath "$1")
project=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'kill $service 2>/dev/null || true; rm -rf "$work"' EXIT
mkdir "$work/music"
cp -r "$project/fixtures/album" "$work/music/album"
export MPD_HOST=$work/socket
"$attacca" serve --output null --music "$work/music" --playlists "$work/lists" --state "$work/state" \
  --listen "$MPD_HOST" --settings "$work/none" &
service=$!
for _ in $(seq 100); do mpc status >/dev/null 2>&1 && break; sleep 0.1; done
mpc update --wait

say() {
  echo "\$ mpc $*"
  mpc "$@" | head -8 | sed 's/^/    /'
}
say version
say ls
say ls album
say listall album
say add album
say playlist
say play 3
say pause
say status
say toggle
say next
say prev
say cdprev
say current
say queued
say seek 0:00:01
say seekthrough +0:00:01
say volume 40
say volume +10
say repeat on
say random on
say random off
say single on
say single once
say single off
say consume on
say consume off
say repeat off
say crossfade 2
say crossfade 0
say mixrampdb -17
say mixrampdelay nan
say replaygain track
say replaygain off
say move 1 4
say shuffle
say del 1
say crop
say insert album
say prio 5 1
say search title prelude
say find title Prelude
say search '(title contains "Pre")'
say searchadd title Prelude
say findadd title Prelude
say searchplay Prelude
say list album
say list title group album
say stats
say save mine
say lsplaylists
say load mine
say rm mine
say outputs
say disable 1
say enable only 1
say toggleoutput 1
say sticker "album/01 flac.flac" set rating 5
say sticker "album/01 flac.flac" get rating
say sticker "album/01 flac.flac" list
say sticker "album" find rating
say sticker "album/01 flac.flac" delete rating
head -c 20000 /dev/urandom >"$work/music/album/cover.jpg"
mpc albumart "album/01 flac.flac" | cmp - "$work/music/album/cover.jpg"
mpc readpicture "album/01 flac.flac" >/dev/null || echo "    (no picture in the file)"
say mount
mpc idle mixer >"$work/idle" &
idle=$!
until "$attacca" status >/dev/null && sleep 0.2 && mpc volume 30 >/dev/null && ! kill -0 $idle 2>/dev/null; do
  mpc volume 31 >/dev/null
done
grep -q mixer "$work/idle"
mpc waitmessage a >"$work/message" &
waiting=$!
until mpc sendmessage a hello 2>/dev/null; do sleep 0.1; done
wait $waiting
mpc idleloop mixer >"$work/loop" &
loop=$!
until [ "$(grep -c mixer "$work/loop")" -ge 2 ]; do
  mpc volume 30 >/dev/null
  mpc volume 31 >/dev/null
done
kill $loop
mpc subscribe b >"$work/messages" &
subscription=$!
until [ "$(grep -c hello "$work/messages")" -ge 2 ]; do mpc sendmessage b hello 2>/dev/null || sleep 0.1; done
kill $subscription
# What there is not, which MPD without it refuses, too.
for command in "outputset 1 name=value" "unmount nothing" "listneighbors"; do
  echo "\$ mpc $command"
  # shellcheck disable=SC2086
  if mpc $command 2>"$work/refusal"; then
    echo "$command was done"
    exit 1
  fi
  sed 's/^/    /' "$work/refusal"
done
say pause-if-playing
say play
say channels
say tab al
say clearerror
say rescan
say stop
say clear

/usr/bin/python3 - "$MPD_HOST" <<'PYTHON'
import sys
import mpd
client = mpd.MPDClient()
client.connect(sys.argv[1])
print("python-mpd2", mpd.VERSION, "protocol", client.mpd_version)
kinds = {}
def call(name, *arguments):
    value = getattr(client, name)(*arguments)
    kinds[name] = type(value).__name__
    return value
assert isinstance(call("status"), dict) and isinstance(call("stats"), dict)
client.add("album")
songs = call("playlistinfo")
assert isinstance(songs, list) and {"file", "pos", "id", "title", "duration", "time", "last-modified"} <= set(songs[0])
assert call("currentsong") == {}
client.play(1)
assert call("currentsong")["pos"] == "1"
assert int(call("addid", songs[0]["file"])) > 0
assert [c["cpos"] for c in call("plchangesposid", 1)][0] == "0"
assert call("plchanges", 1)[0]["file"] == songs[0]["file"]
assert call("listall")[0]["directory"] == "album"
assert call("lsinfo", "album")[0]["file"].startswith("album/")
assert "Without a Pause" in [row["album"] for row in call("list", "album")]
assert call("list", "title", "group", "album")[-1]["album"]
assert call("count", "title", "Prelude")["songs"] == "1"
assert call("find", "title", "Prelude")[0]["track"] == "1"
assert call("search", "(title contains 'pre')")[0]["title"] == "Prelude"
client.save("mine")
assert call("listplaylists")[0]["playlist"] == "mine"
assert len(call("listplaylist", "mine")) == len(songs) + 1
assert call("listplaylistinfo", "mine")[0]["title"]
client.rm("mine")
client.sticker_set("song", songs[0]["file"], "rating", "5")
assert call("sticker_get", "song", songs[0]["file"], "rating") == "5"
assert call("sticker_list", "song", songs[0]["file"]) == {"rating": "5"}
assert call("sticker_find", "song", "", "rating")[0]["file"] == songs[0]["file"]
assert call("outputs")[0]["outputid"] == "0"
assert "play" in call("commands") and call("notcommands") == []
assert "Artist" in call("tagtypes") and call("urlhandlers") and call("decoders")[0]["suffix"]
assert call("replay_gain_status") == "off" or call("replay_gain_status")
assert isinstance(call("readcomments", songs[3]["file"]), dict)
assert call("readpicture", songs[3]["file"]) == {} or True
assert call("getvol")["volume"] == "100" if hasattr(client, "getvol") else True
client.command_list_ok_begin()
client.status()
client.playlistid()
both = client.command_list_end()
assert isinstance(both[0], dict) and isinstance(both[1], list)
client.setvol(77)
assert "mixer" in call("idle", "mixer")
try:
    client.deleteid(99_999)
    sys.exit("an id that is not there was deleted")
except mpd.CommandError as error:
    assert str(error) == "[50@0] {deleteid} No such song", error
print(", ".join(f"{name}: {kind}" for name, kind in kinds.items()))
PYTHON
echo "mpc and python-mpd2: all did what they should"
