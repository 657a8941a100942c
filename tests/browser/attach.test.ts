// The console next to the app and to other apps: a window that survives a reload, and the page that apps
// open.
import { createMachine } from 'xstate'
import { expect } from 'vitest'
import { appDir } from '../../scripts/app-build.ts'
import { startServer } from '../../src/cli/serve-server.ts'
import { withHarbour } from '../harness/browser.ts'
import { inspectedRun } from '../harness/inspected.ts'
import { dock } from '../harness/own-window.ts'

const test = withHarbour()

test('a separate window controls, annotates, survives reloads, and moves back into the app', async ({
  harbour,
  workbench,
}) => {
  const { page } = workbench
  await workbench.openAs(harbour.account('skipper'), '/data/vessels')
  const docked = await workbench.openConsole()
  const opening = page.waitForEvent('popup')
  await docked.getByRole('button', { name: 'Open the console in a separate window' }).click()
  const own = await opening
  const log = own.getByRole('treegrid', { name: 'Event log' })
  await log.getByText('auth.succeeded').or(log.getByText('request.start')).first().waitFor()
  await docked.waitFor({ state: 'detached' })

  // It drives the tab, and makes notes in its recording.
  await own.getByRole('button', { name: 'Pause the system' }).click()
  const bar = own.getByRole('group', { name: 'Control status' })
  await bar.getByText('Paused manually').waitFor()
  const rows = page.getByRole('link', { name: /log_entries/ }).first()
  await rows.click()
  await bar.getByText(/waiting/).waitFor()
  await own.getByRole('button', { name: 'Resume the system' }).click()
  await page.getByRole('heading', { name: 'log_entries' }).waitFor()
  await log.click()
  await own.keyboard.press('Shift+B')
  const panel = own.getByRole('dialog', { name: 'Bookmarks' })
  await panel.getByRole('textbox').fill('paused and resumed')
  await own.keyboard.press('Enter')
  await own.getByRole('button', { name: '1 bookmark' }).click()
  await panel.getByRole('button', { name: /^paused and resumed/ }).waitFor()
  await own.keyboard.press('Escape')

  // The recording from before a reload stays available, with its notes.
  await page.reload()
  await workbench.sections.waitFor()
  await own.getByRole('button', { name: 'Before the reload' }).click()
  await own.getByRole('menuitem', { name: /Before the last reload/ }).click()
  await own.getByRole('button', { name: '1 bookmark' }).waitFor()
  await own.getByRole('button', { name: 'Close file' }).click()
  await own.getByRole('button', { name: 'Pause the system' }).waitFor()
  await own.reload()
  await log.getByRole('row').nth(3).waitFor()
  const downloading = own.waitForEvent('download')
  await own.getByRole('button', { name: 'Download recording' }).click()
  expect((await downloading).suggestedFilename()).toMatch(/^chartroom-.*\.trace\.gz$/)

  await dock(own)
  await docked.waitFor()
})

test('an app opens the page with its actors; a phantom is hidden and counted', async ({ browser }) => {
  const { messages } = await inspectedRun(
    createMachine({
      id: 'lamp',
      initial: 'off',
      states: { off: { on: { switch: 'on' } }, on: { on: { switch: 'off' } } },
    }),
    actor => actor.send({ type: 'switch' }),
  )
  const phantom = messages[0]?.replaceAll('x:', 'x:9') ?? ''
  const server = await startServer({ port: 0, page: appDir })
  const context = await browser.newContext({ reducedMotion: 'reduce', colorScheme: 'dark' })
  try {
    const app = await context.newPage()
    // Another origin of this machine.
    await app.goto(`http://127.0.0.1:${server.port}/`)
    await app.getByRole('heading', { name: 'Attach an app' }).waitFor()
    const opening = app.waitForEvent('popup')
    await app.evaluate(
      ([url, text]) => {
        const opened = window.open(url, 'xstateinspector')
        window.addEventListener('message', ({ data }: MessageEvent<{ type?: string }>) => {
          if (data.type !== '@statelyai.connected') return
          for (const message of text) opened?.postMessage(JSON.parse(message), '*')
        })
      },
      [`http://localhost:${server.port}/`, [phantom, ...messages]] as const,
    )
    const view = await opening
    await view.getByRole('treegrid', { name: 'Event log' }).getByText('switch', { exact: true }).waitFor()
    const status = view.getByRole('group', { name: 'Attached apps' })
    expect((await status.innerText()).split('\n')).toEqual([
      '1 app attached',
      `${messages.length + 1} messages`,
      '1 actor hidden: never started',
    ])
  } finally {
    await context.close()
    await server.stop()
  }
})
