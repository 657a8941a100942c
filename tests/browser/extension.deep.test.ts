// The browser extension, loaded in Chromium: its panel records a page that knows nothing of it.
import { createHash } from 'node:crypto'
import { mkdtemp, readFile, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import { chromium, type BrowserContext, type Page } from 'playwright-core'
import { build, type Rolldown } from 'vite'
import { expect, test as base } from 'vitest'
import { chromiumForTests } from '../../scripts/chromium.ts'
import { buildExtension } from '../../scripts/extension.ts'
import { root } from '../../scripts/tool.ts'
import { axeComplaints } from '../harness/axe.ts'
import { CHROMIUM_FLAGS } from '../harness/browser.ts'
import { PATIENCE } from '../harness/shared-page.ts'

interface Loaded {
  readonly context: BrowserContext
  /** The folder that was loaded. */
  readonly folder: string
  /** The extension's address. */
  readonly url: string
}

const test = base.extend('loaded', async ({}, { onCleanup }): Promise<Loaded> => {
  const executablePath = await chromiumForTests()
  const around = await realpath(await mkdtemp(join(tmpdir(), 'chartroom-')))
  const folder = join(around, 'extension')
  await buildExtension(folder)
  const context = await chromium.launchPersistentContext(join(around, 'profile'), {
    executablePath,
    args: [...CHROMIUM_FLAGS, `--disable-extensions-except=${folder}`, `--load-extension=${folder}`],
    ignoreDefaultArgs: ['--disable-extensions'],
  })
  onCleanup(async () => {
    await context.close()
    await rm(around, { recursive: true, force: true })
  })
  // Chromium derives the id of an unpacked extension from its path.
  const hash = createHash('sha256').update(folder).digest('hex').slice(0, 32)
  const id = Array.from(hash, digit => String.fromCharCode(97 + Number.parseInt(digit, 16))).join('')
  return { context, folder, url: `chrome-extension://${id}/` }
})

/** A production build of the app, minified. */
async function serveApp(context: BrowserContext, origin: string): Promise<void> {
  const { NODE_ENV } = process.env
  process.env['NODE_ENV'] = 'production'
  const result = await build({
    configFile: false,
    logLevel: 'silent',
    root: join(root, 'tests/harness/vite-app'),
    plugins: [react()],
    build: { write: false },
  }).finally(() => {
    process.env['NODE_ENV'] = NODE_ENV
  })
  const { output } = result as Rolldown.RolldownOutput
  await context.route(`${origin}**`, route => {
    const path = new URL(route.request().url()).pathname.slice(1) || 'index.html'
    const part = output.find(({ fileName }) => fileName === path)
    if (!part) return route.fulfill({ status: 404 })
    const body = part.type === 'chunk' ? part.code : Buffer.from(part.source)
    const contentType = path.endsWith('.html') ? 'text/html' : 'text/javascript'
    return route.fulfill({ body, contentType })
  })
}

/** Opens the panel in a tab, with what the developer tools offer to it for the page `app`. */
async function openPanel(context: BrowserContext, url: string, app: Page): Promise<Page> {
  const panel = await context.newPage()
  panel.setDefaultTimeout(PATIENCE)
  await panel.exposeFunction('runInApp', (code: string) => app.evaluate(code))
  await panel.exposeFunction('reloadApp', async (script: string) => {
    await app.addInitScript(script)
    await app.reload()
  })
  await panel.addInitScript(() => {
    const host = globalThis as unknown as {
      chrome: object
      runInApp: (code: string) => Promise<unknown>
      reloadApp: (script: string) => Promise<void>
    }
    host.chrome = {
      devtools: {
        inspectedWindow: {
          eval: async (code: string, done: (result: unknown, failure?: object) => void) => {
            try {
              done(await host.runInApp(code))
            } catch (error) {
              done(undefined, { value: error })
            }
          },
          reload: ({ injectedScript }: { injectedScript: string }) => void host.reloadApp(injectedScript),
        },
        network: { onNavigated: { addListener: () => undefined } },
      },
    }
  })
  await panel.goto(`${url}panel.html`)
  return panel
}

test('the panel records an unprepared production build from its start, without any permission', async ({
  loaded: { context, folder, url },
}) => {
  const manifest = JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8')) as Record<
    string,
    unknown
  >
  for (const name of ['permissions', 'host_permissions', 'content_scripts', 'background'])
    expect(manifest).not.toHaveProperty(name)
  expect(manifest['devtools_page']).toBe('devtools.html')

  const origin = 'http://app.test/'
  await serveApp(context, origin)
  const app = await context.newPage()
  await app.goto(origin)
  const panel = await openPanel(context, url, app)
  const sent: string[] = []
  panel.on('request', request => void sent.push(request.url()))
  await panel.getByRole('heading', { name: 'This page is not recorded yet' }).waitFor()
  expect(await axeComplaints(panel)).toEqual([])
  await panel.getByRole('button', { name: 'Reload and record' }).click()
  const log = panel.getByRole('treegrid', { name: 'Event log' })
  await log.getByText('xstate.init', { exact: true }).first().waitFor()
  await app.getByRole('button', { name: 'Lamp: off' }).click()
  await app.getByRole('button', { name: 'Tick' }).click()
  await log.getByText('switch', { exact: true }).waitFor()
  await log.getByText('tick', { exact: true }).waitFor()
  const actors = panel.getByRole('treegrid').or(panel.getByRole('tree'))
  await actors.getByText('lamp').first().waitFor()
  await actors.getByText('clock').first().waitFor()
  expect(await axeComplaints(panel)).toEqual([])
  // The hook leaves no trace in the objects of the page.
  expect(await app.evaluate(() => Object.keys(Object.prototype))).toEqual([])
  expect(sent.filter(address => !address.startsWith(url) && !address.startsWith('data:'))).toEqual([])
})
