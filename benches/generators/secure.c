/* The least server of HTTP/2, and of HTTP/1.1 and HTTP/2 over TLS, that a load generator can be held against: one thread, one
 * fixed answer, what one read brought is answered by one write.
 * Usage: secure PORT BYTES h1|h2 [PEM]: every request without a body is answered by so many bytes. With PEM, a file with a
 * certificate and its key, all is sent over TLS 1.3 (AES-128-GCM, no tickets). In h2 an answer is one HEADERS frame, which
 * needs no dynamic table, and one DATA frame; up to 256 streams are open at once, and the peer's window of the connection is
 * kept to (those of streams are taken to hold an answer, so that BYTES is at most 16384). */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <openssl/ssl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

enum { MAX_FDS = 65536, MAX_EVENTS = 256, BUFFER = 65536, STREAMS = 256, MOST = 16384, CONTROL = 64 };
enum { DATA, HEADERS, PRIORITY, RST_STREAM, SETTINGS, PUSH_PROMISE, PING, GOAWAY, WINDOW_UPDATE, CONTINUATION };
enum { END_STREAM = 1, ACK = 1, END_HEADERS = 4 };

struct conn {
    SSL *tls;
    int matched;               /* h1: how much of CR LF CR LF the last bytes were; h2: how much of the preface is behind */
    unsigned long owed;        /* h1: answers not begun */
    uint32_t streams[STREAMS]; /* h2: which are to be answered, from `first` on, `waiting` of them */
    unsigned first, waiting;
    int64_t window;            /* h2: bytes of DATA that the peer still takes on the connection */
    unsigned char frame[9 + 8];/* h2: a frame's head, and as much of its payload as matters */
    size_t have, skip;         /* bytes of `frame` that are there; bytes of its payload that are still to come */
    char *out;                 /* what is to be written, from `sent` to `filled` */
    size_t sent, filled;
};

static struct conn *conns[MAX_FDS];
static SSL_CTX *context;
static int is_h2;
static char answer[256 + MOST];
static size_t one, body;       /* lengths of an answer and of its body */

static void fail(const char *what) {
    perror(what);
    exit(1);
}

static char *frame_head(char *to, size_t len, int type, int flags, uint32_t stream) {
    unsigned char head[9] = {(unsigned char)(len >> 16), (unsigned char)(len >> 8), (unsigned char)len, (unsigned char)type,
                             (unsigned char)flags};
    stream = htonl(stream);
    memcpy(head + 5, &stream, 4);
    memcpy(to, head, 9);
    return to + 9;
}

/* A field without indexing, its name by the static table's index, which is 15 or more. */
static char *field(char *to, int index, const char *value) {
    *to++ = 0x0f;
    *to++ = (char)(index - 15);
    *to++ = (char)strlen(value);
    return stpcpy(to, value);
}

static void make_answer(void) {
    char length[24], *to = answer;
    if (is_h2) {
        char block[128], *end = block;
        sprintf(length, "%zu", body);
        *end++ = (char)0x88;   /* :status 200 */
        end = field(end, 54, "bench");
        end = field(end, 31, "text/plain");
        end = field(end, 28, length);
        to = frame_head(to, (size_t)(end - block), HEADERS, END_HEADERS, 0);
        memcpy(to, block, (size_t)(end - block));
        to = frame_head(to + (end - block), body, DATA, END_STREAM, 0);
    } else {
        to += sprintf(to, "HTTP/1.1 200 OK\r\nServer: bench\r\nContent-Type: text/plain\r\nContent-Length: %zu\r\n\r\n", body);
    }
    for (size_t k = 0; k < body; k++) *to++ = (char)('a' + k % 26);
    one = (size_t)(to - answer);
}

static void put(struct conn *conn, const void *bytes, size_t len) {
    memcpy(conn->out + conn->filled, bytes, len);
    conn->filled += len;
}

/* Room for one more answer, and what has to be said between them. */
static int has_room(struct conn *conn) {
    return conn->filled + one + CONTROL <= BUFFER;
}

static void put_stream(struct conn *conn, uint32_t stream) {
    char *at = conn->out + conn->filled;
    put(conn, answer, one);
    stream = htonl(stream);
    memcpy(at + 5, &stream, 4);
    memcpy(at + one - body - 4, &stream, 4);
}

/* Moves answers that are owed to the buffer, as many as it, and in h2 the window, holds. */
static void fill(struct conn *conn) {
    while (!is_h2 && conn->owed && has_room(conn)) {
        put(conn, answer, one);
        conn->owed--;
    }
    while (conn->waiting && conn->window >= (int64_t)body && has_room(conn)) {
        put_stream(conn, conn->streams[conn->first]);
        conn->first = (conn->first + 1) % STREAMS;
        conn->waiting--;
        conn->window -= (int64_t)body;
    }
}

/* Whether what TLS could not do now can be done later: in the handshake it reads where it is to write, and writes where it is to read. */
static int can_wait(SSL *tls, int result) {
    int error = SSL_get_error(tls, result);
    return error == SSL_ERROR_WANT_READ || error == SSL_ERROR_WANT_WRITE;
}

/* Writes until all is out, or the socket is full, which a further event will tell. 0: the connection has ended. */
static int flush(int fd, struct conn *conn) {
    for (;;) {
        fill(conn);
        if (conn->sent == conn->filled) return 1;
        size_t len = conn->filled - conn->sent;
        ssize_t out = conn->tls ? SSL_write(conn->tls, conn->out + conn->sent, (int)len)
                                : send(fd, conn->out + conn->sent, len, MSG_NOSIGNAL);
        if (out <= 0) return conn->tls ? can_wait(conn->tls, (int)out) : out < 0 && errno == EAGAIN;
        conn->sent += (size_t)out;
        if (conn->sent == conn->filled) conn->sent = conn->filled = 0;
    }
}

static int read_h1(struct conn *conn, const char *bytes, size_t len) {
    static const char end[] = "\r\n\r\n";
    for (size_t n = 0; n < len; n++) {
        if (bytes[n] == end[conn->matched]) conn->matched++;
        else conn->matched = bytes[n] == '\r';
        if (conn->matched == 4) { conn->matched = 0; conn->owed++; }
    }
    return 1;
}

/* A frame whose head, and the first bytes of whose payload, have been read. 0: not what this server takes. */
static int take(struct conn *conn, size_t len, int type, int flags, uint32_t stream) {
    char reply[9 + 8];
    uint32_t more;
    switch (type) {
    case HEADERS:
        if (!(flags & END_HEADERS) || !(flags & END_STREAM) || conn->waiting == STREAMS) return 0;
        conn->streams[(conn->first + conn->waiting++) % STREAMS] = stream;
        return 1;
    case SETTINGS:
        if (!(flags & ACK)) put(conn, reply, (size_t)(frame_head(reply, 0, SETTINGS, ACK, 0) - reply));
        return conn->filled + CONTROL <= BUFFER;
    case PING:
        if (len != 8) return 0;
        memcpy(frame_head(reply, 8, PING, ACK, 0), conn->frame + 9, 8);
        if (!(flags & ACK)) put(conn, reply, sizeof reply);
        return conn->filled + CONTROL <= BUFFER;
    case WINDOW_UPDATE:
        memcpy(&more, conn->frame + 9, 4);
        if (stream == 0) conn->window += ntohl(more) & 0x7fffffff;
        return len == 4;
    case DATA: case CONTINUATION: return 0;
    default: return 1;
    }
}

static int read_h2(struct conn *conn, const char *bytes, size_t len) {
    enum { PREFACE = 24 };
    while (len) {
        if (conn->matched < PREFACE) {
            size_t now = len < (size_t)(PREFACE - conn->matched) ? len : (size_t)(PREFACE - conn->matched);
            conn->matched += (int)now, bytes += now, len -= now;
            continue;
        }
        const unsigned char *head = conn->frame;
        size_t payload = conn->have < 9 ? 0 : (size_t)head[0] << 16 | (size_t)head[1] << 8 | head[2];
        size_t wanted = conn->have < 9 ? 9 : 9 + (payload < 8 ? payload : 8);
        if (conn->have < wanted) {
            size_t now = len < wanted - conn->have ? len : wanted - conn->have;
            memcpy(conn->frame + conn->have, bytes, now);
            conn->have += now, bytes += now, len -= now;
        }
        if (conn->have < 9) continue;
        payload = (size_t)head[0] << 16 | (size_t)head[1] << 8 | head[2];
        wanted = 9 + (payload < 8 ? payload : 8);
        if (conn->have < wanted) continue;
        if (conn->skip == 0) conn->skip = 9 + payload - wanted + 1;  /* one more than is left: 0 is `not known yet` */
        size_t now = len < conn->skip - 1 ? len : conn->skip - 1;
        conn->skip -= now, bytes += now, len -= now;
        if (conn->skip > 1) continue;
        uint32_t stream;
        memcpy(&stream, head + 5, 4);
        if (!take(conn, payload, head[3], head[4], ntohl(stream) & 0x7fffffff)) return 0;
        conn->have = conn->skip = 0;
    }
    return 1;
}

static void drop(int fd) {
    struct conn *conn = conns[fd];
    conns[fd] = NULL;
    if (conn->tls) SSL_free(conn->tls);
    free(conn->out);
    free(conn);
    close(fd);
}

/* Reads all that is there. 0: the connection has ended. */
static int receive(int fd, struct conn *conn, char *buffer) {
    for (;;) {
        ssize_t len = conn->tls ? SSL_read(conn->tls, buffer, BUFFER) : recv(fd, buffer, BUFFER, 0);
        if (len <= 0) return conn->tls ? can_wait(conn->tls, (int)len) : len < 0 && errno == EAGAIN;
        if (!(is_h2 ? read_h2 : read_h1)(conn, buffer, (size_t)len)) return 0;
        if (!conn->tls && len < BUFFER) return 1;
    }
}

static void serve(int fd, char *buffer) {
    struct conn *conn = conns[fd];
    if (conn && !(receive(fd, conn, buffer) && flush(fd, conn))) drop(fd);
}

static void welcome(int listener, int poll) {
    int fd, on = 1;
    while ((fd = accept4(listener, NULL, NULL, SOCK_NONBLOCK)) >= 0) {
        struct conn *conn = fd < MAX_FDS ? calloc(1, sizeof *conn) : NULL;
        if (!conn || !(conn->out = malloc(BUFFER))) fail("a connection");
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        conns[fd] = conn;
        if (context) {
            if (!(conn->tls = SSL_new(context)) || !SSL_set_fd(conn->tls, fd)) fail("TLS of a connection");
            SSL_set_accept_state(conn->tls);
        }
        if (is_h2) {
            /* SETTINGS: MAX_CONCURRENT_STREAMS (3). It waits until there is something to read, which the preface is. */
            static const unsigned char most[6] = {0, 3, 0, 0, STREAMS >> 8, STREAMS & 255};
            char head[9];
            put(conn, head, (size_t)(frame_head(head, sizeof most, SETTINGS, 0, 0) - head));
            put(conn, most, sizeof most);
            conn->window = 65535;
        }
        struct epoll_event event = {.events = EPOLLIN | EPOLLOUT | EPOLLET, .data.fd = fd};
        if (epoll_ctl(poll, EPOLL_CTL_ADD, fd, &event) < 0) fail("epoll");
    }
}

static int choose(SSL *tls, const unsigned char **out, unsigned char *out_len, const unsigned char *in, unsigned in_len,
                  void *data) {
    static const unsigned char h1[] = "\x08http/1.1", h2[] = "\x02h2";
    (void)tls, (void)data;
    int found = SSL_select_next_proto((unsigned char **)out, out_len, is_h2 ? h2 : h1, is_h2 ? sizeof h2 - 1 : sizeof h1 - 1,
                                      in, in_len);
    return found == OPENSSL_NPN_NEGOTIATED ? SSL_TLSEXT_ERR_OK : SSL_TLSEXT_ERR_ALERT_FATAL;
}

static void make_context(const char *pem) {
    if (!(context = SSL_CTX_new(TLS_server_method()))) fail("TLS");
    SSL_CTX_set_min_proto_version(context, TLS1_3_VERSION);
    SSL_CTX_set_num_tickets(context, 0);
    SSL_CTX_set_mode(context, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
    SSL_CTX_set_alpn_select_cb(context, choose, NULL);
    if (!SSL_CTX_set_ciphersuites(context, "TLS_AES_128_GCM_SHA256")
        || SSL_CTX_use_certificate_file(context, pem, SSL_FILETYPE_PEM) != 1
        || SSL_CTX_use_PrivateKey_file(context, pem, SSL_FILETYPE_PEM) != 1)
        fprintf(stderr, "%s does not hold a certificate and its key\n", pem), exit(1);
}

int main(int argc, char **argv) {
    if (argc < 4 || argc > 5 || (strcmp(argv[3], "h1") && strcmp(argv[3], "h2")) || (body = strtoul(argv[2], NULL, 10)) > MOST)
        return fprintf(stderr, "usage: secure PORT BYTES h1|h2 [PEM]\n"), 2;
    is_h2 = !strcmp(argv[3], "h2");
    if (argc > 4) make_context(argv[4]);
    make_answer();
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((unsigned short)atoi(argv[1]))};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int on = 1, listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0), poll = epoll_create1(0);
    if (listener < 0 || poll < 0) fail("socket");
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (bind(listener, (struct sockaddr *)&address, sizeof address) < 0 || listen(listener, 4096) < 0) fail("listen");
    struct epoll_event event = {.events = EPOLLIN, .data.fd = listener}, events[MAX_EVENTS];
    epoll_ctl(poll, EPOLL_CTL_ADD, listener, &event);
    static char buffer[BUFFER];
    for (;;) {
        int ready = epoll_wait(poll, events, MAX_EVENTS, -1);
        for (int n = 0; n < ready; n++) {
            if (events[n].data.fd == listener) welcome(listener, poll);
            else serve(events[n].data.fd, buffer);
        }
    }
}
