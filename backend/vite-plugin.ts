// Runs the embedded backend with Vite's development server and passes its address to the app.
import type { Plugin } from 'vite'
import { refuseTool } from './gateway/tool-guard.ts'
import type * as embedded from './index.ts'

/**
 * Vite bundles its configuration; importing by URL keeps the backend outside, and `vite build` never loads
 * it.
 */
const load = async () => (await import(new URL('./index.ts', import.meta.url).href)) as typeof embedded

/** Vite's default list, which a configured list replaces. */
const DENIED_BY_VITE = [
  '.env',
  '.env.*',
  '*.{crt,pem,key,p12,pfx,cer,der}',
  '.npmrc',
  '.yarnrc.yml',
  '**/.git/**',
]
/** Recognizes a data folder with any name by its layout: keys, database cluster and stored files. */
const DATA_FILES = [
  '**/.chartroom*/**',
  '**/secrets.json{,.partial}',
  '**/database/{PG_VERSION,base,global,pg_*}{,/**}',
  '**/objects/??/????????-????-????-????-????????????',
]

/** Where the backend describes its tables. */
const SCHEMA = '/_chartroom/schema'

/** Keeps the development server from serving data folders inside its root. */
export function hideDataFolders(): Plugin {
  return {
    name: 'chartroom-data-folders',
    apply: 'serve',
    config: ({ server }) => ({
      server: { fs: { deny: [...(server?.fs?.deny ? [] : DENIED_BY_VITE), ...DATA_FILES] } },
    }),
  }
}

/** Starts the backend when the development server listens, and stops it with the server. */
export function embeddedBackend(options: Pick<embedded.BackendOptions, 'data' | 'port'>): Plugin {
  let starting: Promise<embedded.Backend> | undefined
  const stop = async () => {
    const backend = await starting?.catch(() => undefined)
    starting = undefined
    await backend?.stop()
  }
  return {
    name: 'chartroom-backend',
    apply: 'serve',
    configureServer(server) {
      server.httpServer?.once('listening', () => {
        starting = load().then(({ startBackend }) => startBackend(options))
        starting.then(
          ({ url }) => server.config.logger.info(`  ➜  Backend: ${url}`),
          (error: unknown) => server.config.logger.error(`Failed to start the backend: ${String(error)}`),
        )
      })
      /** Serves a response of the backend's to pages and programs that may use its tools. */
      const serve = (path: string, answer: (backend: embedded.Backend) => Promise<string>) =>
        server.middlewares.use(path, (request, response, next) => {
          if (!starting) return next()
          const refusal = refuseTool(request)
          if (refusal !== undefined) {
            response.writeHead(403, { 'content-type': 'application/json' })
            return response.end(JSON.stringify({ message: refusal }))
          }
          starting.then(answer).then(text => {
            response.setHeader('Content-Type', 'application/json')
            response.end(text)
          }, next)
        })
      serve('/_chartroom/config', async ({ url, publishableKey: key, accounts }) =>
        JSON.stringify({ name: 'harbour', url, key, accounts, schema: SCHEMA }),
      )
      serve(SCHEMA, async ({ url }) => (await fetch(url + SCHEMA)).text())
      // Ctrl-C arrives twice, from the terminal and through npm; without a listener it ends the process at
      // once.
      let closing: Promise<void> | undefined
      const onInterrupt = () => {
        closing ??= server.close().finally(() => process.exit(0))
      }
      // In middleware mode, the server is part of a program that ends itself.
      if (!server.httpServer) return
      process.on('SIGINT', onInterrupt)
      server.httpServer.once('close', () => {
        if (!closing) process.off('SIGINT', onInterrupt)
      })
    },
    closeBundle: stop,
  }
}
