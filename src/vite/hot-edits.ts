// Holds the update of a saved module with machines while a page drives its recording through the new version.
import { stripVTControlCharacters } from 'node:util'
import { projectPath, projectRoot } from '../sources/index.ts'
import type { ModuleNode, Plugin, ViteDevServer, WebSocketClient } from 'vite'
import type { SavedModule } from '../machines/console/edit-replay.ts'

/** What the hooks of all versions of Vite know of a saved file. */
interface Saved {
  readonly file: string
  readonly timestamp: number
  readonly read: () => string | Promise<string>
}

interface Node {
  readonly url: string
  readonly lastHMRTimestamp: number
  readonly isSelfAccepting?: boolean | undefined
}

/** Modules that create actors would create them twice. */
const CREATES = /\b(?:createActor|interpret)\b/
const USES_XSTATE = /from\s*['"]xstate['"]/
const IS_SCRIPT = /\.[cm]?[jt]sx?$/

/**
 * Hooks that hold the update of a module which imports XState and which Vite would update with its importers or by
 * reloading the page, as long as the console of a page is open. The page answers, or asks for the usual update.
 */
export function hotEdits(): Pick<Plugin, 'hotUpdate' | 'handleHotUpdate'> & {
  readonly serve: (server: ViteDevServer) => void
} {
  let server: ViteDevServer | undefined
  const watching = new Set<WebSocketClient>()
  const held = new Map<string, readonly string[]>()
  const isWatched = () => {
    for (const client of watching) if (!server?.ws.clients.has(client)) watching.delete(client)
    return watching.size > 0
  }
  const saved = async (
    modules: readonly Node[],
    { file, timestamp, read }: Saved,
  ): Promise<[] | undefined> => {
    const [module] = modules
    if (!server || !module || modules.length > 1 || !IS_SCRIPT.test(file) || !isWatched()) return undefined
    const code = await read()
    if (!USES_XSTATE.test(code) || CREATES.test(code)) return undefined
    const isHeld = module.isSelfAccepting !== true
    const { base, root } = server.config
    const url = base + module.url.replace(/^\//, '')
    const at = (time: number) => (time > 0 ? `${url}${url.includes('?') ? '&' : '?'}t=${time}` : url)
    const source = projectPath(projectRoot(root), file)
    const error = await failure(server, module.url)
    const message: SavedModule = {
      file: file.startsWith(`${root}/`) ? file.slice(root.length + 1) : file,
      url: at(timestamp),
      liveUrl: at(module.lastHMRTimestamp),
      isHeld,
      ...(source !== undefined && { source }),
      ...(error !== undefined && { error }),
    }
    if (isHeld) held.set(message.file, [module.url])
    for (const client of watching) client.send('chartroom:saved', message)
    return isHeld ? [] : undefined
  }
  return {
    serve(started) {
      server = started
      started.ws.on('chartroom:watch', (isOn: unknown, client: WebSocketClient) => {
        if (isOn === true) watching.add(client)
        else watching.delete(client)
      })
      started.ws.on('chartroom:update', (file: unknown) => void update(started, held.get(String(file))))
    },
    // From Vite 6 on; older versions call the other one.
    hotUpdate(options) {
      return options.type === 'update' ? saved(options.modules, options) : undefined
    },
    handleHotUpdate(context) {
      return saved(context.modules, context)
    },
  }
}

/** Transforms the new version, so that errors are known before a page imports it. */
async function failure(server: ViteDevServer, url: string): Promise<string | undefined> {
  try {
    await server.transformRequest(url)
    return undefined
  } catch (error) {
    // Errors of newer versions are colored.
    return stripVTControlCharacters(error instanceof Error ? error.message : String(error))
  }
}

/** Makes the usual update. */
async function update(server: ViteDevServer, urls: readonly string[] | undefined): Promise<void> {
  for (const url of urls ?? []) {
    const module: ModuleNode | undefined = await server.moduleGraph.getModuleByUrl(url)
    if (module) await server.reloadModule(module)
  }
}
