// The package as apps install it: built once, then imported without a browser, and measured.
import { execFile } from 'node:child_process'
import { access, glob, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { Worker } from 'node:worker_threads'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type App,
  CLIENT_STEPS,
  clientEntries,
  importEntries,
  NPM_INSTALL,
  PLAIN,
  runInApp,
  runOnOldNode,
  writeApp,
} from '../../scripts/installs/trial.ts'
import { downloads, strangeHosts, strangeOwners } from '../../scripts/outside-names.ts'
import { packFolder } from '../../scripts/pack.ts'
import { buildPackage, ENTRIES } from '../../scripts/package-build.ts'
import { missingPeers, undeclaredImports } from '../../scripts/package-imports.ts'
import { BUDGETS, measure } from '../../scripts/package-size.ts'
import { measureTotal, TOTALS } from '../../scripts/package-total.ts'
import { root } from '../../scripts/tool.ts'
import { composeClient, declaredPorts, type ClientPorts } from '../../src/services/client/compose-client.ts'
import { machineCharts } from '../../src/services/runtime/index.ts'

const run = promisify(execFile)
/** Inside node_modules, so that the built package finds its dependencies. */
const cache = join(root, 'node_modules/.cache/chartroom')
let out = ''

beforeAll(async () => {
  await mkdir(cache, { recursive: true })
  out = await mkdtemp(join(cache, 'package-'))
  await buildPackage(join(out, 'chartroom'))
  // It compiles everything and bundles five pages: more than two minutes beside two browsers.
}, 300_000)
afterAll(() => rm(out, { recursive: true, force: true }))

const dir = () => join(out, 'chartroom')
const url = (entry: string) => pathToFileURL(join(dir(), `${entry}.js`)).href

test('the manifest lists exactly the packages that the modules import', async () => {
  const manifest = JSON.parse(await readFile(join(dir(), 'package.json'), 'utf8')) as Record<string, object>
  expect({
    dependencies: Object.keys(manifest['dependencies'] ?? {}),
    peers: manifest['peerDependencies'],
    meta: manifest['peerDependenciesMeta'],
    sideEffects: manifest['sideEffects'],
    engines: manifest['engines'],
  }).toEqual({
    dependencies: [
      'diff',
      'idb',
      'magic-string',
      'oxc-parser',
      'oxc-walker',
      'rxjs',
      'tus-js-client',
      'valibot',
      'ws',
      'xstate',
    ],
    peers: {
      '@playwright/test': '>=1.50',
      '@supabase/supabase-js': '>=2.100.0 <4 || >=3.0.0-next.0 <4',
      '@supabase/ssr': '*',
      'fast-check': '>=3',
      react: '>=18',
      'react-dom': '>=18',
      svelte: '*',
      vite: '*',
      vitest: '*',
      vue: '*',
    },
    meta: {
      '@playwright/test': { optional: true },
      '@supabase/ssr': { optional: true },
      'fast-check': { optional: true },
      react: { optional: true },
      'react-dom': { optional: true },
      svelte: { optional: true },
      vite: { optional: true },
      vitest: { optional: true },
      vue: { optional: true },
    },
    sideEffects: ['./public/vitest.js', './testing/vitest-version.js'],
    engines: { node: '>=22.13' },
  })
})

test('its links point to files of the package or to the web, and it ships no images', async () => {
  const dead: string[] = []
  let links = 0
  for await (const page of glob('**/*.md', { cwd: dir() })) {
    const text = await readFile(join(dir(), page), 'utf8')
    if (/!\[/.test(text)) dead.push(`${page}: an image`)
    for (const [, address = ''] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^(?:https:|mailto:|#)/.test(address)) continue
      links += 1
      const [path = '', part] = address.split('#')
      const target = await readFile(join(dir(), dirname(page), path), 'utf8').catch(() => undefined)
      if (target === undefined || (part !== undefined && !anchorsOf(target).includes(part)))
        dead.push(`${page}: ${address}`)
    }
  }
  expect({ dead, isLinked: links > 20 }).toEqual({ dead: [], isLinked: true })
  const readme = await readFile(join(dir(), 'README.md'), 'utf8')
  expect(readme).toContain('npm install ./chartroom.tgz @supabase/supabase-js')
  expect(readme).not.toMatch(/npm (?:ci|start|run)/)
})

/** The anchors of a page's headings, as GitHub and npm make them. */
const anchorsOf = (text: string) =>
  [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )

test('the manifest names its license and no address, and the changes of this version are there', async () => {
  const manifest = JSON.parse(await readFile(join(dir(), 'package.json'), 'utf8')) as Record<string, unknown>
  expect(manifest).toMatchObject({ author: 'The Chartroom authors', license: 'MIT' })
  expect(Object.keys(manifest).filter(name => /^(?:repository|homepage|bugs|funding)$/.test(name))).toEqual(
    [],
  )
  expect(manifest['keywords']).toContain('supabase')
  expect(await readFile(join(dir(), 'CHANGELOG.md'), 'utf8')).toContain(`## ${String(manifest['version'])}\n`)
})

test.each(Object.values(ENTRIES).filter(entry => entry !== 'public/console'))(
  'stack traces of %s end in its source: the map has the text',
  async entry => {
    const map = JSON.parse(await readFile(join(dir(), `${entry}.js.map`), 'utf8')) as {
      sources: string[]
      sourcesContent: string[]
    }
    const name = `${entry.replace('public/', '')}.ts`
    expect(map.sources.map(source => source.replace(/.*\//, ''))).toEqual([name])
    expect(map.sourcesContent).toEqual([await readFile(join(root, 'src', `${entry}.ts`), 'utf8')])
    expect(await readFile(join(dir(), `${entry}.js`), 'utf8')).toContain(
      `sourceMappingURL=${name.replace(/\.ts$/, '.js.map')}`,
    )
  },
)

describe('without a browser', () => {
  const GLOBALS = ['window', 'document', 'localStorage', 'sessionStorage', 'WebSocket', 'BroadcastChannel']

  // Vitest cannot be imported outside of its tests.
  const entries = Object.values(ENTRIES).filter(entry => entry !== 'public/vitest')

  /** Imports every entry; returns the browser globals that the package itself accessed. */
  const probe = () => `
    const touched = []
    for (const name of ${JSON.stringify(GLOBALS)}) {
      const look = () => void (new Error().stack.includes(${JSON.stringify(dir())}) && touched.push(name))
      Object.defineProperty(globalThis, name, { configurable: true, get: look })
    }
    Promise.all(${JSON.stringify(entries.map(url))}.map(entry => import(entry))).then(modules => {
      const [{ createChartroomClient }] = modules
      report({ touched, entries: modules.length, create: typeof createChartroomClient })
    })`
  const expected = { touched: [], entries: entries.length, create: 'function' }

  test('importing accesses no browser globals in a plain Node process', async () => {
    const code = `const report = value => console.log(JSON.stringify(value));${probe()}`
    const { stdout } = await run(process.execPath, ['-e', code], { cwd: out })
    expect(JSON.parse(stdout)).toEqual(expected)
  })

  test('nor in a worker thread', async () => {
    const code = `const report = value => require('node:worker_threads').parentPort.postMessage(value);${probe()}`
    const worker = new Worker(code, { eval: true })
    const reported = await new Promise((resolve, reject) => {
      worker.once('message', resolve)
      worker.once('error', reject)
    })
    await worker.terminate()
    expect(reported).toEqual(expected)
  })

  test('a client starts without a socket, and the process exits after it is disposed', async () => {
    const code = `
      import { createChartroomClient } from ${JSON.stringify(url('public/index'))}
      const client = createChartroomClient({ url: 'http://127.0.0.1:9', key: 'k' })
      const stop = client.onStatus(async ({ session }) => {
        if (session.phase !== 'signedOut') return
        stop()
        await client.dispose()
        console.log(session.reason, client.status().session.phase)
      })`
    const { stdout } = await run(process.execPath, ['--input-type=module', '-e', code], { cwd: out })
    expect(stdout).toBe('never disposed\n')
  })
})

test('the command line replays a trace without the backend', async () => {
  const manifest = JSON.parse(await readFile(join(dir(), 'package.json'), 'utf8')) as {
    bin: { chartroom: string }
  }
  const program = join(dir(), manifest.bin.chartroom)
  expect(await readFile(program, 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/)
  const trace = join(root, 'tests/traces/session-af32746f9a2a69bd.jsonl.gz')
  const { stdout } = await run(process.execPath, [program, 'replay', trace], { cwd: out })
  expect(stdout).toMatch(/^EXACT {4}\S+\n/)
  const inWorkers = await run(process.execPath, [program, 'replay', trace, trace, '--workers', '2'], {
    cwd: out,
  })
  expect(inWorkers.stdout).toBe(stdout + stdout)
  const page = join(out, 'session.html')
  await run(process.execPath, [program, 'export', trace, '--to', 'html', '--out', page], { cwd: out })
  const viewer = await readFile(page, 'utf8')
  expect(viewer).toContain('<title>session-af32746f9a2a69bd.jsonl.gz – Chartroom</title>')
  expect(viewer.length).toBeLessThan(1_450_000)
  const help = await run(process.execPath, [program, '--help'], { cwd: out })
  expect(help.stdout).toContain('run the embedded backend, from @chartroom/backend')
  const loaded = run(process.execPath, [program, 'backend'], { cwd: out })
  await expect(loaded).rejects.toMatchObject({
    stderr: expect.stringContaining('dist-packages/chartroom-backend.tgz') as string,
  })
})

test('the manifest declares everything that its files import', async () => {
  expect(await undeclaredImports(dir())).toEqual([])
  // Types, a bundler that passes its parser, and native parts: none is imported.
  expect(await missingPeers(dir())).toEqual([
    'oxc-walker: @oxc-project/types',
    'oxc-walker: rolldown',
    'valibot: typescript',
    'ws: bufferutil',
    'ws: utf-8-validate',
  ])
})

test('no file has a command that downloads a package of this name, or an address that others could own', async () => {
  const problems: string[] = []
  for await (const file of glob('**/*.{js,d.ts,md,html,json,css}', { cwd: dir() })) {
    const text = await readFile(join(dir(), file), 'utf8')
    problems.push(...downloads(text).map(name => `${file}: ${name}`))
    // Of bundled libraries, texts name their own sites.
    if (!/^(?:ui[\\/]bundle|console-page|vite[\\/]page)[\\/]|viewer\.html$/.test(file))
      problems.push(...[...strangeHosts(text), ...strangeOwners(text)].map(name => `${file}: ${name}`))
  }
  expect(problems).toEqual([])
  const page = await readFile(join(dir(), 'docs/guide/cli.md'), 'utf8')
  expect(page).toContain('./node_modules/.bin/chartroom <command>')
  expect(page).not.toContain('npm run -s chartroom')
})

describe('installed by npm in an empty folder outside of the repository', () => {
  let app: App = { folder: '', nodeFolder: dirname(process.execPath) }

  beforeAll(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'chartroom-installed-'))
    app = { ...app, folder: join(folder, 'app') }
    await writeApp(app.folder, { chartroom: await packFolder(dir(), folder) }, PLAIN)
    const { code, text } = await runInApp(app, 'npm', NPM_INSTALL)
    expect([code, text]).toEqual([0, expect.anything()])
    // It downloads what npm's cache lacks.
  }, 300_000)
  afterAll(() => rm(dirname(app.folder), { recursive: true, force: true }))

  test.each(Object.entries(CLIENT_STEPS))('its program works: %s', async (_, step) => {
    await step(app)
  })

  test('each entry that needs no framework is imported', async () => {
    await importEntries(app, clientEntries({ withFrameworks: false }))
  })

  test('the help names the path of the installed program', async () => {
    const { text } = await runInApp(app, './node_modules/.bin/chartroom', ['--help'])
    expect(text).toContain('./node_modules/.bin/chartroom <command>')
  })

  test('on an older Node, its program prints what it needs', async () => {
    const problem =
      'chartroom needs Node 22.13 or newer, but this is Node 20.19.0: install a newer one, for example from https://nodejs.org.\n'
    expect(await runOnOldNode(app, 'node_modules/chartroom/cli/bin.js')).toEqual({ code: 1, text: problem })
  })
})

test('files that modules load by URL exist', async () => {
  const found: string[] = []
  for await (const file of glob('**/*.js', { cwd: dir() })) {
    const text = await readFile(join(dir(), file), 'utf8')
    for (const [, address = ''] of text.matchAll(/new URL\(['"`]([^'"`]+)['"`],\s*import\.meta\.url\)/g)) {
      // Bundled files have a content hash in their name.
      found.push(address.replace(/-[\w-]{8}(?=\.js$)/, ''))
      await expect(access(join(dir(), dirname(file), address))).resolves.toBeUndefined()
    }
  }
  expect([...new Set(found)].sort()).toEqual([
    '..',
    '../cli/bin.js',
    './page/client.js',
    './page/window.js',
    './replay-worker.js',
    './store-worker.js',
    'assets/checks-worker.js',
    'assets/elk-worker.min.js',
    'assets/trace-worker.js',
    'checks-worker.js',
    'elk-worker.min.js',
    'trace-worker.js',
  ])
})

test('machines without descriptions are drawn the same as with them', async () => {
  const built = (file: string) =>
    import(pathToFileURL(join(dir(), 'services', file)).href) as Promise<unknown>
  const { machineCharts: draw } = (await built('runtime/machine-chart.js')) as {
    machineCharts: typeof machineCharts
  }
  const { composeClient: compose, declaredPorts: ports } = (await built('client/compose-client.js')) as {
    composeClient: typeof composeClient
    declaredPorts: ClientPorts
  }
  expect(draw(compose(ports))).toEqual(machineCharts(composeClient(declaredPorts)))
  const { CHART_LABELS } = (await built('runtime/chart-labels.js')) as {
    CHART_LABELS: Record<string, string>
  }
  const sentences = Object.values(CHART_LABELS)
  expect(sentences.length).toBeGreaterThan(50)
  const left: string[] = []
  // Apps do not load the specifications.
  for await (const file of glob('machines/**/*.js', { cwd: dir(), exclude: ['**/*-spec.js'] })) {
    const text = await readFile(join(dir(), file), 'utf8')
    left.push(...sentences.filter(sentence => text.includes(sentence)))
  }
  expect(left).toEqual([])
})

test('the console renders nothing without a browser and includes its styles', async () => {
  const code = `
    import { createElement } from 'react'
    import { renderToString } from 'react-dom/server'
    import { ChartroomConsole, attach } from ${JSON.stringify(url('public/console'))}
    import { createMachine } from 'xstate'
    const { recording } = attach(createMachine({ id: 'lamp' }))
    console.log(renderToString(createElement(ChartroomConsole, { recording })))`
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', code], { cwd: out })
  expect(stdout).toBe('<div style="height:100%;min-height:0"></div>\n')
  const bundle: string[] = []
  for await (const file of glob('ui/bundle/*.js', { cwd: dir() }))
    bundle.push(await readFile(join(dir(), file), 'utf8'))
  expect(bundle.filter(text => text.includes('@scope (.chartroom)'))).toHaveLength(1)
  expect(bundle.join('')).not.toContain('chartroom-console-styles')
})

describe('size', () => {
  test.each(Object.entries(BUDGETS))('%s stays within %i bytes, gzipped', async (entry, budget) => {
    const { initial } = await measure(dir(), entry)
    expect(initial).toBeLessThanOrEqual(budget)
  })

  test.each(Object.keys(TOTALS))('an app with its libraries stays within its budget: %s', async name => {
    const { initial, byPackage } = await measureTotal(dir(), name)
    expect(initial).toBeLessThanOrEqual(TOTALS[name]?.budget ?? Infinity)
    const sum = Object.values(byPackage).reduce((total, bytes) => total + bytes, 0)
    expect(Math.abs(sum - initial)).toBeLessThan(100)
    expect(byPackage['@supabase/auth-js']).toBeGreaterThan(10_000)
  })
})
