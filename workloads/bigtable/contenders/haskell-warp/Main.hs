-- | Warp; the page by what its argument names.
module Main (main) where

import qualified Application
import Data.ByteString.Builder (Builder)
import Listen (listenOn)
import Network.Wai.Handler.Warp (defaultSettings, runSettingsSocket)
import qualified Page
import qualified PageBlaze
import qualified PageHamlet
import qualified PageLucid
import System.Environment (getArgs)
import Table (Size)

page :: String -> Size -> Builder
page "blaze" = PageBlaze.page
page "hamlet" = PageHamlet.page
page "lucid" = PageLucid.page
page _ = Page.page

main :: IO ()
main = do
  [port, engine] <- getArgs
  listener <- listenOn (read port)
  runSettingsSocket defaultSettings listener (Application.by (page engine))
