#include <FLAC/stream_decoder.h>
// For tests, which make what libsndfile does not write.
#include <FLAC/stream_encoder.h>
