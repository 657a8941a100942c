// Runs three of XState's own example apps, unmodified except for the attach line, and inspects them in the
// console.
import { mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { chromium, type Browser, type Page } from 'playwright-core'
import { createServer, type Plugin } from 'vite'
import { startServer } from '../../src/cli/serve-server.ts'
import { ensureApp, appDir } from '../app-build.ts'

const USAGE = `Usage: node scripts/xstate-examples/inspect.ts --xstate DIR [--out DIR]

DIR is a checkout of https://github.com/statelyai/xstate with these packages installed next to its "examples" folder:
xstate, @xstate/react, react, react-dom and @statelyai/inspect. It is not modified. --out receives the screenshots.`

interface Example {
  readonly name: string
  /** The module that creates the actor, and the code in it that is replaced. */
  readonly file: string
  readonly made: string
  readonly attached: string
  readonly use: (app: Page) => Promise<void>
  /** The actor that must be present, and the events that it must have handled. */
  readonly actor: string
  readonly events: readonly string[]
}

const EXAMPLES: readonly Example[] = [
  {
    name: 'stopwatch',
    file: 'src/main.ts',
    made: 'createActor(stopwatchMachine)',
    attached: 'createActor(stopwatchMachine, { inspect })',
    async use(app) {
      await app.click('#start')
      await app.waitForFunction(() => Number(document.querySelector('#output')?.textContent) > 20)
      await app.click('#stop')
    },
    actor: 'stopwatch',
    events: ['start', 'TICK', 'stop'],
  },
  {
    name: 'tiles',
    file: 'src/App.tsx',
    made: 'useMachine(tilesMachine)',
    attached: 'useMachine(tilesMachine, { inspect })',
    async use(app) {
      await app.getByRole('button').first().click()
      for (const at of [3, 7, 11]) await app.locator('[style*="background-position"]').nth(at).click()
    },
    // This machine has no id.
    actor: '(machine)',
    events: ['tile.hover', 'tile.select'],
  },
  {
    name: 'snake-react',
    file: 'src/App.tsx',
    made: 'useActor(snakeMachine)',
    attached: 'useActor(snakeMachine, { inspect })',
    async use(app) {
      await app.keyboard.press('ArrowUp')
      await app.waitForTimeout(1_500)
      await app.keyboard.press('ArrowRight')
    },
    actor: 'SnakeMachine',
    events: ['ARROW_KEY'],
  },
]

const { values } = parseArgs({
  options: { xstate: { type: 'string' }, out: { type: 'string', default: 'test-results/inspect' } },
})
if (values.xstate === undefined) {
  console.error(USAGE)
  process.exitCode = 2
} else await main(resolve(values.xstate, 'examples'), resolve(values.out))

async function main(folder: string, out: string): Promise<void> {
  await ensureApp()
  await mkdir(out, { recursive: true })
  const browser = await chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: ['--headless', '--no-sandbox', '--disable-gpu'],
  })
  try {
    for (const example of EXAMPLES) await look(browser, example, folder, out)
  } finally {
    await browser.close()
  }
}

async function look(browser: Browser, example: Example, folder: string, out: string): Promise<void> {
  const inspector = await startServer({ port: 0, page: appDir })
  const server = await createServer({
    configFile: false,
    root: join(folder, example.name),
    logLevel: 'error',
    plugins: [attach(example, `http://localhost:${inspector.port}`)],
    server: { host: '127.0.0.1', port: 0 },
  })
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, colorScheme: 'dark' })
  try {
    await server.listen()
    const app = await context.newPage()
    const opened = app.waitForEvent('popup')
    await app.goto(server.resolvedUrls?.local[0]?.replace('127.0.0.1', 'localhost') ?? '')
    const view = await opened
    await example.use(app)
    await view.getByRole('region', { name: 'Console' }).waitFor()
    await view.getByRole('treegrid').or(view.getByRole('tree')).getByText(example.actor).first().waitFor()
    // The log is scrolled to its end, so each event is searched by name.
    for (const event of example.events) {
      await view.getByLabel('Filter the log').fill(event)
      await view
        .getByRole('treegrid', { name: 'Event log' })
        .getByText(event, { exact: true })
        .first()
        .waitFor()
    }
    await view.getByLabel('Filter the log').fill('')
    await view.bringToFront()
    await view.waitForTimeout(500)
    await view.screenshot({ path: join(out, `${example.name}.png`) })
    // Each count is a separate word.
    const status = await view.getByLabel('Attached apps').innerText()
    console.log(`${example.name.padEnd(14)} ${example.actor}: ${status.replaceAll('\n', ' · ')}`)
  } finally {
    await context.close()
    await server.close()
    await inspector.stop()
  }
}

/** The attach line, inserted when the file is loaded. */
function attach({ file, made, attached }: Example, url: string): Plugin {
  return {
    name: 'attach',
    enforce: 'pre',
    transform(code, id) {
      if (!id.endsWith(`/${file}`)) return undefined
      if (!code.includes(made)) throw new Error(`${id} does not contain ${made}`)
      return `import { createBrowserInspector } from '@statelyai/inspect'
const { inspect } = createBrowserInspector({ url: ${JSON.stringify(url)} })
${code.replace(made, attached)}`
    },
  }
}
