-- The job: the double of an integer of any size; `end` ends the connection.
answer :: B.ByteString -> Maybe B.ByteString
answer raw
  | line == "end" = Nothing
  | B.null digits || not (B.all isAsciiDigit digits) = Just "not an integer"
  | otherwise = B.pack . show . (* 2) . signed . fst <$> B.readInteger digits
  where
    line = if "\r" `B.isSuffixOf` raw then B.init raw else raw
    negative = "-" `B.isPrefixOf` line
    digits = if negative then B.drop 1 line else line
    signed number = if negative then negate number else number
    isAsciiDigit c = c >= '0' && c <= '9'

