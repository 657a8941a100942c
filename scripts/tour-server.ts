// Serves the example of the tour as Vite does while one works on it: a changed file is there at once.
import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import { createServer } from 'vite'
import { hideDataFolders } from '../backend/vite-plugin.ts'
import { root } from './tool.ts'

export interface TourServer {
  readonly url: string
  stop(): Promise<void>
}

export interface TourOptions {
  /** The first free port from here on; any for 0. */
  readonly port: number
  /** Where the example lies: a copy of it within the project, or the example itself. */
  readonly folder?: string
}

/** @throws Error when no port is free */
export async function startTour({
  port,
  folder = join(root, 'examples/tour'),
}: TourOptions): Promise<TourServer> {
  const server = await createServer({
    configFile: false,
    root: folder,
    cacheDir: join(root, 'node_modules/.vite-tour'),
    logLevel: 'error',
    clearScreen: false,
    plugins: [react(), hideDataFolders()],
    worker: { format: 'es' },
    // The console's sources are read as they are, so what they need is gathered before the first page asks for it.
    optimizeDeps: {
      entries: [join(folder, 'index.html'), join(root, 'src/ui/console/attach/embedded-console.tsx')],
    },
    server: { host: '127.0.0.1', port, fs: { allow: [root] } },
  })
  await server.listen()
  const [url = ''] = server.resolvedUrls?.local ?? []
  return { url, stop: () => server.close() }
}
