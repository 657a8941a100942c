// Finds a free port.
import { createServer } from 'node:net'

/** The first free port of the loopback address, starting at the wanted one. 0 stays 0, meaning any port. */
export async function freePort(preferredPort: number): Promise<number> {
  if (preferredPort === 0) return 0
  for (let port = preferredPort; port <= 65535; port++) if (await isFree(port)) return port
  throw new Error(`No free port from ${preferredPort} upwards.`)
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(false)
      else reject(error)
    })
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}
