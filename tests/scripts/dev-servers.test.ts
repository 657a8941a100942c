// Development servers serve nothing from a data folder inside the project.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { dirname, join, relative } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createServer, loadConfigFromFile } from 'vite'
import { openDataDirectory, type DataDirectory } from '../../backend/shared/data-directory.ts'
import { startTour } from '../../scripts/tour-server.ts'
import { root } from '../../scripts/tool.ts'

const CLUSTER = 'database/base/5/2619'
const OBJECT = 'objects/0a/0a1b2c3d-0000-4000-8000-000000000000'
const SECRET = 'rows-of-the-developer'
const FILES = ['secrets.json', 'database/PG_VERSION', CLUSTER, OBJECT]

interface Served {
  readonly url: string
  stop(): Promise<void>
}

let around: string
let data: DataDirectory
let readable: string
let servers: Readonly<Record<string, Served>>

beforeAll(async () => {
  await mkdir(join(root, '.tour'), { recursive: true })
  around = await mkdtemp(join(root, '.tour/'))
  readable = join(around, 'readable.json')
  await writeFile(readable, 'data')
  // A neutral name, as `--data` may specify.
  data = openDataDirectory(join(around, 'harbour-data'))
  for (const file of FILES.slice(1)) {
    await mkdir(dirname(join(data.path, file)), { recursive: true })
    await writeFile(join(data.path, file), SECRET)
  }
  servers = { 'npm run dev': await startDev(), 'npm run tour': await startTour({ port: 0 }) }
})

afterAll(async () => {
  data.release()
  await Promise.all(Object.values(servers).map(server => server.stop()))
  await rm(around, { recursive: true, force: true })
})

/** The project's configuration without the plugin that starts the backend. */
async function startDev(): Promise<Served> {
  const loaded = await loadConfigFromFile(
    { command: 'serve', mode: 'development' },
    join(root, 'vite.config.ts'),
  )
  const plugins = (loaded?.config.plugins ?? []).filter(
    plugin => !(plugin && 'name' in plugin && plugin.name === 'chartroom-backend'),
  )
  const server = await createServer({
    ...loaded?.config,
    configFile: false,
    root,
    plugins,
    cacheDir: join(around, 'cache'),
    logLevel: 'silent',
    appType: 'custom',
    optimizeDeps: { noDiscovery: true, include: [] },
    server: { host: '127.0.0.1', port: 0, watch: null, ws: false },
  })
  await server.listen()
  return { url: server.resolvedUrls?.local[0] ?? '', stop: () => server.close() }
}

interface Answer {
  readonly status: number | undefined
  readonly body: string
}

/** Uses http, since `fetch` normalizes dots before sending. */
function get(url: string, path: string): Promise<Answer> {
  const { port } = new URL(url)
  return new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port, path }, response => {
      let body = ''
      response.on('data', chunk => (body += chunk))
      response.on('end', () => resolve({ status: response.statusCode, body }))
    })
      .on('error', reject)
      .end()
  })
}

const SUFFIXES = [
  '',
  '?raw',
  '?url',
  '?import',
  '?import&raw',
  '?inline',
  '?raw??',
  '?.svg?.wasm?init',
  '?direct',
]

/** The URL forms in which Vite accepts a file. */
const addressesOf = (file: string): string[] => {
  const inside = `/${relative(root, file)}`
  return [
    inside,
    `/@fs${file}`,
    `/@fs/${file}`,
    `/@id/${file}`,
    `/.//${inside.slice(1)}`,
    inside.replace('secrets.json', 'SECRETS.JSON'),
    inside.replace('s.json', '%73.json'),
    inside.replace('secrets', 'secre%74s'),
    `/@fs${file}`.replaceAll('.', '%2e'),
    `/@fs${file}`.replaceAll('/', '%2F').replace('%2F', '/').replace('%2F', '/'),
    `/src/..${inside}`,
    `${inside}/`,
    `${inside}%00`,
  ]
}

describe.each(['npm run dev', 'npm run tour'])('%s', name => {
  test('serves other files of the project', async () => {
    const { url } = servers[name] ?? { url: '' }
    expect(await get(url, `/@fs${readable}`)).toEqual({ status: 200, body: 'data' })
  })

  test.each(FILES)('does not serve %s of a data folder', async file => {
    const { url } = servers[name] ?? { url: '' }
    const { secretKey, jwtSecret } = data.secrets
    const content = file === 'secrets.json' ? [secretKey, jwtSecret] : [SECRET]
    for (const address of addressesOf(join(data.path, file))) {
      for (const suffix of SUFFIXES) {
        const { status, body } = await get(url, address + suffix)
        const isServed =
          status === 200 && content.some(text => body.includes(text) || body.includes(btoa(text)))
        expect([address + suffix, isServed]).toEqual([address + suffix, false])
      }
    }
  })
})
