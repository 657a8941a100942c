// The packages as apps install them: built once, then imported without a browser, and measured.
import { execFile } from 'node:child_process'
import { access, glob, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { Worker } from 'node:worker_threads'
import { parseSync } from 'oxc-parser'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type App,
  DEVTOOLS_STEPS,
  entriesWith,
  importEntries,
  NPM_INSTALL,
  PLAIN,
  runInApp,
  runOnOldNode,
  writeApp,
} from '../../scripts/installs/trial.ts'
import { runIn } from '../../scripts/matrix/installers.ts'
import { downloads, strangeHosts, strangeOwners } from '../../scripts/outside-names.ts'
import { packBuilt, type Tarballs } from '../../scripts/pack.ts'
import { buildPackages } from '../../scripts/package-build.ts'
import { missingPeers, undeclaredImports } from '../../scripts/package-imports.ts'
import { entriesOf, folderOf, PACKAGE_NAMES, type PackageName } from '../../scripts/package-names.ts'
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
  await buildPackages(out)
  // It compiles everything and bundles five pages: more than two minutes beside two browsers.
}, 300_000)
afterAll(() => rm(out, { recursive: true, force: true }))

const dir = (name: PackageName) => join(out, folderOf(name))
const CLIENT = 'chartroom'
const DEVTOOLS = '@chartroom/devtools'
const url = (name: PackageName, entry: string) => pathToFileURL(join(dir(name), `${entry}.js`)).href

interface BuiltManifest {
  readonly version: string
  readonly dependencies: Readonly<Record<string, string>>
  readonly peerDependencies: Readonly<Record<string, string>>
  readonly peerDependenciesMeta: Readonly<Record<string, object>>
  readonly bin?: Readonly<Record<string, string>>
  readonly [field: string]: unknown
}

const manifestOf = async (name: PackageName) =>
  JSON.parse(await readFile(join(dir(name), 'package.json'), 'utf8')) as BuiltManifest

test('the client has few dependencies and no native one; XState is one copy for both packages', async () => {
  const { dependencies, peerDependencies, peerDependenciesMeta, bin } = await manifestOf(CLIENT)
  expect(dependencies).toEqual({
    '@supabase/postgrest-js': '^2.100.0',
    '@supabase/realtime-js': '^2.100.0',
    idb: '8.0.4',
    'tus-js-client': '4.3.1',
    xstate: '^5.20.0',
  })
  expect(Object.keys(peerDependencies)).toEqual(Object.keys(peerDependenciesMeta))
  expect(bin).toBeUndefined()
})

test('the devtools need the client of the same version and XState, and nothing of supabase-js', async () => {
  const { dependencies, peerDependencies, peerDependenciesMeta, bin, version } = await manifestOf(DEVTOOLS)
  expect(Object.keys(dependencies)).toEqual([
    '@modelcontextprotocol/server',
    'diff',
    'idb',
    'magic-string',
    'oxc-parser',
    'oxc-walker',
    'valibot',
    'ws',
  ])
  const needed = Object.entries(peerDependencies).filter(([name]) => peerDependenciesMeta[name] === undefined)
  expect(Object.fromEntries(needed)).toEqual({ chartroom: version, xstate: '>=5.20.0' })
  expect(bin).toEqual({ chartroom: './cli/bin.js' })
})

test('what the client ships is at most 1 MB without its source maps', async () => {
  const bytes: number[] = []
  for await (const file of glob('**/*', { cwd: dir(CLIENT), withFileTypes: true }))
    if (file.isFile() && !file.name.endsWith('.map'))
      bytes.push((await readFile(join(file.parentPath, file.name))).byteLength)
  expect(bytes.length).toBeGreaterThan(100)
  expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThan(1_000_000)
})

test('no module of the client imports an index that only passes names on', async () => {
  const passing: string[] = []
  for await (const file of glob('**/*.js', { cwd: dir(CLIENT), exclude: ['public/**'] })) {
    const { body } = parseSync(file, await readFile(join(dir(CLIENT), file), 'utf8')).program
    if (body.length > 0 && body.every(({ type }) => type === 'ExportNamedDeclaration'))
      if (body.every(node => 'source' in node && node.source)) passing.push(file)
  }
  expect(passing).toEqual([])
})

test.each(PACKAGE_NAMES)(
  'links of %s point to its files or to the web, and it ships no images',
  async name => {
    const dead: string[] = []
    let links = 0
    for await (const page of glob('**/*.md', { cwd: dir(name) })) {
      const text = await readFile(join(dir(name), page), 'utf8')
      if (/!\[/.test(text)) dead.push(`${page}: an image`)
      for (const [, address = ''] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
        if (/^(?:https:|mailto:|#)/.test(address)) continue
        links += 1
        const [path = '', part] = address.split('#')
        const target = await readFile(join(dir(name), dirname(page), path), 'utf8').catch(() => undefined)
        if (target === undefined || (part !== undefined && !anchorsOf(target).includes(part)))
          dead.push(`${page}: ${address}`)
      }
    }
    expect({ dead, isLinked: links > 10 }).toEqual({ dead: [], isLinked: true })
    const readme = await readFile(join(dir(name), 'README.md'), 'utf8')
    expect(readme).toMatch(/npm install (?:--save-dev )?\.\/chartroom(?:-devtools)?\.tgz/)
    expect(readme).not.toMatch(/npm (?:ci|start|run)/)
  },
)

/** The anchors of a page's headings, as GitHub and npm make them. */
const anchorsOf = (text: string) =>
  [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )

test.each(PACKAGE_NAMES)('the manifest of %s names its license and no address', async name => {
  const manifest = await manifestOf(name)
  expect(manifest).toMatchObject({
    author: 'The Chartroom authors',
    license: 'MIT',
    engines: { node: '>=22.13' },
    publishConfig: { access: 'public', provenance: true },
  })
  expect(Object.keys(manifest).filter(name => /^(?:repository|homepage|bugs|funding)$/.test(name))).toEqual(
    [],
  )
  expect(manifest['keywords']).toContain('xstate')
  expect(await readFile(join(dir(name), 'CHANGELOG.md'), 'utf8')).toContain(`## ${manifest.version}\n`)
})

const allEntries = PACKAGE_NAMES.flatMap(name =>
  Object.values(entriesOf(name)).map(entry => [name, entry] as const),
)

test.each(allEntries.filter(([, entry]) => !entry.endsWith('/console')))(
  'stack traces of %s, %s end in its source: the map has the text',
  async (name, entry) => {
    const map = JSON.parse(await readFile(join(dir(name), `${entry}.js.map`), 'utf8')) as {
      sources: string[]
      sourcesContent: string[]
    }
    const file = `${entry.replace(/.*\//, '')}.ts`
    expect(map.sources.map(source => source.replace(/.*\//, ''))).toEqual([file])
    expect(map.sourcesContent).toEqual([await readFile(join(root, 'src', `${entry}.ts`), 'utf8')])
    expect(await readFile(join(dir(name), `${entry}.js`), 'utf8')).toContain(
      `sourceMappingURL=${file.replace(/\.ts$/, '.js.map')}`,
    )
  },
)

describe('without a browser', () => {
  const GLOBALS = ['window', 'document', 'localStorage', 'sessionStorage', 'WebSocket', 'BroadcastChannel']

  // Vitest cannot be imported outside of its tests.
  const entries = allEntries.filter(([, entry]) => !entry.endsWith('/vitest'))

  /** Imports every entry; returns the browser globals that the package itself accessed. */
  const probe = () => `
    const touched = []
    for (const name of ${JSON.stringify(GLOBALS)}) {
      const look = () => void (new Error().stack.includes(${JSON.stringify(out)}) && touched.push(name))
      Object.defineProperty(globalThis, name, { configurable: true, get: look })
    }
    Promise.all(${JSON.stringify(entries.map(([name, entry]) => url(name, entry)))}.map(entry => import(entry))).then(modules => {
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
      import { createChartroomClient } from ${JSON.stringify(url(CLIENT, 'public/index'))}
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
  const program = join(dir(DEVTOOLS), (await manifestOf(DEVTOOLS)).bin?.['chartroom'] ?? '')
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

test('the manifests declare everything that the files import', async () => {
  for (const name of PACKAGE_NAMES) expect(await undeclaredImports(dir(name))).toEqual([])
  expect(await missingPeers(dir(CLIENT))).toEqual([])
  // Types, a bundler that passes its parser, and native parts: none is imported.
  expect(await missingPeers(dir(DEVTOOLS))).toEqual([
    'oxc-walker: @oxc-project/types',
    'oxc-walker: rolldown',
    'valibot: typescript',
    'ws: bufferutil',
    'ws: utf-8-validate',
  ])
})

test.each(PACKAGE_NAMES)(
  'no file of %s downloads a package by its name, or has an address that others could own',
  async name => {
    const problems: string[] = []
    for await (const file of glob('**/*.{js,d.ts,md,html,json,css}', { cwd: dir(name) })) {
      const text = await readFile(join(dir(name), file), 'utf8')
      problems.push(...downloads(text).map(found => `${file}: ${found}`))
      // Of bundled libraries, texts name their own sites.
      if (!/^(?:ui[\\/]bundle|console-page|vite[\\/]page)[\\/]|viewer\.html$/.test(file))
        problems.push(...[...strangeHosts(text), ...strangeOwners(text)].map(found => `${file}: ${found}`))
    }
    expect(problems).toEqual([])
  },
)

test('types name no package that is optional, but those of the framework of their entry', async () => {
  const found = new Set<string>()
  for (const name of PACKAGE_NAMES) {
    const { peerDependenciesMeta } = await manifestOf(name)
    const optional = Object.keys(peerDependenciesMeta).filter(peer => peer !== '@supabase/supabase-js')
    for await (const file of glob('**/*.d.ts', { cwd: dir(name) })) {
      const text = await readFile(join(dir(name), file), 'utf8')
      for (const [, peer = ''] of text.matchAll(/['"]((?:@[\w-]+\/)?[\w-]+)(?:\/[^'"]*)?['"]/g))
        if (optional.includes(peer)) found.add(`${file.split('/').slice(0, 2).join('/')}: ${peer}`)
    }
  }
  // fast-check is not there: the matchers of `/vitest` are typed without it.
  expect([...found].sort()).toEqual([
    'public/devtools: vitest',
    'services/db: @tanstack/db',
    'services/query: @tanstack/query-core',
    'services/ssr: @supabase/ssr',
    'testing/fixture.d.ts: vitest',
    'testing/playwright: @playwright/test',
    'ui/console: react',
    'ui/devtools-react: @xstate/react',
    'ui/devtools-react: react',
    'ui/react: react',
    'ui/svelte: svelte',
    'ui/vue: vue',
    'vite-alias/plugin.d.ts: vite',
    'vite/plugin.d.ts: vite',
  ])
})

test('the guide of the command line names the installed program', async () => {
  const page = await readFile(join(dir(DEVTOOLS), 'docs/guide/cli.md'), 'utf8')
  expect(page).toContain('./node_modules/.bin/chartroom <command>')
  expect(page).not.toContain('npm run -s chartroom')
})

describe('installed by npm in an empty folder outside of the repository', () => {
  let tarballs: Tarballs = {}
  let folder = ''
  let app: App = { folder: '', nodeFolder: dirname(process.execPath) }

  async function install(name: string, packed: Tarballs, packages: readonly string[]): Promise<App> {
    const installed = { ...app, folder: join(folder, name) }
    await writeApp(installed.folder, packed, packages)
    const { code, text } = await runInApp(installed, 'npm', NPM_INSTALL)
    expect([code, text]).toEqual([0, expect.anything()])
    return installed
  }

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'chartroom-installed-'))
    tarballs = await packBuilt(out, PACKAGE_NAMES)
    app = await install('app', tarballs, PLAIN)
    // It downloads what npm's cache lacks.
  }, 300_000)
  afterAll(() => rm(folder, { recursive: true, force: true }))

  test.each(Object.entries(DEVTOOLS_STEPS))('its program works: %s', async (_, step) => {
    await step(app)
  })

  test('each entry that needs no framework is imported', async () => {
    await importEntries(app, entriesWith('supabase-js'))
  })

  test("the Vite plugin records the app's machines, and not those inside of the client", async () => {
    const code = `import { realpathSync } from 'node:fs'
      import { chartroomConsole } from '@chartroom/devtools/vite'
      const plugin = chartroomConsole()
      plugin.config.call({ meta: {} }, { root: process.cwd() }, { mode: 'development' })
      const folder = realpathSync(process.cwd()) + '/'
      const isRecorded = importer => plugin.resolveId('xstate', folder + importer, {}) !== undefined
      const importers = ['src/main.ts', 'node_modules/@xstate/react/dist/index.js', 'node_modules/chartroom/services/client/runner.js']
      console.log(JSON.stringify(importers.map(isRecorded)))`
    const { text } = await runInApp(app, 'node', ['--input-type=module', '-e', code])
    expect(text).toBe('[true,true,false]\n')
  })

  test(
    'the client alone is installed without the devtools, and a native package',
    { timeout: 120_000 },
    async () => {
      const { chartroom = '' } = tarballs
      const client = await install('client', { chartroom }, ['@supabase/supabase-js'])
      const code = `import { createChartroomClient } from 'chartroom'
      const client = createChartroomClient('http://127.0.0.1:9', 'k')
      console.log(typeof client.supabase.from)
      await client.dispose()`
      const { text } = await runInApp(client, 'node', ['--input-type=module', '-e', code])
      expect(text).toBe('function\n')
      const installed: string[] = []
      for await (const file of glob('node_modules/**/*', { cwd: client.folder })) installed.push(file)
      expect(installed.filter(file => /\.node$|oxc-|devtools/.test(file))).toEqual([])
    },
  )

  test(
    'an app of XState alone records, replays and tests without supabase-js',
    { timeout: 120_000 },
    async () => {
      const machines = await install('machines', tarballs, ['xstate', 'vite', 'vitest'])
      await expect(access(join(machines.folder, 'node_modules/@supabase/supabase-js'))).rejects.toThrow(
        'ENOENT',
      )
      for (const step of Object.values(DEVTOOLS_STEPS)) await step(machines)
      await importEntries(machines, entriesWith('XState alone'))
      const copies: string[] = []
      for await (const file of glob('node_modules/**/xstate/package.json', { cwd: machines.folder }))
        copies.push(file)
      expect(copies).toEqual([join('node_modules', 'xstate', 'package.json')])
    },
  )

  test('the help names the path of the installed program', async () => {
    const { text } = await runInApp(app, './node_modules/.bin/chartroom', ['--help'])
    expect(text).toContain('./node_modules/.bin/chartroom <command>')
  })

  test('on an older Node, its program prints what it needs', async () => {
    const problem =
      'chartroom needs Node 22.13 or newer, but this is Node 20.19.0: install a newer one, for example from https://nodejs.org.\n'
    expect(await runOnOldNode(app, 'node_modules/@chartroom/devtools/cli/bin.js')).toEqual({
      code: 1,
      text: problem,
    })
  })
})

describe('create-chartroom', () => {
  let folder = ''
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'chartroom-create-'))
    await packBuilt(out, PACKAGE_NAMES)
    // That it is there is checked; it is not installed.
    await writeFile(join(out, 'chartroom-backend.tgz'), '')
  }, 60_000)
  afterAll(() => rm(folder, { recursive: true, force: true }))

  const create = (...args: readonly string[]) =>
    runIn(folder, process.execPath, [join(out, 'create-chartroom/cli/create-bin.js'), ...args])

  test.each(['next', 'react', 'sveltekit', 'vue', 'xstate'])(
    '%s: an app that names nothing outside of it',
    async name => {
      const { code, text } = await create(`My ${name}`, '--template', name, '--packed', out)
      expect([code, text]).toEqual([0, expect.stringContaining(`cd My ${name}\n  npm install\n`)])
      const app = join(folder, `My ${name}`)
      const read = (file: string) => readFile(join(app, file), 'utf8')
      const manifest = JSON.parse(await read('package.json')) as Record<string, Record<string, string>>
      expect(manifest['name']).toBe(`my-${name}`)
      const dependencies = Object.entries({ ...manifest['dependencies'], ...manifest['devDependencies'] })
      const files = dependencies.filter(([each]) => /chartroom/.test(each)).map(([, file]) => file)
      for (const file of files) await access(join(app, file.replace('file:', '')))
      expect(files.length).toBeGreaterThan(1)
      expect(await read('.gitignore')).toContain('node_modules\n')
      const commands =
        /```sh\n(.*?)```/s
          .exec(await read('README.md'))?.[1]
          ?.trim()
          .split('\n') ?? []
      for (const command of commands.slice(1)) {
        const script = command.replace(/^npm (?:run )?(?:-s )?/, '')
        expect(manifest['scripts']).toHaveProperty(script)
      }
      const outside: string[] = []
      for await (const file of glob('**/*', { cwd: app, withFileTypes: true })) {
        const path = join(file.parentPath, file.name)
        if (
          file.isFile() &&
          /\.\.\/(?:\.\.|project)/.test((await readFile(path, 'utf8')).replaceAll(/"file:[^"]*"/g, ''))
        )
          outside.push(path)
        if (file.name.startsWith('_')) outside.push(path)
      }
      expect(outside).toEqual([])
      expect(name === 'xstate' || (await read('.env')).includes('SUPABASE_URL')).toBe(true)
      expect(name === 'xstate' || (await read('supabase/seed.sql')).includes('ada@example.com')).toBe(true)
    },
  )

  test('the xstate app records, replays and passes its tests', { timeout: 240_000 }, async () => {
    await create('machines', '--template', 'xstate', '--packed', out)
    const app = { folder: join(folder, 'machines'), nodeFolder: dirname(process.execPath) }
    expect(await runInApp(app, 'npm', NPM_INSTALL)).toMatchObject({ code: 0 })
    for (const script of ['types', 'start', 'replay', 'test']) {
      const { code, text } = await runInApp(app, 'npm', ['run', script])
      expect([script, code, code === 0 ? '' : text]).toEqual([script, 0, ''])
    }
  })

  test.each([
    [
      ['full', '--template', 'react'],
      'full is not empty: it has notes.txt. Name another folder; nothing was written.',
    ],
    [['new', '--template', 'raect'], 'Did you mean "react"?'],
    [['new'], '--template react|next|sveltekit|vue|xstate is missing'],
    [[], 'DIR is missing'],
    [['new', '--template', 'vue', '--packed', 'nowhere'], 'nothing was written'],
  ])('%j is refused', async (args, message) => {
    await mkdir(join(folder, 'full'), { recursive: true })
    await writeFile(join(folder, 'full/notes.txt'), 'mine')
    const { code, text } = await create(...args)
    expect([code, text]).toEqual([2, expect.stringContaining(message)])
    expect(await readdir(join(folder, 'full'))).toEqual(['notes.txt'])
    await expect(access(join(folder, 'new'))).rejects.toThrow('ENOENT')
  })
})

test('files that modules load by URL exist', async () => {
  const found: string[] = []
  for await (const file of glob('**/*.js', { cwd: dir(DEVTOOLS) })) {
    const text = await readFile(join(dir(DEVTOOLS), file), 'utf8')
    for (const [, address = ''] of text.matchAll(/new URL\(['"`]([^'"`]+)['"`],\s*import\.meta\.url\)/g)) {
      // Bundled files have a content hash in their name.
      found.push(address.replace(/-[\w-]{8}(?=\.js$)/, ''))
      await expect(access(join(dir(DEVTOOLS), dirname(file), address))).resolves.toBeUndefined()
    }
  }
  expect([...new Set(found)].sort()).toEqual([
    '..',
    '../cli/bin.js',
    './code-worker.js',
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
  const built = (name: PackageName, file: string) =>
    import(pathToFileURL(join(dir(name), 'services', file)).href) as Promise<unknown>
  const { machineCharts: draw } = (await built(DEVTOOLS, 'runtime/machine-chart.js')) as {
    machineCharts: typeof machineCharts
  }
  const { composeClient: compose, declaredPorts: ports } = (await built(
    DEVTOOLS,
    'client/compose-client.js',
  )) as {
    composeClient: typeof composeClient
    declaredPorts: ClientPorts
  }
  expect(draw(compose(ports))).toEqual(machineCharts(composeClient(declaredPorts)))
  const { CHART_LABELS } = (await built(DEVTOOLS, 'client/chart-labels.js')) as {
    CHART_LABELS: Record<string, string>
  }
  const sentences = Object.values(CHART_LABELS)
  expect(sentences.length).toBeGreaterThan(50)
  const left: string[] = []
  for await (const file of glob('machines/**/*.js', { cwd: dir(CLIENT) })) {
    const text = await readFile(join(dir(CLIENT), file), 'utf8')
    left.push(...sentences.filter(sentence => text.includes(sentence)))
  }
  expect(left).toEqual([])
})

test('the console renders nothing without a browser and includes its styles', async () => {
  const code = `
    import { createElement } from 'react'
    import { renderToString } from 'react-dom/server'
    import { ChartroomConsole, attach } from ${JSON.stringify(url(DEVTOOLS, 'public/devtools/console'))}
    import { createMachine } from 'xstate'
    const { recording } = attach(createMachine({ id: 'lamp' }))
    console.log(renderToString(createElement(ChartroomConsole, { recording })))`
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', code], { cwd: out })
  expect(stdout).toBe('<div style="height:100%;min-height:0"></div>\n')
  const bundle: string[] = []
  for await (const file of glob('ui/bundle/*.js', { cwd: dir(DEVTOOLS) }))
    bundle.push(await readFile(join(dir(DEVTOOLS), file), 'utf8'))
  expect(bundle.filter(text => text.includes('@scope (.chartroom)'))).toHaveLength(1)
  expect(bundle.join('')).not.toContain('chartroom-console-styles')
})

describe('size', () => {
  test.each(Object.entries(BUDGETS))('%s stays within %i bytes, gzipped', async (statement, budget) => {
    const { initial } = await measure(out, statement)
    expect(initial).toBeLessThanOrEqual(budget)
  })

  test.each(Object.keys(TOTALS))('an app with its libraries stays within its budget: %s', async name => {
    const { initial, byPackage } = await measureTotal(out, name)
    expect(initial).toBeLessThanOrEqual(TOTALS[name]?.budget ?? Infinity)
    const sum = Object.values(byPackage).reduce((total, bytes) => total + bytes, 0)
    expect(Math.abs(sum - initial)).toBeLessThan(100)
    expect(byPackage['@supabase/postgrest-js']).toBeGreaterThan(2_000)
  })
})
