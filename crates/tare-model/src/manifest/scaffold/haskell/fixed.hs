-- The job: every line has the same answer. Nothing would end the connection.
answer :: B.ByteString -> Maybe B.ByteString
answer _ = Just @EXPECT@

