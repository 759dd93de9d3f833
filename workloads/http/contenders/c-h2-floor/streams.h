/* HTTP/2 by nghttp2: a session, whose streams are answered as soon as their requests are whole. */
#pragma once
#include <nghttp2/nghttp2.h>

#include "answers.h"

/* The date has to outlive the session. NULL: there is no memory for it. */
nghttp2_session *session_new(const struct date *date);
