// The Vite plugin: resolves the app's `xstate` to a module that records its actors, and serves the console's page.
import { createReadStream, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Plugin, UserConfig } from 'vite'
import { SourceTransform } from '../sources/index.ts'
import { serveAgents } from './agent-server.ts'
import { checkedOptions, type ChartroomPluginOptions, type CheckedOptions } from './options.ts'

export type { ChartroomPluginOptions } from './options.ts'

/** What modules of the app import in place of `xstate`. */
const RECORDED = 'virtual:chartroom/xstate'
const RECORDED_ID = `\0${RECORDED}`

/** Path of the console's own page, below the base of the app. */
const WINDOW_PATH = '@chartroom/console.html'

/** Vite's own endpoint, which opens a file in the editor, below the base of the app. */
const EDITOR_PATH = '__open-in-editor'

const toUrlPath = (path: string) => path.replaceAll('\\', '/')
const inAttribute = (text: string) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;')

const pathOf = (url: URL) => toUrlPath(fileURLToPath(url))

/** Files that pages load, and the folders whose systems are not recorded. */
export interface PluginFiles {
  readonly client: string
  readonly window: string
  readonly own: readonly string[]
}

const FILES: PluginFiles = {
  client: pathOf(new URL('./page/client.ts', import.meta.url)),
  window: pathOf(new URL('./page/window.ts', import.meta.url)),
  own: [pathOf(new URL('..', import.meta.url)), ...clientFolder()],
}

/** The package of the client, which an app records with `recordEverything`: that knows its secrets. */
function clientFolder(): string[] {
  try {
    const entry = createRequire(import.meta.url).resolve('chartroom')
    return [pathOf(new URL('..', pathToFileURL(entry)))]
  } catch {
    return []
  }
}

/**
 * Records every root actor that an app creates with `createActor`, `useMachine` or `useActorRef`, and shows it
 * in a console below the app, which Ctrl+` or Alt+C opens. Recordings know the source lines of machines. The app does
 * not change. Only active in `vite dev`: a build is the same with and without it. In Vitest, it only notes source
 * lines. Needs XState 5.
 * @throws TypeError for an unknown option, or a value of the wrong type
 */
export function chartroomConsole(options: ChartroomPluginOptions = {}): Plugin {
  return pluginFor(options, FILES)
}

/** The plugin with the page’s files in another folder, as a test builds them. */
export function pluginFor(options: ChartroomPluginOptions, files: PluginFiles): Plugin {
  const settings = checkedOptions(options)
  let version: string | undefined
  let hasMachines = false
  let isActive = false
  let base = '/'
  const sources = new SourceTransform()
  return {
    name: 'chartroom',
    apply: (_config, { command, isPreview }) => command === 'serve' && isPreview !== true,
    enforce: 'pre',
    config({ root }, { mode }) {
      const isRolldown = usesRolldown(this)
      version = xstateVersion(root)
      hasMachines = version?.startsWith('5.') === true
      // Vitest serves the app's modules, too.
      isActive = hasMachines && mode !== 'test'
      return isActive ? configOf(isRolldown) : undefined
    },
    configResolved(config) {
      base = config.base
      sources.configure(config.root)
      // The package may be linked from a folder that Vite does not serve.
      if (isActive) config.server.fs.allow.push(dirname(files.client))
      if (version === undefined || hasMachines) return
      config.logger.warn(
        `@chartroom/devtools/vite needs XState 5, but the app has XState ${version}. Nothing is recorded.`,
      )
    },
    // Before version 6, Vite passes `ssr` and does not know environments.
    resolveId(id, importer, { ssr }) {
      if (id === RECORDED) return RECORDED_ID
      return isActive && ssr !== true && isRecorded(id, importer, files.own) ? RECORDED_ID : undefined
    },
    transform: (code, id) => (hasMachines ? sources.transform(code, id) : undefined),
    load: id => (id === RECORDED_ID ? recordedModule(files.client, settings, base, sources.root) : undefined),
    configureServer(server) {
      if (!isActive) return
      const { middlewares, config } = server
      serveAgents(server)
      middlewares.use((request, response, next) => {
        const { pathname } = new URL(request.url ?? '/', 'http://localhost')
        const worker = workerIn(files.client, pathname)
        if (worker !== undefined) {
          response.setHeader('content-type', 'text/javascript')
          createReadStream(worker).on('error', next).pipe(response)
          return
        }
        // Vite removes the base before it calls its own middlewares, not ours.
        if (pathname !== base + WINDOW_PATH) return next()
        server.transformIndexHtml(pathname, windowPage(files.window, base, sources.root)).then(html => {
          response.setHeader('content-type', 'text/html; charset=utf-8')
          response.end(html)
        }, next)
      })
      const { printUrls } = server
      server.printUrls = () => {
        printUrls.call(server)
        config.logger.info('  ➜  Chartroom: Ctrl+` or Alt+C opens the console in the app')
      }
    },
  }
}

/** Whether Vite bundles with Rolldown, as version 8 does. Hooks of older versions have no context here. */
function usesRolldown(context: { readonly meta: object } | undefined): boolean {
  return context !== undefined && 'rolldownVersion' in context.meta
}

/**
 * Returns the file of a worker of the package. They are complete scripts of up to 1.5 MB, which Vite would parse, and
 * send with a source map of 10 MB.
 */
function workerIn(client: string, pathname: string): string | undefined {
  const folder = `/${dirname(client).replace(/^\//, '')}/assets/`
  const name = decodeURI(pathname).split(`/@fs${folder}`)[1]
  return name !== undefined && /^[\w.-]+\.js$/.test(name)
    ? resolve(dirname(client), 'assets', name)
    : undefined
}

/** Returns the version of XState that an app has; undefined if it has none. */
function xstateVersion(root = process.cwd()): string | undefined {
  try {
    const manifest = createRequire(resolve(root, 'package.json')).resolve('xstate/package.json')
    return (JSON.parse(readFileSync(manifest, 'utf8')) as { readonly version: string }).version
  } catch {
    return undefined
  }
}

/** Whether this import of `xstate` is one of the app, and not of the recorder or of the replacing module. */
function isRecorded(id: string, importer: string | undefined, own = FILES.own): boolean {
  return (
    id === 'xstate' &&
    importer !== undefined &&
    importer !== RECORDED_ID &&
    !own.some(folder => importer.replaceAll('\\', '/').startsWith(folder))
  )
}

/** Vite's configuration, by the bundler with which it optimizes dependencies. */
function configOf(isRolldown: boolean): UserConfig {
  return {
    // The recorder and the app must use the same copy.
    resolve: { dedupe: ['xstate'] },
    optimizeDeps: {
      // Found only by the first request otherwise, after which Vite reloads the page.
      include: ['xstate'],
      ...(isRolldown
        ? { rolldownOptions: { plugins: [inDependencies] } }
        : { esbuildOptions: { plugins: [inDependenciesOfEsbuild] } }),
    },
  }
}

/** Makes optimized dependencies such as @xstate/react import the replacing module at run time. */
const inDependencies = {
  name: 'chartroom:dependencies',
  resolveId: (id: string, importer: string | undefined, { kind }: { readonly kind: string }) =>
    kind !== 'require-call' && isRecorded(id, importer)
      ? { id: RECORDED, external: 'absolute' as const }
      : undefined,
}

interface EsbuildImport {
  readonly path: string
  readonly importer: string
  readonly kind: string
}

/** The same for versions of Vite that optimize with esbuild. */
const inDependenciesOfEsbuild = {
  name: 'chartroom:dependencies',
  setup: (build: {
    onResolve(
      options: { readonly filter: RegExp },
      resolve: (args: EsbuildImport) => { path: string; external: true } | undefined,
    ): void
  }) =>
    build.onResolve({ filter: /^xstate$/ }, ({ path, importer, kind }) =>
      kind === 'import-statement' && importer !== '' && isRecorded(path, importer)
        ? { path: RECORDED, external: true }
        : undefined,
    ),
}

/** Exports what `xstate` exports, with a `createActor` that records. */
const recordedModule = (client: string, settings: CheckedOptions, base: string, root: string) => `
import { createActor as original } from 'xstate'
import { recordActors } from ${JSON.stringify(`/@fs/${client.replace(/^\//, '')}`)}
export * from 'xstate'
export const createActor = recordActors(original, ${JSON.stringify({ ...settings, page: base + WINDOW_PATH, editor: { url: base + EDITOR_PATH, root: toUrlPath(root) } })}, import.meta.hot)
export { createActor as interpret }
`

/** The console's own page. */
const windowPage = (file: string, base: string, root: string) => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <link rel="icon" href="data:," />
    <title>Chartroom console</title>
  </head>
  <body style="margin: 0">
    <div id="root" style="height: 100vh" data-editor="${base}${EDITOR_PATH}" data-root="${inAttribute(toUrlPath(root))}"></div>
    <script type="module" src="${base}@fs/${file.replace(/^\//, '')}"></script>
  </body>
</html>
`
