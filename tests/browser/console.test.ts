// The console with recordings: actors, charts, the log, and files of every kind, also damaged ones.
import { readFile } from 'node:fs/promises'
import { gunzipSync, gzipSync } from 'node:zlib'
import { describe, expect } from 'vitest'
import { encodeFile } from '../../src/public/devtools/replay.ts'
import { atWork } from '../harness/recorded-session.ts'
import { withViewer, type ViewerPage } from '../harness/viewer-page.ts'

const test = withViewer

/** As low as the console below the app. */
const LOW = { width: 1280, height: 400 }

const openFile = async ({ page }: ViewerPage, name: string, buffer: Buffer) => {
  const choosing = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Open a trace file' }).click()
  await (await choosing).setFiles({ name, mimeType: 'application/gzip', buffer })
}

const recorded = async () => Buffer.from(await encodeFile(atWork()))

/** Drops a file onto the console; `halfway` is called while it hovers. */
const dropFile = async (
  { page, console }: ViewerPage,
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

test('lists the actors with their states, and draws the selected one', async ({ viewer }) => {
  const { console } = viewer
  await viewer.open(atWork())
  await viewer.showActors()
  await console.getByRole('row', { name: /^session, authenticated/ }).click()
  await console.getByRole('img', { name: /session/ }).waitFor()
  await (await viewer.actorRow(/^connection/)).click()
  await console.getByRole('img', { name: /connection/ }).waitFor()
})

test('the chart supports keys, search, folding and export', async ({ viewer }) => {
  const { page, console } = viewer
  await viewer.open(atWork(), { place: { actor: 'client/realtime/connection' } })
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
  await expect.poll(() => viewer.param('chart')).toBe('whole')
})

test('an actor without states shows its event, and its running children can be selected', async ({
  viewer,
}) => {
  const { page, console } = viewer
  await viewer.open(atWork(), { viewport: LOW })
  await viewer.showActors()
  await (await viewer.actorRow(/^client\b/)).first().click()
  // The drawer covers the chart.
  await page.keyboard.press('Escape')
  await console.getByRole('treegrid', { name: 'Actors' }).waitFor({ state: 'detached' })
  const chart = console.getByRole('tabpanel', { name: 'Chart' })
  await chart.getByRole('region', { name: 'Event' }).getByText('type', { exact: true }).waitFor()
  const children = chart.getByRole('region', { name: 'Running children' })
  await children.getByRole('button', { name: /^session authenticated/ }).click()
  await chart.getByRole('heading', { name: 'session' }).waitFor()
})

test('filters the log and shows how many events are hidden', async ({ viewer }) => {
  await viewer.open(atWork())
  await viewer.filterLog('session.started')
  await viewer.logRow('session.started').first().waitFor()
  // Visible in the toolbar; announced to screen readers a moment later.
  await viewer.console
    .getByRole('toolbar', { name: 'Console' })
    .getByText(/\d+ of \d+ · \d+ hidden/)
    .waitFor()
  expect(await viewer.logRow('request.start').count()).toBe(0)
})

describe('a file', () => {
  test('is opened by dropping it', async ({ viewer }) => {
    await viewer.open(atWork())
    const hint = viewer.console.getByText('Drop a trace file to open it')
    await dropFile(viewer, 'dropped.trace.gz', await recorded(), () => hint.waitFor())
    await viewer.console.getByText('dropped.trace.gz').first().waitFor()
    await hint.waitFor({ state: 'detached' })
    await viewer.console.getByText(/^event \d+ of \d+$/).waitFor()
  })

  test('is stepped through with the same views, and closed again', async ({ viewer }) => {
    await viewer.open(atWork())
    await openFile(viewer, 'morning.trace.gz', await recorded())
    await viewer.console.getByText('morning.trace.gz').first().waitFor()
    await viewer.filterLog('session.started')
    await viewer.logRow('session.started').first().click()
    await viewer.console
      .getByText(/\(not at end\)/)
      .first()
      .waitFor()
    await viewer.console.getByRole('row', { name: /^session, booting/ }).waitFor({ state: 'detached' })
    await viewer.console.getByRole('button', { name: 'Previous event' }).click()
    await viewer.console.getByRole('button', { name: /^Close (the )?file|^Close morning/ }).click()
    await viewer.console.getByText('morning.trace.gz').first().waitFor({ state: 'detached' })
  })

  test('with many records is shown to its end', async ({ viewer }) => {
    const many = 30_000
    const lines = gunzipSync(await recorded())
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
    await viewer.open(atWork())
    await openFile(viewer, 'long.trace.gz', gzipSync(`${text}\n`))
    await viewer.console.getByText('event 29,999 of 29,999').waitFor()
    await viewer.logRow('29,999').waitFor()
    expect(await viewer.console.getByRole('alert').count()).toBe(0)
  })

  test('that is damaged or none is rejected or opened as far as possible, and nothing is lost', async ({
    viewer,
  }) => {
    const alert = viewer.console.getByRole('alert')
    const bytes = await recorded()
    await viewer.open(atWork())
    // Of a newer format.
    const newer = gzipSync(
      gunzipSync(bytes)
        .toString()
        .replace(/"format":\d+/, '"format":7'),
    )
    await openFile(viewer, 'newer.trace.gz', newer)
    await alert.filter({ hasText: 'format 7' }).waitFor()
    await viewer.filterLog('session.started')
    await viewer.logRow('session.started').first().waitFor()
    // No trace.
    await openFile(viewer, 'shopping.txt', Buffer.from('bread\nmilk\n'))
    const refusal = alert.filter({ hasText: 'shopping.txt' })
    await refusal.waitFor()
    expect(await refusal.innerText()).toMatch(/not a (Chartroom )?trace|no trace/i)
    await viewer.logRow('session.started').first().waitFor()
    // Cut short.
    await openFile(viewer, 'short.trace.gz', bytes.subarray(0, Math.floor(bytes.length * 0.7)))
    await alert.filter({ hasText: /damaged|cut short|truncated/i }).waitFor()
    await viewer.console.getByText('short.trace.gz').first().waitFor()
  })
})
