# What the build links, and what the tests compare with.
LIBRARIES = libpulse-dev libsndfile1-dev libflac-dev libmpg123-dev libvorbis-dev libsamplerate0-dev libsoxr-dev \
	libsonic-dev librubberband-dev libavformat-dev libavcodec-dev libcurl4-gnutls-dev libgnutls28-dev libexpat1-dev \
	libsqlite3-dev libxxhash-dev libebur128-dev libtag1-dev pkg-config libc6-dev libstdc++-12-dev
TEST_TOOLS = ffmpeg python3 flac mkvtoolnix python3-mutagen strace
# What make bench-peers compares with, besides.
PEERS = mpv sox libsox-fmt-all gstreamer1.0-tools gstreamer1.0-plugins-base \
	gstreamer1.0-plugins-good gstreamer1.0-pulseaudio

# Sound servers are not installed, where they would start by themselves, but kept in a folder.
export PATH := $(CURDIR)/.servers/bin:$(PATH)

FLAGS =
STRICT = -Xswiftc -warnings-as-errors
SWIFT_FILES = Package.swift Sources Tests Examples $(wildcard Benchmarks)

.PHONY: play test chaos soak month kills fuzz bench bench-peers bench-check bench-once \
	processes terminals kill-decoders compare-mpd examples render-path setup setup-test \
	setup-bench setup-peers check lint thread-sanitizer address-sanitizer \
	sinks-pulseaudio players-pulseaudio players-pipewire faults-pulseaudio
ifndef AT_ONCE
.NOTPARALLEL:
endif

# The album in fixtures/, one piece cut into fifteen files, played on the sound server if there is one.
play: setup
	scripts/build-release
	.build/release/attacca play --output auto fixtures/album/album.m3u8

# Real time comes last and alone: beside tests that calculate, on two cores, events are received late,
# and servers miss cycles.
# A test that watches a process of its own keeps one of the threads of Swift's tasks until that ends, and
# there are two: events were received 6 s late, and once 37 s. So those run one after the other, apart.
# Tests that end a process on purpose would each be taken apart by the runtime for seconds.
# Two tests of those in real time may need a second run, in all; RETRIED names them.
RETRIED = .build/retried-tests
# The runner begins all tests at once, and one that waits goes on behind all the others: of 1,477 some waited for
# longer than their limit of a minute, on a machine that builds besides.
ENGINE = ^AttaccaTests
# What sums in a debug build what fifty edits rewrite: beside it players at low latency ran dry.
BUSES = ServerTests.BusOnServerTests
# What has 60 ms in the server, in a debug build: others beside it are an underrun.
SHORT = ServerTests.LongListTests
# What starts servers of its own, and breaks them; all at once would be seven of each.
FAULTS = ServerTests.(Fault|DeviceFault|Interruption)Tests
RETURNS = ServerTests.(BusFault|Handover|Return|Successor)Tests
# Sinks of both kinds at each latency: half of the time that PulseAudio takes.
SINKS = ServerTests.(Sink|Skip|Several|Starvation|Scheduled|TwoClocks|Volume|Tap)
APART = ProcessTests|ChaosTests|$(BUSES)|$(SHORT)|$(FAULTS)|$(RETURNS)
AGAIN = scripts/run-tests --again $(RETRIED)
test: export SWIFT_BACKTRACE = enable=no
test: setup-test render-path
	swift build --build-tests $(FLAGS)
	: >$(RETRIED)
	scripts/run-tests 12 $(FLAGS) --filter '$(ENGINE)'
	scripts/run-tests 12 $(FLAGS) --skip '$(ENGINE)|PulseAudioTests|ServerTests|TerminalTests|commands are heard on sinks'
	$(AGAIN) 4 $(FLAGS) --filter PulseAudioTests
	@echo "make test: two at once, each printed when it is over"
	@$(MAKE) --no-print-directory --jobs=2 --output-sync=target AT_ONCE=1 processes terminals
	$(AGAIN) 3 $(FLAGS) --filter '$(BUSES)'
	ATTACCA_SERVER=pipewire $(AGAIN) 3 $(FLAGS) --filter '$(BUSES)'
	$(AGAIN) 2 $(FLAGS) --filter '$(SHORT)' --no-parallel
	ATTACCA_SERVER=pipewire $(AGAIN) 2 $(FLAGS) --filter '$(SHORT)' --no-parallel
	@echo "make test: four at once, each printed when it is over"
	@$(MAKE) --no-print-directory --jobs=4 --output-sync=target AT_ONCE=1 \
		sinks-pulseaudio players-pulseaudio players-pipewire faults-pulseaudio
	@if [ -s $(RETRIED) ]; then echo "make test: needed a second run:"; cat $(RETRIED); fi

# Each waits for programs of its own, which play.
processes:
	$(AGAIN) 4 $(FLAGS) --filter ProcessTests
terminals:
	$(AGAIN) 3 $(FLAGS) --filter 'TerminalTests|commands are heard on sinks' --no-parallel

# Each takes a twelfth of the machine, and its two threads of tests wait most of the time.
sinks-pulseaudio:
	$(AGAIN) 9 $(FLAGS) --filter '$(SINKS)'
	ATTACCA_SERVER=pipewire ATTACCA_CHAOS=1 $(AGAIN) 4 $(FLAGS) --filter ServerTests.ChaosTests
players-pulseaudio:
	$(AGAIN) 9 $(FLAGS) --filter ServerTests --skip '$(APART)|$(SINKS)'
players-pipewire:
	ATTACCA_SERVER=pipewire $(AGAIN) 9 $(FLAGS) --filter ServerTests --skip 'TwoClocks|$(APART)'
faults-pulseaudio:
	$(AGAIN) 5 $(FLAGS) --filter '$(FAULTS)'
	$(AGAIN) 4 $(FLAGS) --filter '$(RETURNS)'
	ATTACCA_CHAOS=1 $(AGAIN) 4 $(FLAGS) --filter ServerTests.ChaosTests

# Random commands from several threads on players and renderers, beside random faults of a server, the way
# to it and the disk: MINUTES on each of SERVERS. SEED takes the numbers of an earlier run, SANITIZE=address or
# thread a build that watches, ATTACCA_CHAOS_FAULTS=kill,cut has some faults only (Tests/ServerTests/Chaos).
SANITIZE =
SERVERS = pulseaudio pipewire
CHAOS_FLAGS = $(FLAGS) $(if $(SANITIZE),--sanitize=$(SANITIZE) --scratch-path .build-$(SANITIZE))
chaos: export SWIFT_BACKTRACE = enable=no
chaos: export LSAN_OPTIONS = suppressions=$(CURDIR)/scripts/leaks-of-others:print_suppressions=0
chaos: setup-test
	swift build --build-tests $(CHAOS_FLAGS)
	for server in $(SERVERS); do \
		ATTACCA_SERVER=$$server ATTACCA_CHAOS=$(MINUTES) scripts/run-tests $$(($(MINUTES) + 5)) \
			$(CHAOS_FLAGS) --filter ServerTests.ChaosTests || exit 1; \
	done

# The memory that decoding and rendering touch, and that of streams, connections and what is left of them in
# faults, in a build of its own: the tests of what calculates, and all of the server suite.
WATCHED = --sanitize=address --scratch-path .build-address
address-sanitizer: export SWIFT_BACKTRACE = enable=no
address-sanitizer: export LSAN_OPTIONS = suppressions=$(CURDIR)/scripts/leaks-of-others:print_suppressions=0
address-sanitizer: setup-test
	swift build --build-tests $(WATCHED)
	: >$(RETRIED)
	scripts/run-tests 12 $(WATCHED) --filter 'AttaccaTests|SampleBuffersTests|SoundFilesTests|FuzzTests'
	$(AGAIN) 4 $(WATCHED) --filter PulseAudioTests
	$(AGAIN) 3 $(WATCHED) --filter '$(BUSES)'
	$(AGAIN) 2 $(WATCHED) --filter '$(SHORT)' --no-parallel
	@$(MAKE) --no-print-directory --jobs=4 --output-sync=target AT_ONCE=1 FLAGS='$(WATCHED)' \
		sinks-pulseaudio players-pulseaudio players-pipewire faults-pulseaudio

# What is played in real time, for longer; one after the other, or one would measure what the others
# cost. It takes the minutes once for each suite, three times for the rates (an algorithm after the
# other), half a minute for the starts, a minute for learning two clocks, and those of `month`: about
# 70 minutes for 10.
MINUTES = 10
SOAKS = AlbumSoakTests ClockSoakTests ScheduledStartSoakTests TwoClocksSoakTests RateSoakTests
soak: export SWIFT_BACKTRACE = enable=no
soak: setup-test
	swift build --build-tests $(FLAGS)
	for suite in $(SOAKS); do \
		ATTACCA_SOAK=$(MINUTES) scripts/run-tests $$(($(MINUTES) * 4 + 5)) $(FLAGS) --filter $$suite || exit 1; \
	done
	$(MAKE) month
	$(MAKE) kills

# A month of a list of 10,000 items on the offline renderer, and one of a library of 500 books, in about ten minutes.
# A program for each sitting would have its heap to itself; in one for all of them threads come and go, and so malloc
# has one heap: of eight each keeps what was allocated at most.
DAYS = 30
month: setup
	cd Benchmarks && swift build -c release -Xswiftc -enable-testing --product Month
	cd Benchmarks && swift build -c release -Xswiftc -enable-testing --product Library
	"$$(cd Benchmarks && swift build -c release --show-bin-path)/Month" $(DAYS)
	MALLOC_ARENA_MAX=1 "$$(cd Benchmarks && swift build -c release --show-bin-path)/Library" $(DAYS)

# A process that remembers where it is, killed at random moments, in about two minutes.
COUNT = 200
kills: setup
	cd Benchmarks && swift build -c release -Xswiftc -enable-testing --product Kills
	"$$(cd Benchmarks && swift build -c release --show-bin-path)/Kills" $(COUNT)

# The processes that decode what comes by HTTP and HLS, killed in its midst, in about two minutes.
kill-decoders: setup-test
	scripts/build-release
	scripts/kill-decoders .build/release/attacca $(if $(KILLS),$(KILLS),100)

# Bytes from strangers, made up by libFuzzer: each target for so many seconds.
SECONDS = 60
TARGETS = wav w64 aiff caf flac oggflac opus vorbis mp3 playlist cue list hls icy timedtags cache helper id3 mpeg4 matroska serve settings journal time mediatime
fuzz: setup
	scripts/fuzz $(SECONDS) $(TARGETS)

# Speed and frugality as ratios to ffmpeg and paplay, in about four minutes.
bench: setup-bench
	scripts/build-release
	scripts/bench .build/release/attacca

# The same work beside ffmpeg, sox, GStreamer, paplay, MPD and mpv, in about an hour; PAGE is
# where the page goes: `make bench-peers PAGE=mine.md` leaves the checked-in one alone.
PAGE = docs/benchmarks.md
bench-peers: setup-peers
	scripts/build-release
	scripts/bench-peers .build/release/attacca --write $(PAGE)

# Single questions to the engine, with checked-in limits on ratios and counts.
bench-check: BENCH_ARGUMENTS = --check limits.tsv
bench-check: bench-once render-path

# Every benchmark once, to see that it runs and is right. Valgrind 3.19, which counts instructions, gives up
# at what Clang writes for debuggers.
BENCH_ARGUMENTS = --once
bench-once: setup
	@scripts/install-missing valgrind
	@scripts/fetch-servers
	cd Benchmarks && swift build -c release -Xswiftc -enable-testing -Xlinker --strip-debug --product Bench
	cd Benchmarks && "$$(swift build -c release --show-bin-path)/Bench" $(BENCH_ARGUMENTS)
	cd Benchmarks && swift build -c release -Xswiftc -enable-testing --product Steady
	cd Benchmarks && "$$(swift build -c release --show-bin-path)/Steady" $(BENCH_ARGUMENTS)

# The programs in Examples/, run without a sound server: 10 s, and a minute to build the engine for them.
examples: setup
	@scripts/install-missing python3
	cd Examples && swift build $(FLAGS)
	scripts/check-examples "$$(cd Examples && swift build $(FLAGS) --show-bin-path)"

# The service beside MPD, with the same commands, and driven by clients of MPD: a quarter of a minute.
# Tests/MPD/measure_mpd.py measures both among 100,000 songs.
compare-mpd: setup-test
	@scripts/install-missing mpc python3-mpd
	@scripts/fetch-servers mpd
	scripts/build-release
	Tests/MPD/compare_mpd.py .build/release/attacca
	Tests/MPD/try_clients.sh .build/release/attacca

# The render path under RealtimeSanitizer, its retains and releases counted.
render-path: setup
	scripts/check-render-path

setup:
	@scripts/install-missing $(LIBRARIES)

setup-test:
	@scripts/install-missing $(LIBRARIES) $(TEST_TOOLS)
	@scripts/fetch-servers

setup-bench:
	@scripts/install-missing $(LIBRARIES) ffmpeg python3
	@scripts/fetch-servers

setup-peers: setup-bench
	@scripts/install-missing $(PEERS)
	@scripts/fetch-servers mpd

# All that a change must pass.
check: FLAGS = $(STRICT)
check: lint test thread-sanitizer

lint:
	swift format lint --strict --parallel --recursive $(SWIFT_FILES)
	scripts/check-folders

# The parts with threads of their own, in a build of its own. It is too slow for the one test that
# tells when something is heard to two milliseconds.
thread-sanitizer: export SWIFT_BACKTRACE = enable=no
thread-sanitizer: setup-test
	swift build --build-tests --sanitize=thread --scratch-path .build-thread
	scripts/run-tests 15 --sanitize=thread --scratch-path .build-thread \
		--filter 'AttaccaTests|SampleBuffersTests'
	scripts/run-tests 5 --sanitize=thread --scratch-path .build-thread \
		--filter PulseAudioTests --skip 'the device clock is what the monitor hears'
