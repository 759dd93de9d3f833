{-# LANGUAGE TemplateHaskell #-}

-- | Rows of the tables @world@ and @fortune@.
module Row (Row (..), Fortune (..)) where

import Data.Aeson.TH (defaultOptions, deriveToJSON, fieldLabelModifier)
import Data.Char (toLower)
import Data.Text (Text)

data Row = Row {rowId :: !Int, rowRandomNumber :: !Int}

data Fortune = Fortune {fortuneId :: !Int, fortuneMessage :: !Text}

$(deriveToJSON
    defaultOptions {fieldLabelModifier = \label -> case drop 3 label of
      first : rest -> toLower first : rest
      [] -> label}
    ''Row)
