// The documentation site, built once by its own command and served as plain files below a base path.
import { mkdtemp, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { serve } from '@hono/node-server'
import { serveStatic } from '@hono/node-server/serve-static'
import { Hono } from 'hono'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect } from 'vitest'
import { runTool } from '../../scripts/tool.ts'
import { axeComplaints, COLOR_RULES } from '../harness/axe.ts'
import { withBrowser } from '../harness/browser.ts'
import { atFileEnd } from '../harness/endings.ts'
import { watchPage } from '../harness/page-watch.ts'
import { PATIENCE } from '../harness/shared-page.ts'

const BASE = '/chartroom/'

async function build(): Promise<string> {
  const out = await mkdtemp(join(tmpdir(), 'chartroom-site-'))
  const { code, output } = await runTool(
    'node',
    [
      '--import',
      './scripts/node-version.js',
      'scripts/evidence.ts',
      'docs-site',
      '--base',
      BASE,
      '--out',
      out,
    ],
    { env: { NODE_ENV: 'production' } },
  )
  if (code === 0) return out
  await rm(out, { recursive: true })
  throw new Error(`The site could not be built:\n${output}`)
}

let out = ''

// The console and the pages take longer than a test may.
beforeAll(async () => {
  out = await build()
}, 480_000)

afterAll(() => rm(out, { recursive: true, force: true }))

const test = withBrowser.extend('site', { scope: 'file' }, async () => {
  const files = new Hono()
  files.get(`${BASE}*`, serveStatic({ root: out, rewriteRequestPath: path => `/${path.slice(BASE.length)}` }))
  const server = serve({ fetch: files.fetch, hostname: '127.0.0.1', port: 0 })
  await new Promise(resolve => server.once('listening', resolve))
  atFileEnd(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}${BASE}`
})

interface Look {
  readonly colorScheme?: 'light' | 'dark'
  readonly width?: number
}

/** Runs with a page that must report no errors and may only load files of the site. */
async function withPage(
  browser: Browser,
  site: string,
  { colorScheme = 'light', width = 1280 }: Look,
  visit: (page: Page) => Promise<void>,
): Promise<void> {
  const context = await browser.newContext({
    reducedMotion: 'reduce',
    colorScheme,
    viewport: { width, height: 900 },
  })
  try {
    const page = await context.newPage()
    page.setDefaultTimeout(PATIENCE)
    const watch = watchPage(page)
    const strangers: string[] = []
    page.on('request', request => {
      const url = request.url()
      if (!url.startsWith(site) && !/^(?:blob|data):/.test(url)) strangers.push(url)
    })
    await visit(page)
    expect(strangers).toEqual([])
    expect(watch.problems()).toEqual([])
  } finally {
    await context.close()
  }
}

const logOf = (page: Pick<Page, 'getByRole'>) => page.getByRole('treegrid', { name: 'Event log' })

test('from the home page, a reader finds a guide, a name of the API and a word', async ({
  browser,
  site,
}) => {
  await withPage(browser, site, {}, async page => {
    await page.goto(site)
    await page.getByRole('heading', { level: 1, name: /every behavior is a statechart/ }).waitFor()
    await page.getByRole('link', { name: 'Requests', exact: true }).click()
    await page.waitForURL(`${site}guide/requests.html`)
    await page.getByRole('heading', { level: 1, name: 'Requests' }).waitFor()

    await page.getByRole('banner').getByRole('link', { name: 'API', exact: true }).click()
    await page.getByRole('main').getByRole('link', { name: 'useSession', exact: true }).first().click()
    await page.waitForURL(`${site}api/react.html#usesession`)
    const heading = page.getByRole('heading', { level: 3, name: 'useSession' })
    await expect
      .poll(() => heading.evaluate(one => Math.round(one.getBoundingClientRect().top)))
      .toBeLessThan(300)

    await page.keyboard.press('Control+k')
    await page.getByRole('searchbox').fill('refresh')
    const results = page.getByRole('listbox').getByRole('option')
    await results.first().waitFor()
    expect((await results.allInnerTexts()).join('\n').toLowerCase()).toContain('refresh')
    await results.first().click()
    await page.getByRole('searchbox').waitFor({ state: 'detached' })
    expect(page.url()).not.toContain('api/react.html#usesession')
    expect((await page.getByRole('main').innerText()).toLowerCase()).toContain('refresh')
  })
})

test('each page names its Markdown, and llms.txt lists it', async ({ site }) => {
  const text = async (path: string) => {
    const response = await fetch(new URL(path, site))
    expect([path, response.status]).toEqual([path, 200])
    return response.text()
  }
  const listed = [...(await text('llms.txt')).matchAll(/^- \[.*?\]\(([^)]+)\)/gm)].map(
    ([, path = '']) => path,
  )
  expect(listed.length).toBeGreaterThan(100)
  for (const path of listed) {
    const html = await text(path.replace(/\.md$/, '.html'))
    expect(html).toContain(`<link rel="alternate" href="${BASE}${path}" type="text/markdown">`)
    expect(await text(path)).toMatch(/^# /)
  }
})

test('a name of the API is found by searching', async ({ browser, site }) => {
  await withPage(browser, site, {}, async page => {
    await page.goto(`${site}guide/cli.html`)
    const box = page.getByRole('searchbox')
    // The key has an effect once the scripts of the page have run.
    await expect
      .poll(async () => {
        if (!(await box.isVisible())) await page.keyboard.press('Control+k')
        return box.isVisible()
      })
      .toBe(true)
    await box.fill('useSuspenseRequest')
    const found = page
      .getByRole('listbox')
      .getByRole('option', { name: /chartroom\/react.*useSuspenseRequest/s })
    await found.first().click()
    await page.waitForURL(`${site}api/react.html#usesuspenserequest`)
  })
})

test('the console opens a recording, replays it and follows the theme, from static files', async ({
  browser,
  site,
}) => {
  await withPage(browser, site, { width: 1440 }, async page => {
    await page.goto(`${site}try.html`)
    const frame = page.frameLocator('iframe')
    await logOf(frame).getByText('token.expired').first().waitFor()
    await frame.getByText(/^event 143 of \d+ \(not at end\)$/).waitFor()
    await frame.getByRole('tab', { name: /^Checks/ }).waitFor()
    await page.getByRole('switch', { name: 'Appearance' }).first().click()
    await expect.poll(() => frame.locator('html').getAttribute('data-theme')).toBe('dark')

    await page.getByRole('button', { name: 'Signed out at night' }).click()
    await frame.getByText('event 88 of 91 (not at end)').waitFor()
    await page.getByRole('button', { name: 'Live' }).click()
    await frame.getByRole('button', { name: 'Begin the watch' }).click()
    await frame.getByText('Mary is on watch.').waitFor()
    await logOf(frame).getByText('session.begun').first().waitFor()
  })
  await withPage(browser, site, { width: 1440 }, async page => {
    for (const trace of ['token-expires-offline', 'signed-out']) {
      await page.goto(`${site}console/index.html?trace=../traces/${trace}.trace.gz&view=divergence`)
      await page.getByRole('button', { name: 'Verify by replay' }).click()
      await page.getByText('Every step is identical').waitFor()
    }
  })
})

test('a trace that is missing, broken or on another site is refused with a reason', async ({
  browser,
  site,
}) => {
  const context = await browser.newContext()
  try {
    const page = await context.newPage()
    page.setDefaultTimeout(PATIENCE)
    const strangers: string[] = []
    page.on('request', request => void (request.url().startsWith(site) || strangers.push(request.url())))
    const open = (trace: string) => page.goto(`${site}console/index.html?trace=${encodeURIComponent(trace)}`)
    await open('../traces/none.trace.gz')
    await page
      .getByRole('alert')
      .getByText('none.trace.gz could not be loaded: the server responded 404.')
      .waitFor()
    await open('https://other.test/a.trace.gz')
    await page
      .getByRole('alert')
      .getByText(/is not on this site. Only traces from/)
      .waitFor()
    await open('../favicon.svg')
    await page
      .getByRole('alert')
      .getByText(/favicon.svg was not opened\./)
      .waitFor()
    expect(strangers.filter(url => !url.startsWith('blob:'))).toEqual([])
  } finally {
    await context.close()
  }
})

test.for(['', 'guide/requests.html', 'api/react.html', 'try.html'])(
  'axe finds nothing on "%s" in either theme, and it fits a phone',
  async (path, { browser, site }) => {
    for (const [colorScheme, rules] of [['light'], ['dark', COLOR_RULES]] as const)
      await withPage(browser, site, { colorScheme }, async page => {
        await page.goto(site + path)
        await page.getByRole('heading', { level: 1 }).waitFor()
        if (path === 'try.html')
          await logOf(page.frameLocator('iframe')).getByText('token.expired').first().waitFor()
        expect(await axeComplaints(page, undefined, rules)).toEqual([])
        if (colorScheme === 'dark') return
        await page.setViewportSize({ width: 390, height: 900 })
        const overflow = () =>
          page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
        expect(await overflow()).toBe(0)
        expect(await axeComplaints(page)).toEqual([])
      })
  },
)
