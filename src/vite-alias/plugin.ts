// Resolves supabase-js, where the app imports it, to a module that exports the same with another `createClient`.
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'

const OFFICIAL = '@supabase/supabase-js'
const OURS = 'chartroom'

/** What modules of the app import in place of supabase-js. */
const REPLACED = '\0virtual:chartroom/supabase-js'

const withSlashes = (path: string) => path.replaceAll('\\', '/')

/** This package, which may be linked from a folder outside of node_modules. */
const OWN = withSlashes(fileURLToPath(new URL('..', import.meta.url)))

/**
 * Gives an app Chartroom's client where its pages import `createClient` of supabase-js, also from a file that a
 * generator writes and that must not be edited. All other exports of supabase-js stay, and so do its types. `chartroomOf`
 * returns the Chartroom client behind such a client. Works in development and in builds. Modules of servers and of
 * node_modules get supabase-js itself.
 */
export function chartroomAlias(): Plugin {
  return {
    name: 'chartroom:alias',
    // Before Vite's own resolution.
    enforce: 'pre',
    applyToEnvironment: ({ config }) => config.consumer === 'client',
    // Found only by the first request otherwise, after which Vite reloads the page.
    config: () => ({ optimizeDeps: { include: [OFFICIAL, OURS] } }),
    // Before version 6, Vite passes `ssr` and does not know environments.
    resolveId: (id, importer, { ssr }: { readonly ssr?: boolean | undefined }) =>
      id === OFFICIAL && ssr !== true && isOfApp(importer) ? REPLACED : undefined,
    load: id => (id === REPLACED ? MODULE : undefined),
  }
}

function isOfApp(importer: string | undefined): boolean {
  if (importer === undefined || importer === REPLACED) return false
  const path = withSlashes(importer)
  return !path.includes('/node_modules/') && !path.startsWith(OWN)
}

/** Its client is found by `chartroomOf`, under a symbol that all copies of that function know. */
const MODULE = `
import { createChartroomClient } from '${OURS}'
export * from '${OFFICIAL}'
export function createClient(url, key, options) {
  const client = createChartroomClient(url, key, options)
  return Object.defineProperty(client.supabase, Symbol.for('chartroom.client'), { value: () => client })
}
`
