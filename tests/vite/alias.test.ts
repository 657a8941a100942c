// `chartroom/vite`: supabase-js's `createClient` in an app that was built or is served, and in its libraries.
import { join } from 'node:path'
import * as official from '@supabase/supabase-js'
import { build, createServer, type InlineConfig } from 'vite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chartroomAlias } from '../../src/public/vite.ts'
import { writeAliasApp } from '../harness/alias-app.ts'
import { atFileEnd } from '../harness/endings.ts'

let folder = ''
beforeAll(async () => {
  folder = await writeAliasApp(atFileEnd)
})

const config = (plugins: InlineConfig['plugins'] = []): InlineConfig => ({
  configFile: false,
  logLevel: 'error',
  root: folder,
  cacheDir: join(folder, '.cache'),
  plugins,
})

/** What supabase-js exports besides `createClient`. */
const OTHERS = Object.keys(official)
  .filter(name => name !== 'createClient' && name !== 'default' && name !== 'module.exports')
  .toSorted()

/** Builds the app and runs it. */
async function built(name: string, plugins: InlineConfig['plugins'], ssr = false): Promise<unknown> {
  const { NODE_ENV } = process.env
  const entry = join(folder, 'src/main.js')
  const output = { outDir: join(folder, 'node_modules', name), emptyOutDir: true, minify: false }
  try {
    await build({
      ...config(plugins),
      build: ssr
        ? { ...output, ssr: entry }
        : { ...output, lib: { entry, formats: ['es'], fileName: 'main' } },
    })
  } finally {
    process.env['NODE_ENV'] = NODE_ENV
  }
  const { result } = (await import(join(output.outDir, 'main.js'))) as { result: unknown }
  return result
}

describe('a build', () => {
  test('for pages: the app has Chartroom’s client, its libraries have supabase-js', async () => {
    expect(await built('built', [chartroomAlias()])).toEqual({
      app: true,
      phase: 'booting',
      isSame: true,
      library: false,
      others: OTHERS,
    })
  })

  test('without the plugin, or for a server: supabase-js', async () => {
    const theirs = {
      app: false,
      isSame: false,
      library: false,
      others: [...OTHERS, 'createClient'].toSorted(),
    }
    expect(await built('plain', [])).toEqual(theirs)
    expect(await built('server', [chartroomAlias()], true)).toEqual(theirs)
  })
})

describe('a development server', () => {
  let server: Awaited<ReturnType<typeof createServer>>
  beforeAll(async () => {
    server = await createServer({
      ...config([chartroomAlias()]),
      optimizeDeps: { noDiscovery: true },
      server: { middlewareMode: true, watch: null, ws: false },
    })
  })
  afterAll(() => server.close())

  const idOf = async (importer: string, environment: 'client' | 'ssr' = 'client') =>
    (await server.environments[environment].pluginContainer.resolveId('@supabase/supabase-js', importer))?.id

  test('resolves imports of the app alone', async () => {
    const replaced = '\0virtual:chartroom/supabase-js'
    expect(await idOf(join(folder, 'src/integrations/client.js'))).toBe(replaced)
    const others = [
      replaced,
      join(folder, 'node_modules/library/index.js'),
      join(import.meta.dirname, '../../src/public/index.ts'),
    ]
    for (const importer of others) expect(await idOf(importer)).not.toBe(replaced)
    expect(await idOf(join(folder, 'src/main.js'), 'ssr')).not.toBe(replaced)
  })

  test('modules that run on the server have supabase-js', async () => {
    const { result } = (await server.ssrLoadModule('/src/main.js')) as { result: { app: boolean } }
    expect(result).toMatchObject({ app: false, library: false })
  })
})
