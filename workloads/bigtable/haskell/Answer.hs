{-# LANGUAGE OverloadedStrings #-}

-- | What programs of CGI and FastCGI answer: header fields, an empty line, and the page.
module Answer (answer, header, refusal) where

import Data.ByteString (ByteString)
import Data.ByteString.Builder (Builder, byteString)
import Page (page)
import Table (Size)

-- | The whole answer; none: no table was asked for.
answer :: Maybe Size -> Builder
answer = maybe (byteString refusal) (\size -> byteString header <> page size)

-- | What comes before a page.
header :: ByteString
header = "Content-Type: text/html\r\n\r\n"

-- | The answer where no table was asked for.
refusal :: ByteString
refusal = "Status: 400 Bad Request\r\nContent-Type: text/plain\r\n\r\nrows: 1 to 10000, columns: 1 to 100\n"
