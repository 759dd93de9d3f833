-- | The page by blaze-html.
module PageBlaze (page) where

import Data.ByteString.Builder (Builder)
import Table (Size, cells)
import Text.Blaze.Html.Renderer.Utf8 (renderHtmlBuilder)
import Text.Blaze.Html5 (Html, toHtml)
import qualified Text.Blaze.Html5 as H

page :: Size -> Builder
page = renderHtmlBuilder . H.table . mapM_ row . cells

row :: [Int] -> Html
row = H.tr . mapM_ cell

cell :: Int -> Html
cell = H.td . toHtml
