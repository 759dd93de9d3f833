{-# LANGUAGE QuasiQuotes #-}

-- | The page by Hamlet, Yesod's templates, without their routes.
module PageHamlet (page) where

import Data.ByteString.Builder (Builder)
import Table (Size, cells)
import Text.Blaze.Html.Renderer.Utf8 (renderHtmlBuilder)
import Text.Hamlet (shamlet)

page :: Size -> Builder
page size =
  renderHtmlBuilder
    [shamlet|
<table>
  $forall row <- cells size
    <tr>
      $forall cell <- row
        <td>#{cell}
|]
