{-# LANGUAGE OverloadedStrings #-}

-- | The job as a WAI application, for all that serve one.
module Application (application, by) where

import Control.Monad (join)
import Data.ByteString.Builder (Builder)
import Network.HTTP.Types (hContentType, status200, status400)
import Network.Wai (Application, queryString, responseBuilder)
import qualified Page
import Table (Size, sizeBy)

-- | The page by bytestring's Builder.
application :: Application
application = by Page.page

-- | The page as it is made by whatever makes one.
by :: (Size -> Builder) -> Application
by page request respond = respond (maybe refusal table (sizeBy parameter))
  where
    parameter name = join (lookup name (queryString request))
    table = responseBuilder status200 [(hContentType, "text/html")] . page
    refusal = responseBuilder status400 [(hContentType, "text/plain")] "rows: 1 to 10000, columns: 1 to 100\n"
