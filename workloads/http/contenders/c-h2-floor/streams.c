#include "streams.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    STREAMS = 128,
    REQUEST_MAX = NAME_MAX_LEN + 16,
};

struct stream {
    enum { OTHER, JSON, GREETING } what;
    size_t request_len, answer_len, sent;
    uint8_t request[REQUEST_MAX];
    char answer[ANSWER_MAX];
};

#define FIELD(name, value, value_len) \
    {(uint8_t *)(name), (uint8_t *)(value), sizeof(name) - 1, value_len, NGHTTP2_NV_FLAG_NO_COPY_NAME}
#define FIXED(name, value) FIELD(name, value, sizeof(value) - 1)

static int on_begin(nghttp2_session *session, const nghttp2_frame *frame, void *date) {
    (void)date;
    if (frame->hd.type != NGHTTP2_HEADERS || frame->headers.cat != NGHTTP2_HCAT_REQUEST) return 0;
    struct stream *stream = calloc(1, sizeof *stream);
    if (!stream) return NGHTTP2_ERR_CALLBACK_FAILURE;
    return nghttp2_session_set_stream_user_data(session, frame->hd.stream_id, stream);
}

static int is(const uint8_t *bytes, size_t len, const char *text) {
    return len == strlen(text) && memcmp(bytes, text, len) == 0;
}

static int on_field(nghttp2_session *session, const nghttp2_frame *frame, const uint8_t *name, size_t name_len,
                    const uint8_t *value, size_t value_len, uint8_t flags, void *date) {
    (void)flags, (void)date;
    struct stream *stream = nghttp2_session_get_stream_user_data(session, frame->hd.stream_id);
    if (!stream || !is(name, name_len, ":path")) return 0;
    if (is(value, value_len, "/json")) stream->what = JSON;
    else if (is(value, value_len, "/tare.Greeter/SayHello")) stream->what = GREETING;
    return 0;
}

static int on_data(nghttp2_session *session, uint8_t flags, int32_t id, const uint8_t *data, size_t len, void *date) {
    (void)flags, (void)date;
    struct stream *stream = nghttp2_session_get_stream_user_data(session, id);
    if (!stream) return 0;
    if (len > REQUEST_MAX - stream->request_len) return NGHTTP2_ERR_CALLBACK_FAILURE;
    memcpy(stream->request + stream->request_len, data, len);
    stream->request_len += len;
    return 0;
}

static int on_close(nghttp2_session *session, int32_t id, uint32_t error, void *date) {
    (void)error, (void)date;
    free(nghttp2_session_get_stream_user_data(session, id));
    return 0;
}

static ssize_t read_answer(nghttp2_session *session, int32_t id, uint8_t *out, size_t room, uint32_t *flags,
                           nghttp2_data_source *source, void *date) {
    (void)date;
    struct stream *stream = source->ptr;
    size_t len = stream->answer_len - stream->sent;
    if (len > room) len = room;
    memcpy(out, stream->answer + stream->sent, len);
    stream->sent += len;
    if (stream->sent < stream->answer_len) return len;
    *flags |= NGHTTP2_DATA_FLAG_EOF;
    if (stream->what == GREETING) {
        static const nghttp2_nv trailers[] = {FIXED("grpc-status", "0")};
        *flags |= NGHTTP2_DATA_FLAG_NO_END_STREAM;
        if (nghttp2_submit_trailer(session, id, trailers, 1) != 0) return NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE;
    }
    return len;
}

static int respond(nghttp2_session *session, int32_t id, struct stream *stream, const struct date *date) {
    static const nghttp2_nv missing[] = {FIXED(":status", "404")};
    nghttp2_data_provider body = {.source.ptr = stream, .read_callback = read_answer};
    nghttp2_nv server = FIXED("server", "c"), when = FIELD("date", date->text, DATE_LEN), ok = FIXED(":status", "200");
    if (stream->what == JSON) {
        char length[8];
        stream->answer_len = answer_json(stream->answer);
        int digits = sprintf(length, "%zu", stream->answer_len);
        nghttp2_nv fields[] = {
            ok, server, when, FIXED("content-type", "application/json"), FIELD("content-length", length, digits)};
        return nghttp2_submit_response(session, id, fields, 5, &body);
    }
    if (stream->what == GREETING)
        stream->answer_len = answer_greeting(stream->request, stream->request_len, stream->answer);
    if (stream->answer_len == 0) return nghttp2_submit_response(session, id, missing, 1, NULL);
    nghttp2_nv fields[] = {ok, server, when, FIXED("content-type", "application/grpc")};
    return nghttp2_submit_response(session, id, fields, 4, &body);
}

static int on_frame(nghttp2_session *session, const nghttp2_frame *frame, void *date) {
    int of_request = frame->hd.type == NGHTTP2_HEADERS || frame->hd.type == NGHTTP2_DATA;
    if (!of_request || !(frame->hd.flags & NGHTTP2_FLAG_END_STREAM)) return 0;
    struct stream *stream = nghttp2_session_get_stream_user_data(session, frame->hd.stream_id);
    return stream ? respond(session, frame->hd.stream_id, stream, date) : 0;
}

/* One for all sessions, made by the thread that accepts. */
static nghttp2_session_callbacks *callbacks(void) {
    static nghttp2_session_callbacks *made;
    if (made || nghttp2_session_callbacks_new(&made) != 0) return made;
    nghttp2_session_callbacks_set_on_begin_headers_callback(made, on_begin);
    nghttp2_session_callbacks_set_on_header_callback(made, on_field);
    nghttp2_session_callbacks_set_on_data_chunk_recv_callback(made, on_data);
    nghttp2_session_callbacks_set_on_frame_recv_callback(made, on_frame);
    nghttp2_session_callbacks_set_on_stream_close_callback(made, on_close);
    return made;
}

nghttp2_session *session_new(const struct date *date) {
    nghttp2_session *session;
    nghttp2_settings_entry settings[] = {{NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS, STREAMS}};
    if (!callbacks() || nghttp2_session_server_new(&session, callbacks(), (void *)date) != 0) return NULL;
    if (nghttp2_submit_settings(session, NGHTTP2_FLAG_NONE, settings, 1) == 0) return session;
    nghttp2_session_del(session);
    return NULL;
}
