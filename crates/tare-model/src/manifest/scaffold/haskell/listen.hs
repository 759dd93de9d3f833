main :: IO ()
main = do
  arguments <- getArgs
  listener <- socket AF_INET Stream defaultProtocol
  setSocketOption listener ReuseAddr 1
  bind listener (SockAddrInet (read (head arguments)) (tupleToHostAddress (127, 0, 0, 1)))
  listen listener 4096
  forever $ do
    (connection, _) <- accept listener
    setSocketOption connection NoDelay 1
    forkFinally (serve connection B.empty) (const (close connection))
