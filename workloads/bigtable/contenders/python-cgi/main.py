#!/usr/bin/python3
"""The page as a CGI program."""

import os
import sys

from page import Refused, asked, page

try:
    answer = "Content-Type: text/html\r\n\r\n" + page(*asked(os.environ.get("QUERY_STRING", "")))
except Refused as why:
    answer = f"Status: 400 Bad Request\r\nContent-Type: text/plain\r\n\r\n{why}\n"
sys.stdout.buffer.write(answer.encode())
