{-# LANGUAGE MultiParamTypeClasses #-}
{-# LANGUAGE OverloadedStrings #-}
{-# LANGUAGE QuasiQuotes #-}
{-# LANGUAGE TemplateHaskell #-}
{-# LANGUAGE TypeFamilies #-}
{-# LANGUAGE ViewPatterns #-}

-- | Yesod; the page by Hamlet; or, if so started, by a widget in the site's layout.
module Main (main) where

import Data.Text.Encoding (encodeUtf8)
import Listen (listenOn)
import Network.Wai.Handler.Warp (defaultSettings, runSettingsSocket)
import System.Environment (getArgs)
import Table (Size, cells, sizeBy)
import Yesod.Core

-- | Whether pages have the layout of the site.
newtype Site = Site {laidOut :: Bool}

mkYesod "Site" [parseRoutes|
/ TableR GET
|]

-- | No sessions: no cookie is needed.
instance Yesod Site where
  makeSessionBackend _ = pure Nothing

getTableR :: Handler Html
getTableR = do
  rows <- lookupGetParam "rows"
  columns <- lookupGetParam "columns"
  layout <- laidOut <$> getYesod
  let given = [(name, encodeUtf8 value) | (name, Just value) <- [("rows", rows), ("columns", columns)]]
  case sizeBy (`lookup` given) of
    Nothing -> invalidArgs ["rows: 1 to 10000, columns: 1 to 100"]
    Just size | layout -> defaultLayout (widget size)
    Just size -> withUrlRenderer (template size)

template :: Size -> HtmlUrl (Route Site)
template size =
  [hamlet|
<table>
  $forall row <- cells size
    <tr>
      $forall cell <- row
        <td>#{cell}
|]

widget :: Size -> Widget
widget size =
  [whamlet|
<table>
  $forall row <- cells size
    <tr>
      $forall cell <- row
        <td>#{cell}
|]

main :: IO ()
main = do
  [port, way] <- getArgs
  listener <- listenOn (read port)
  application <- toWaiAppPlain (Site (way == "layout"))
  runSettingsSocket defaultSettings listener application
