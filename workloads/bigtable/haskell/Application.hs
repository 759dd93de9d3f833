{-# LANGUAGE OverloadedStrings #-}

-- | The job as a WAI application, for all that serve one.
module Application (application, by) where

import Control.Monad (join)
import Data.ByteString.Builder (Builder)
import Network.HTTP.Types (Status, hContentType, status200, status400, status404)
import Network.Wai (Application, Response, pathInfo, queryString, responseBuilder)
import qualified Page
import Table (Size, sizeBy)

-- | The page by bytestring's Builder.
application :: Application
application = by Page.page

-- | The page as it is made by whatever makes one.
by :: (Size -> Builder) -> Application
by page request respond = respond $ case pathInfo request of
  [] -> maybe (refusal status400 "rows: 1 to 10000, columns: 1 to 100\n") table (sizeBy parameter)
  _ -> refusal status404 "there is nothing but /\n"
  where
    parameter name = join (lookup name (queryString request))
    table = responseBuilder status200 [(hContentType, "text/html")] . page

refusal :: Status -> Builder -> Response
refusal status = responseBuilder status [(hContentType, "text/plain")]
