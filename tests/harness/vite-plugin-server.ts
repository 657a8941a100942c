// A development server with the Vite plugin, for an app of the tests that the test may edit.
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import { createServer } from 'vite'
import { buildVitePage } from '../../scripts/package-console.ts'
import { root } from '../../scripts/tool.ts'
import { pluginFor } from '../../src/vite/plugin.ts'

/** The folder of the app's copy, and its URL. */
export interface ServedApp {
  readonly folder: string
  readonly url: string
}

/** @param name the app's folder below `tests/harness` */
export async function serveApp(
  name: string,
  onCleanup: (end: () => Promise<void>) => void,
): Promise<ServedApp> {
  // Within the project, so that it finds its dependencies.
  await mkdir(join(root, '.tour'), { recursive: true })
  const around = await mkdtemp(join(root, '.tour/vite-plugin-'))
  const folder = join(around, 'app')
  await cp(join(root, 'tests/harness', name), folder, { recursive: true })
  // As the package has them: a page then loads a few files and not hundreds.
  const own = join(around, 'package/')
  await buildVitePage(own)
  const files = {
    client: join(own, 'vite/page/client.js'),
    window: join(own, 'vite/page/window.js'),
    own: [own],
  }
  const server = await createServer({
    configFile: false,
    root: folder,
    cacheDir: join(around, 'cache'),
    logLevel: 'error',
    clearScreen: false,
    plugins: [react(), pluginFor({}, files)],
    // Vite reloads a page whose dependencies it discovers late.
    optimizeDeps: { include: ['@xstate/react', 'react', 'react-dom/client', 'react/jsx-dev-runtime'] },
    server: { host: '127.0.0.1', port: 0, fs: { allow: [root] } },
  })
  await server.listen()
  onCleanup(async () => {
    await server.close()
    await rm(around, { recursive: true })
  })
  return { folder, url: server.resolvedUrls?.local[0] ?? '' }
}
