// The workbench stores its recordings: after a crash of the tab they are available in the console, and
// replay.
import { describe, expect } from 'vitest'
import { readTrace, systems, verify } from '../../src/public/devtools/replay.ts'
import { withHarbour } from '../harness/browser.ts'
import { WorkbenchPage } from '../harness/workbench-page.ts'

const test = withHarbour()

/** The number of events in the browser's database. */
const stored = ({ page }: WorkbenchPage) =>
  page.evaluate(
    () =>
      new Promise<number>(resolve => {
        const opening = indexedDB.open('chartroom.traces')
        opening.addEventListener('success', () => {
          const db = opening.result
          if (!db.objectStoreNames.contains('cards')) return resolve(0)
          const reading: IDBRequest<{ segments: { steps: number }[] }[]> = db
            .transaction('cards')
            .objectStore('cards')
            .getAll()
          reading.addEventListener('success', () => {
            db.close()
            resolve(reading.result[0]?.segments[0]?.steps ?? 0)
          })
        })
      }),
  )

describe('a tab that crashed', () => {
  test('left its recording, which the next one opens and downloads', async ({ harbour, workbench }) => {
    const { page } = workbench
    workbench.watch.allow(/the page crashed/)
    await workbench.openAs(harbour.account('skipper'), '/data/vessels')
    await workbench.liveMark.waitFor()
    await expect.poll(() => stored(workbench)).toBeGreaterThan(50)
    const session = await page.context().newCDPSession(page)
    const died = new Promise(resolve => page.on('crash', resolve))
    session.send('Page.crash').catch(() => undefined)
    await died

    const next = new WorkbenchPage(await page.context().newPage(), harbour.url)
    await next.open('/data/vessels')
    await next.sections.waitFor()
    const console = await next.openConsole()
    await console.getByRole('button', { name: 'Earlier recordings' }).click()
    const list = next.page.getByRole('list', { name: 'Earlier recordings' })
    const row = list.getByRole('listitem').filter({ hasText: 'tab closed' })
    await row.waitFor()
    const downloading = next.page.waitForEvent('download')
    await row.getByRole('button', { name: 'Download' }).click()
    const file = Buffer.concat(await (await (await downloading).createReadStream()).toArray())
    const read = await readTrace(new Uint8Array(file))
    if (read.kind !== 'trace') throw new Error(read.message)
    expect(read.trace.damage).toEqual([])
    expect(verify(read.trace, systems)).toMatchObject({ outcome: 'exact' })
    expect(read.trace.steps.length).toBeGreaterThan(50)

    await row.getByRole('button', { name: 'Open' }).click()
    await console.getByText(/^chartroom-.*\.trace\.gz$/).waitFor()
    await console.getByRole('button', { name: 'Close file' }).click()

    await console.getByRole('button', { name: 'Earlier recordings' }).click()
    await row.getByRole('button', { name: 'Compare' }).click()
    await console.getByRole('region', { name: 'First difference' }).waitFor()
    await console.getByRole('grid', { name: 'Both runs' }).getByRole('row', { selected: true }).waitFor()
    await console.getByRole('button', { name: 'Close comparison' }).click()
    await console.getByRole('button', { name: 'Verify by replay' }).waitFor()
    expect(next.watch.problems()).toEqual([])
  })
})

/** Everything in the database, as text. */
const contents = ({ page }: WorkbenchPage) =>
  page.evaluate(async () => {
    const answer = <T>(request: IDBRequest<T>) =>
      new Promise<T>(resolve => request.addEventListener('success', () => resolve(request.result)))
    const db = await answer(indexedDB.open('chartroom.traces'))
    const tx = db.transaction(['cards', 'chunks'])
    const cards = await answer(tx.objectStore('cards').getAll())
    const chunks: unknown[] = await answer(tx.objectStore('chunks').getAll())
    db.close()
    const texts = chunks.map(async chunk => {
      if (!(chunk instanceof Uint8Array)) return String(chunk)
      const unpacked = new Blob([new Uint8Array(chunk)]).stream().pipeThrough(new DecompressionStream('gzip'))
      return new Response(unpacked).text()
    })
    return [JSON.stringify(cards), ...(await Promise.all(texts))].join('\n')
  })

test('no secret of a session is in the database', async ({ harbour, workbench }) => {
  const account = harbour.account('skipper')
  await workbench.signInAs(account)
  await workbench.goTo('Data')
  await expect.poll(() => contents(workbench)).toContain('"session.signIn"')
  const session = await workbench.page.evaluate(() => {
    const [key = ''] = Object.keys(localStorage).filter(name => name.startsWith('chartroom.session.'))
    return JSON.parse(localStorage.getItem(key) ?? '{}') as Record<string, string>
  })
  const { key } = (await (await fetch(`${harbour.url}/_chartroom/config`)).json()) as { key: string }
  const secrets = [account.password, session['access_token'], session['refresh_token'], key]
  expect(secrets.map(secret => typeof secret)).toEqual(['string', 'string', 'string', 'string'])
  const text = await contents(workbench)
  expect(text).toContain('request.settled')
  expect(secrets.filter(secret => text.includes(secret ?? ''))).toEqual([])
})
