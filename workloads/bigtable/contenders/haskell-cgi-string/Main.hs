-- | Raw CGI: the page as a String, made as it is written.
module Main (main) where

import Cgi (serve)
import Table (Size, cells)

page :: Size -> String
page size = "<table>" ++ concatMap row (cells size) ++ "</table>"

row :: [Int] -> String
row numbers = "<tr>" ++ concatMap cell numbers ++ "</tr>\n"

cell :: Int -> String
cell number = "<td>" ++ show number ++ "</td>"

main :: IO ()
main = serve (putStr . page)
