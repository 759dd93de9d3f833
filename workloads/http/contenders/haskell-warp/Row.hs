{-# LANGUAGE TemplateHaskell #-}

-- | A row of the table @world@.
module Row (Row (..)) where

import Data.Aeson.TH (defaultOptions, deriveToJSON, fieldLabelModifier)
import Data.Char (toLower)

data Row = Row {rowId :: !Int, rowRandomNumber :: !Int}

$(deriveToJSON
    defaultOptions {fieldLabelModifier = \label -> case drop 3 label of
      first : rest -> toLower first : rest
      [] -> label}
    ''Row)
