#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/channel_layout.h>
#include <libavutil/opt.h>

// Macros that Swift does not import.
static const int attacca_end_of_file = AVERROR_EOF;
static const int attacca_try_again = AVERROR(EAGAIN);
static const int attacca_invalid_data = AVERROR_INVALIDDATA;
static const int attacca_no_memory = AVERROR(ENOMEM);
static const int attacca_input_error = AVERROR(EIO);
static const int attacca_not_known = AVERROR(ENOSYS);
static const int64_t attacca_no_time = AV_NOPTS_VALUE;
