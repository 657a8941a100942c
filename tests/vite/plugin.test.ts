// The Vite plugin without a browser: its options, what it resolves, and that a build does not contain it.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build, createServer, type Plugin, type Rolldown, type ViteDevServer } from 'vite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { root } from '../../scripts/tool.ts'
import { chartroomConsole, type ChartroomPluginOptions } from '../../src/public/devtools/vite.ts'

const APP = join(root, 'tests/harness/vite-app')

describe('options', () => {
  test.each<[options: object, message: string]>([
    [{ opne: true }, 'unknown option "opne". Use open, button, ignore, redact.'],
    [{ toString: 1 }, 'unknown option "toString"'],
    [{ open: 'yes' }, '"open" must be true or false, not "yes"'],
    [{ button: null }, '"button" must be true or false, not null'],
    [{ ignore: 'pointer' }, '"ignore" must be a list of machine ids, as in [\'pointer\'], not "pointer"'],
    [{ redact: { patterns: [] } }, '"redact" must be lists of names'],
  ])('%j are refused', (options, message) => {
    expect(() => chartroomConsole(options as ChartroomPluginOptions)).toThrow(
      `chartroomConsole() in vite.config: ${message}`,
    )
  })

  test('an undefined option is a missing one', () => {
    expect(chartroomConsole({ open: undefined } as object).name).toBe('chartroom')
  })
})

test.each([
  [{ command: 'serve', mode: 'development' }, true],
  [{ command: 'serve', mode: 'development', isPreview: true }, false],
  [{ command: 'serve', mode: 'test' }, true],
  [{ command: 'build', mode: 'development' }, false],
] as const)('%j: applies %s', (env, applies) => {
  const { apply } = chartroomConsole()
  expect(typeof apply === 'function' && apply({}, env)).toBe(applies)
})

async function built(plugins: readonly Plugin[]): Promise<unknown> {
  const result = await build({
    configFile: false,
    logLevel: 'silent',
    root: APP,
    plugins: [...plugins],
    build: { write: false, minify: false },
  })
  const { output } = result as Rolldown.RolldownOutput
  return output.map(part => [part.fileName, part.type === 'chunk' ? part.code : part.source])
}

test('a build with the plugin is the same as one without it', async () => {
  const { NODE_ENV } = process.env
  try {
    const without = await built([])
    expect(JSON.stringify(without)).toContain('createActor')
    expect(await built([chartroomConsole({ open: true })])).toEqual(without)
  } finally {
    process.env['NODE_ENV'] = NODE_ENV
  }
})

async function serve(folder: string, messages?: string[]): Promise<ViteDevServer> {
  const keep = (message: string) => void messages?.push(message)
  return createServer({
    configFile: false,
    root: folder,
    cacheDir: join(folder, '.cache'),
    plugins: [chartroomConsole()],
    optimizeDeps: { noDiscovery: true },
    server: { middlewareMode: true, watch: null, ws: false },
    customLogger: {
      info: keep,
      warn: keep,
      warnOnce: keep,
      error: keep,
      clearScreen: () => undefined,
      hasErrorLogged: () => false,
      hasWarned: false,
    },
  })
}

describe('a development server', () => {
  let server: ViteDevServer

  beforeAll(async () => {
    server = await serve(APP)
  })
  afterAll(async () => {
    await server.close()
    await rm(join(APP, '.cache'), { recursive: true, force: true })
  })

  const idOf = async (importer: string) =>
    (await server.environments.client.pluginContainer.resolveId('xstate', importer))?.id

  test('resolves the app’s XState to the recording module, and that of the recorder to the original', async () => {
    expect(await idOf(join(APP, 'main.tsx'))).toBe('\0virtual:chartroom/xstate')
    for (const importer of ['\0virtual:chartroom/xstate', join(root, 'src/services/recording/record.ts')])
      expect(await idOf(importer)).toMatch(/node_modules\/xstate|deps\/xstate/)
  })

  test('leaves modules of the server alone', async () => {
    const { pluginContainer } = server.environments.ssr
    const resolved = await pluginContainer.resolveId('xstate', join(APP, 'main.tsx'))
    expect(resolved?.id).not.toContain('chartroom/xstate')
  })

  test('adds nothing to the HTML of a page', async () => {
    const html = '<!doctype html><html><head></head><body></body></html>'
    expect(await server.transformIndexHtml('/index.html', html)).not.toContain('chartroom')
  })
})

describe('source lines', () => {
  const served = async (mode: string, environment: 'client' | 'ssr') => {
    const server = await createServer({
      configFile: false,
      root: APP,
      mode,
      cacheDir: join(APP, '.cache'),
      plugins: [chartroomConsole()],
      optimizeDeps: { noDiscovery: true },
      server: { middlewareMode: true, watch: null, ws: false },
    })
    try {
      const { pluginContainer } = server.environments[environment]
      return {
        lamp: await server.environments[environment].transformRequest('/lamp.ts'),
        xstate: (await pluginContainer.resolveId('xstate', join(APP, 'main.tsx')))?.id,
      }
    } finally {
      await server.close()
      await rm(join(APP, '.cache'), { recursive: true, force: true })
    }
  }

  test('are noted for pages and servers', async () => {
    for (const environment of ['client', 'ssr'] as const) {
      const { lamp } = await served('development', environment)
      expect(lamp?.code).toContain('"tests/harness/vite-app/lamp.ts"')
    }
  })

  test('are noted in Vitest, where nothing is recorded', async () => {
    const { lamp, xstate } = await served('test', 'client')
    expect(lamp?.code).toContain('"tests/harness/vite-app/lamp.ts"')
    expect(xstate).toMatch(/node_modules\/xstate|deps\/xstate/)
  })
})

describe('an app', () => {
  let folder: string

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'chartroom-'))
  })
  afterAll(() => rm(folder, { recursive: true }))

  test('without XState is served as before', async () => {
    const messages: string[] = []
    const server = await serve(folder, messages)
    expect(server.config.optimizeDeps.include ?? []).toEqual([])
    await server.close()
    expect(messages).toEqual([])
  })

  test('with another major version of XState is served as before, with a warning', async () => {
    await writeFile(join(folder, 'package.json'), '{}')
    const package4 = join(folder, 'node_modules/xstate')
    await mkdir(package4, { recursive: true })
    await writeFile(join(package4, 'package.json'), '{"name":"xstate","version":"4.38.3"}')
    const messages: string[] = []
    const server = await serve(folder, messages)
    expect(server.config.optimizeDeps.include ?? []).toEqual([])
    await server.close()
    expect(messages.join()).toContain(
      '@chartroom/devtools/vite needs XState 5, but the app has XState 4.38.3',
    )
  })
})

test('a Vite that optimizes with esbuild gets a plugin for it', async () => {
  const { config } = chartroomConsole()
  if (typeof config !== 'function') throw new Error('The plugin has no config hook')
  // Before version 7, hooks had no context here.
  const { optimizeDeps } = Reflect.apply(config, undefined, [{ root }, {}]) as {
    optimizeDeps: { esbuildOptions: { plugins: { setup(build: object): void }[] } }
  }
  let resolve: (from: object) => unknown = () => undefined
  optimizeDeps.esbuildOptions.plugins[0]?.setup({
    onResolve: (_: object, found: typeof resolve) => {
      resolve = found
    },
  })
  const from = { path: 'xstate', importer: '/app/node_modules/@xstate/react/dist/index.js' }
  expect(resolve({ ...from, kind: 'import-statement' })).toEqual({
    path: 'virtual:chartroom/xstate',
    external: true,
  })
  for (const other of [
    { ...from, kind: 'require-call' },
    { ...from, kind: 'import-statement', importer: '' },
    { ...from, kind: 'import-statement', importer: join(root, 'src/services/recording/record.ts') },
  ])
    expect(resolve(other)).toBeUndefined()
})
