// The console with a real client and with files: live views, and damaged files.
import { readFile } from 'node:fs/promises'
import { gunzipSync, gzipSync } from 'node:zlib'
import { describe, expect } from 'vitest'
import { axeInThemes } from '../harness/axe.ts'
import { withHarbour } from '../harness/browser.ts'
import type { WorkbenchPage } from '../harness/workbench-page.ts'

const test = withHarbour()

const openFile = async ({ page }: WorkbenchPage, name: string, buffer: Buffer) => {
  const choosing = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Open a trace file' }).click()
  await (await choosing).setFiles({ name, mimeType: 'application/gzip', buffer })
}

/** Signs in, does a few things, and returns the recording. */
const record = async (workbench: WorkbenchPage, account: { email: string; password: string }) => {
  await workbench.openAs(account, '/data/vessels')
  await workbench.liveMark.waitFor()
  return workbench.downloadRecording()
}

/** Drops a file onto the console; `halfway` is called while it hovers. */
const dropFile = async (
  { page, console }: WorkbenchPage,
  name: string,
  bytes: Buffer,
  halfway: () => Promise<void>,
) => {
  const files = await page.evaluateHandle(
    ([fileName, content]) => {
      const transfer = new DataTransfer()
      transfer.items.add(new File([Uint8Array.from(content)], fileName))
      return transfer
    },
    [name, [...bytes]] as const,
  )
  await console.dispatchEvent('dragenter', { dataTransfer: files })
  await console.dispatchEvent('dragover', { dataTransfer: files })
  await halfway()
  await console.dispatchEvent('drop', { dataTransfer: files })
}

describe('live', () => {
  test('opens by key, lists the actors with their states, draws the selected one', async ({
    harbour,
    workbench,
  }) => {
    await workbench.openAs(harbour.account('skipper'))
    await workbench.page.keyboard.press('Control+`')
    const console = workbench.console
    await console.waitFor()
    await workbench.showActors()
    await console.getByRole('row', { name: /^session, authenticated/ }).click()
    await console.getByRole('img', { name: /session/ }).waitFor()
    await (await workbench.actorRow(/^connection/)).click()
    await console.getByRole('img', { name: /connection/ }).waitFor()
    await workbench.page.keyboard.press('Control+`')
    await console.waitFor({ state: 'detached' })
  })

  test('the chart supports keys, search, folding and export', async ({ harbour, workbench }) => {
    const { page } = workbench
    await workbench.openAs(harbour.account('skipper'))
    const console = await workbench.openConsole()
    await workbench.showActors()
    await (await workbench.actorRow(/^connection/)).click()
    await console.getByRole('application', { name: /^Chart of connection/ }).focus()
    await page.keyboard.press('Home')
    await page.keyboard.press('PageUp')
    await page.keyboard.press('Enter')
    const card = console.getByRole('region', { name: 'State attached' })
    await card.getByText('socket', { exact: true }).waitFor()
    await page.keyboard.press('Escape')
    await card.waitFor({ state: 'detached' })

    await console.getByRole('textbox', { name: 'Find states and events in the chart' }).fill('backingOff')
    await page.keyboard.press('Enter')
    const states = console.getByRole('tree', { name: 'States of connection' })
    await states.getByRole('treeitem', { name: /^backingOff/, selected: true }).waitFor({ state: 'attached' })

    const take = async (format: string) => {
      const saving = page.waitForEvent('download')
      await console.getByRole('button', { name: 'Export chart' }).click()
      await page.getByRole('menuitem', { name: format }).click()
      return readFile(await (await saving).path())
    }
    const svg = (await take('Save as SVG')).toString()
    expect(svg).toMatch(/^<svg xmlns="[^"]+" width="\d+" height="\d+" viewBox="[^"]+"><rect/)
    // All of it, including the part outside the view.
    for (const name of ['idle', 'attached', 'suspended', 'denied']) expect(svg).toContain(`>${name}</text>`)
    expect(svg).not.toMatch(/var\(|class=/)
    expect((await take('Save as PNG')).subarray(1, 4).toString()).toBe('PNG')

    await console.getByRole('button', { name: 'Fold all states' }).click()
    await console.getByText(/^\d states folded$/).waitFor()
    expect(await console.locator('[data-state="attached.open"]').count()).toBe(0)

    await console.getByRole('button', { name: 'Unfold all states' }).click()
    await console.getByRole('textbox', { name: 'Find states and events in the chart' }).fill('')
    // The number is 0 until the chart around the active states is laid out, and the view then moves to them.
    await console.getByRole('button', { name: /^[1-9]\d* of 15 states/ }).waitFor()
    await expect.poll(() => console.locator('[data-state="attached.open"]').count()).toBe(1)
    expect(await console.locator('[data-state="denied"]').count()).toBe(0)
    await console.getByRole('application', { name: /^Chart of connection/ }).press('o')
    await console.locator('[data-state="denied"]').waitFor({ state: 'attached' })
    await expect.poll(() => page.url()).toContain('c.chart=whole')
  })

  test('an actor without states shows its event, and its running children can be selected', async ({
    harbour,
    workbench,
  }) => {
    const { page } = workbench
    await workbench.openAs(harbour.account('skipper'))
    const console = await workbench.openConsole()
    await workbench.showActors()
    await (await workbench.actorRow(/^client\b/)).first().click()
    // The drawer covers the chart.
    await page.keyboard.press('Escape')
    await console.getByRole('treegrid', { name: 'Actors' }).waitFor({ state: 'detached' })
    const chart = console.getByRole('tabpanel', { name: 'Chart' })
    await chart.getByRole('region', { name: 'Event' }).getByText('type', { exact: true }).waitFor()
    const children = chart.getByRole('region', { name: 'Running children' })
    await children.getByRole('button', { name: /^session authenticated/ }).click()
    await chart.getByRole('heading', { name: 'session' }).waitFor()
  })

  test('filters the log and shows how many events are hidden', async ({ harbour, workbench }) => {
    await workbench.openAs(harbour.account('skipper'))
    await workbench.openConsole()
    await workbench.filterLog('session.started')
    await workbench.logRow('session.started').first().waitFor()
    // Visible in the toolbar; announced to screen readers a moment later.
    await workbench.console
      .getByRole('toolbar', { name: 'Console' })
      .getByText(/\d+ of \d+ · \d+ hidden/)
      .waitFor()
    expect(await workbench.logRow('request.start').count()).toBe(0)
  })

  test('the recording time keeps counting while nothing happens', async ({ harbour, workbench }) => {
    await workbench.openAs(harbour.account('skipper'))
    await workbench.liveMark.waitFor()
    await workbench.openConsole()
    const elapsed = workbench.console.getByText(/^\d+:\d\d$/)
    const first = await elapsed.innerText()
    await expect.poll(() => elapsed.innerText()).not.toBe(first)
  })

  test('stop and start a new recording: the new one is valid, too', async ({ harbour, workbench }) => {
    await workbench.openAs(harbour.account('skipper'))
    await workbench.openConsole()
    await workbench.console.getByRole('button', { name: 'Stop recording' }).click()
    await workbench.console.getByRole('button', { name: 'New recording' }).click()
    await workbench.page.getByRole('alertdialog').getByRole('button', { name: 'New recording' }).click()
    await workbench.joinBridge()
    await workbench.present('skipper').waitFor()
    const lines = gunzipSync(await workbench.downloadRecording())
      .toString()
      .trim()
      .split('\n')
    expect(lines.filter(line => line.includes('"line":"keyframe"'))).toHaveLength(1)
  })
})

describe('control', () => {
  test('paused by key: app events wait, are stepped one by one, and continue after resume', async ({
    harbour,
    workbench,
  }) => {
    const { page } = workbench
    await workbench.openAs(harbour.account('skipper'), '/account')
    const console = await workbench.openConsole()
    const bar = console.getByRole('group', { name: 'Control status' })
    await console.getByRole('button', { name: 'Pause the system' }).waitFor()
    await page.keyboard.press('p')
    await bar.getByText('Paused manually').waitFor()
    await workbench.sections.getByRole('link', { name: /^Files/ }).click()
    await bar.getByText(/1 event waiting/).waitFor()
    expect(await page.getByRole('link', { name: 'charts' }).count()).toBe(0)
    await console.focus()
    await page.keyboard.press('n')
    await bar.getByText('After one step').waitFor()
    await page.keyboard.press('p')
    await page.getByRole('link', { name: 'charts' }).first().waitFor()
    await bar.getByText('PAUSED', { exact: true }).waitFor({ state: 'detached' })

    // The paused clock is behind now. However little room there is, the button that corrects it is whole.
    await console.getByRole('button', { name: 'Previous event' }).click()
    await bar.getByText(/^Client clock .* behind/).waitFor()
    for (const width of [1250, 1440]) {
      await page.setViewportSize({ width, height: 900 })
      await expect.poll(() => bar.evaluate(it => it.scrollWidth - it.clientWidth)).toBe(0)
    }
  })

  test('a breakpoint by B, fault labels, a sandbox from the past; axe finds nothing', async ({
    harbour,
    workbench,
  }) => {
    const { page } = workbench
    await workbench.openAs(harbour.account('skipper'), '/files/charts')
    const console = await workbench.openConsole()
    const panel = (name: RegExp) => console.getByRole('tab', { name }).click()
    await console.getByRole('button', { name: 'Control the system' }).click()
    await workbench.filterLog('request.start actor:client')
    await workbench.logRow('request.start').first().click()
    await page.keyboard.press('b')
    await panel(/^Breakpoints 1/)
    await console.getByText('client receives request.start').waitFor()
    await workbench.goTo('Account')
    await workbench.sections.getByRole('link', { name: /^Files/ }).click()
    const bar = console.getByRole('group', { name: 'Control status' })
    await bar.getByText(/(Before|After) client receives request.start/).waitFor()
    expect(await axeInThemes(page, '[aria-label="Control panel"]')).toEqual([])
    await console.getByRole('checkbox', { name: /client receives request.start/ }).uncheck()
    await console.getByRole('button', { name: 'Resume the system' }).first().click()
    await panel(/^Faults/)
    await console.getByRole('button', { name: 'Set: Offline' }).click()
    await bar.getByText('Offline').waitFor()
    await workbench.connection.getByText('offline').waitFor()
    const clear = bar.getByRole('button', { name: 'Clear: Offline' })
    await clear.press('Enter')
    // The button disappears with the fault; keys still work.
    await clear.waitFor({ state: 'detached' })
    await expect.poll(() => console.evaluate(it => it.contains(document.activeElement))).toBe(true)
    await page.keyboard.press('8')
    await console.getByRole('tab', { name: 'Export', selected: true }).waitFor()
    await panel(/^Branch/)
    await workbench.logRow('request.start').first().click()
    await console.getByRole('button', { name: 'Branch from here' }).click()
    await page.getByRole('status', { name: 'Sandbox' }).getByText('request.start').waitFor()
    await page.getByRole('button', { name: 'Back to the live system' }).click()
    await console.getByRole('button', { name: 'Pause the system' }).waitFor()
  })
})

describe('a file', () => {
  test('is opened by dropping it', async ({ harbour, workbench }) => {
    const bytes = await record(workbench, harbour.account('skipper'))
    const hint = workbench.console.getByText('Drop a trace file to open it')
    await dropFile(workbench, 'dropped.trace.gz', bytes, () => hint.waitFor())
    await workbench.console.getByText('dropped.trace.gz').first().waitFor()
    await hint.waitFor({ state: 'detached' })
    await workbench.console.getByText(/^event \d+ of \d+$/).waitFor()
  })

  test('is stepped through with the same views, and closed again for live', async ({
    harbour,
    workbench,
  }) => {
    const bytes = await record(workbench, harbour.account('skipper'))
    await openFile(workbench, 'morning.trace.gz', bytes)
    await workbench.console.getByText('morning.trace.gz').first().waitFor()
    await workbench.filterLog('session.started')
    await workbench.logRow('session.started').first().click()
    await workbench.console
      .getByText(/\(not (live|at end)\)/)
      .first()
      .waitFor()
    await workbench.console.getByRole('row', { name: /^session, booting/ }).waitFor({ state: 'detached' })
    await workbench.console.getByRole('button', { name: 'Previous event' }).click()
    await workbench.console.getByRole('button', { name: /^Close (the )?file|^Close morning/ }).click()
    await workbench.console.getByText('morning.trace.gz').first().waitFor({ state: 'detached' })
  })

  test('with many records is shown to its end', async ({ harbour, workbench }) => {
    const many = 30_000
    const lines = gunzipSync(await record(workbench, harbour.account('skipper')))
      .toString()
      .split('\n')
    const steps = Array.from({ length: many }, (_, seq) => ({
      line: 'step',
      seq,
      t: seq,
      actor: 0,
      event: { type: 'tick' },
      cause: -1,
      status: 'active',
      changed: true,
    }))
    const text = [
      ...lines.filter(line => /"line":"(header|actor)"/.test(line)),
      ...[...steps, { line: 'end', stimuli: 0, steps: many }].map(line => JSON.stringify(line)),
    ].join('\n')
    await openFile(workbench, 'long.trace.gz', gzipSync(`${text}\n`))
    await workbench.console.getByText('event 29,999 of 29,999').waitFor()
    await workbench.logRow('29,999').waitFor()
    expect(await workbench.console.getByRole('alert').count()).toBe(0)
  })

  test('of a newer format is rejected by name, and nothing is lost', async ({ harbour, workbench }) => {
    const bytes = await record(workbench, harbour.account('skipper'))
    const newer = gzipSync(
      gunzipSync(bytes)
        .toString()
        .replace(/"format":\d+/, '"format":7'),
    )
    await openFile(workbench, 'newer.trace.gz', newer)
    await workbench.console.getByRole('alert').filter({ hasText: 'format 7' }).waitFor()
    await workbench.filterLog('session.started')
    await workbench.logRow('session.started').first().waitFor()
  })

  test('that was cut short opens as far as possible and reports the damage', async ({
    harbour,
    workbench,
  }) => {
    const bytes = await record(workbench, harbour.account('skipper'))
    await openFile(workbench, 'short.trace.gz', bytes.subarray(0, Math.floor(bytes.length * 0.7)))
    await workbench.console
      .getByRole('alert')
      .filter({ hasText: /damaged|cut short|truncated/i })
      .waitFor()
    await workbench.console.getByText('short.trace.gz').first().waitFor()
  })

  test('that is not a trace is rejected with a clear message', async ({ harbour, workbench }) => {
    await record(workbench, harbour.account('skipper'))
    await openFile(workbench, 'shopping.txt', Buffer.from('bread\nmilk\n'))
    const alert = workbench.console.getByRole('alert').filter({ hasText: 'shopping.txt' })
    await alert.waitFor()
    expect(await alert.innerText()).toMatch(/not a (Chartroom )?trace|no trace/i)
  })
})
