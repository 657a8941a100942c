// Serves the tour's example with Vite's development server: changed files are reloaded at once.
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
  /** The first port to try; the next free one is used. 0 means any port. */
  readonly port: number
  /** Folder of the example: a copy of it inside the project, or the example itself. */
  readonly folder?: string
}

/** @throws Error if no port is free */
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
    // The console is served from its sources, so its dependencies are collected before the first request.
    optimizeDeps: {
      entries: [join(folder, 'index.html'), join(root, 'src/ui/console/attach/embedded-console.tsx')],
    },
    server: { host: '127.0.0.1', port, fs: { allow: [root] } },
  })
  await server.listen()
  const [url = ''] = server.resolvedUrls?.local ?? []
  return { url, stop: () => server.close() }
}
