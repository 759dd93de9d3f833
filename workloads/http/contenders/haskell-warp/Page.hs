{-# LANGUAGE OverloadedStrings #-}

-- | The page of fortunes.
module Page (page) where

import Data.ByteString.Lazy (ByteString)
import Data.Foldable (for_)
import Data.List (sortOn)
import Row (Fortune (..))
import Text.Blaze.Html.Renderer.Utf8 (renderHtml)
import qualified Text.Blaze.Html5 as H

-- | With one fortune more than those that were found.
page :: [Fortune] -> ByteString
page found = renderHtml $
  H.docTypeHtml $ do
    H.head (H.title "Fortunes")
    H.body . H.table $ do
      H.tr (H.th "id" <> H.th "message")
      for_ (sortOn fortuneMessage (added : found)) $ \(Fortune number message) ->
        H.tr (H.td (H.toHtml number) <> H.td (H.toHtml message))
  where
    added = Fortune 0 "Additional fortune added at request time."
