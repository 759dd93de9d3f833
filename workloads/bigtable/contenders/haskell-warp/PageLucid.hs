-- | The page by Lucid.
module PageLucid (page) where

import Data.ByteString.Builder (Builder)
import Data.Functor.Identity (runIdentity)
import Lucid
import Table (Size, cells)

page :: Size -> Builder
page size = runIdentity (execHtmlT (table_ (mapM_ row (cells size))))

row :: [Int] -> Html ()
row = tr_ . mapM_ cell

cell :: Int -> Html ()
cell = td_ . toHtml . show
