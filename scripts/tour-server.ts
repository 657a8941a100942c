// Serves the tour's example with Vite's development server: changed files are reloaded at once. The guide is in the page.
import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import { createServer, type Plugin } from 'vite'
import { hideDataFolders } from '../backend/vite-plugin.ts'
import { LAYER_ORDER } from './deploy/plugin.ts'
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

const GUIDE = join(root, 'scripts/tour-guide/main.tsx')

/** Adds the guide to the page, so that the example itself contains nothing of it. */
const tourGuide: Plugin = {
  name: 'tour-guide',
  transformIndexHtml: () => [
    // The console's style sheets load one by one, in no fixed order.
    { tag: 'style', children: LAYER_ORDER, injectTo: 'head-prepend' },
    { tag: 'script', attrs: { type: 'module', src: `/@fs${GUIDE}` }, injectTo: 'body' },
  ],
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
    plugins: [react(), hideDataFolders(), tourGuide],
    worker: { format: 'es' },
    // The console is served from its sources, so its dependencies are collected before the first request.
    optimizeDeps: {
      entries: [join(folder, 'index.html'), GUIDE, join(root, 'src/ui/console/attach/embedded-console.tsx')],
    },
    server: { host: '127.0.0.1', port, fs: { allow: [root] } },
  })
  await server.listen()
  const [url = ''] = server.resolvedUrls?.local ?? []
  return { url, stop: () => server.close() }
}
