// "Seen by…" on a table of several pages: exact counts, and the same row at the same height in every pane.
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { withHarbour } from '../harness/browser.ts'
import type { WorkbenchPage } from '../harness/workbench-page.ts'

const test = withHarbour()

interface Session {
  readonly access_token: string
  readonly user: { readonly id: string; readonly email?: string }
}

/** Signed in at the backend, without the workbench. */
function backendOf(url: string, key: string) {
  return async <T>(path: string, body: unknown, token?: string): Promise<T> => {
    const response = await fetch(`${url}${path}`, {
      method: 'POST',
      headers: {
        apikey: key,
        'content-type': 'application/json',
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify(body),
    })
    expect([path, response.ok]).toEqual([path, true])
    const text = await response.text()
    return (text === '' ? undefined : JSON.parse(text)) as T
  }
}

/** Opens the workbench with several signed-in accounts. */
async function openWith(workbench: WorkbenchPage, url: string, sessions: readonly Session[], path: string) {
  const slots = sessions.map((session, n) => ({ id: n === 0 ? 'main' : `slot${n}`, session }))
  const storing = await workbench.page.addInitScript(
    ([origin, entries]) => {
      if (location.origin !== origin) return
      for (const [name, text] of entries) localStorage.setItem(name, text)
    },
    [
      url,
      [
        ...slots.map(({ id, session }) => [
          `chartroom.session.${url}${id === 'main' ? '' : `#${id}`}`,
          JSON.stringify(session),
        ]),
        [
          `chartroom.ui.accounts.${url}`,
          JSON.stringify({
            last: 'main',
            slots: slots.map(({ id, session: { user } }) => ({
              id,
              user: { id: user.id, email: user.email, isAnonymous: false },
            })),
          }),
        ],
      ] as [string, string][],
    ] as const,
  )
  await workbench.open(path)
  await storing.dispose()
  await workbench.sections.waitFor()
}

/** By pane: the position of each of its rows, in pixels, by key. */
const places = (page: Page) =>
  page.locator('[data-rows]').evaluateAll(panes =>
    panes.map(pane => ({
      scrollTop: pane.scrollTop,
      rows: Object.fromEntries(
        [...pane.querySelectorAll('tbody th')].map(cell => [
          cell.textContent,
          cell.getBoundingClientRect().top,
        ]),
      ),
    })),
  )

const expectAligned = async (page: Page) => {
  const [first, ...others] = await places(page)
  expect(Object.keys(first?.rows ?? {}).length).toBeGreaterThan(5)
  for (const other of others) expect(other).toEqual(first)
  return first
}

test('rows beyond the first page are compared, and stay aligned with three and four accounts', async ({
  harbour,
  workbench,
}) => {
  const { page } = workbench
  const config = (await (await fetch(`${harbour.url}/_chartroom/config`)).json()) as { key: string }
  const post = backendOf(harbour.url, config.key)
  const [skipper, mate] = [harbour.account('skipper'), harbour.account('mate')]
  const sessions = [
    ...(await Promise.all(
      [skipper, mate].map(account => post<Session>('/auth/v1/token?grant_type=password', account)),
    )),
    // A name that needs several lines, so that one header is higher than the others.
    await post<Session>('/auth/v1/signup', {
      email: 'the.third.officer.of.the.middle.watch.of.the.training.ship@harbour.example',
      password: 'middle watch',
    }),
  ].filter(session => session.access_token !== undefined)
  expect(sessions).toHaveLength(3)
  const [ofSkipper, ofMate] = sessions
  const countOf = async (session: Session | undefined) => {
    const { headers } = await fetch(`${harbour.url}/rest/v1/log_entries?select=id`, {
      method: 'HEAD',
      headers: {
        apikey: config.key,
        authorization: `Bearer ${session?.access_token}`,
        prefer: 'count=exact',
      },
    })
    return Number(headers.get('content-range')?.split('/')[1])
  }
  const entries = (count: number, note: string) =>
    Array.from({ length: count }, (_, n) => ({ note: `${note} ${n}` }))
  await post('/rest/v1/log_entries', entries(30, 'Mate'), ofMate?.access_token)
  await post('/rest/v1/log_entries', entries(1_010, 'Skipper'), ofSkipper?.access_token)
  // The policy shows an entry only to its author, so that no row is visible to two of them.
  const rows = (await countOf(ofSkipper)) + (await countOf(ofMate))
  expect(rows).toBeGreaterThan(1_040)

  await openWith(workbench, harbour.url, sessions, '/data/log_entries')
  await workbench.liveMark.waitFor()
  const TIME = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d+)?\+00$/
  const time = await workbench.row('Skipper 1009').first().getByText(TIME).textContent()
  await page.getByRole('button', { name: 'Seen by…' }).click()
  const dialog = page.getByRole('dialog')
  const count = rows.toLocaleString('en')
  await dialog.getByText(`${count} rows differ of ${count} compared`).waitFor()
  expect(await page.locator('[data-rows]').count()).toBe(4)
  await expectAligned(page)
  // Times are written as in the grid.
  const ofPane = dialog.getByRole('region', { name: new RegExp(`^Seen by ${skipper.email}`) })
  const inPane = ofPane.getByRole('row').filter({ hasText: 'Skipper 1009' }).first().getByText(TIME)
  expect(await inPane.textContent()).toBe(time)

  // A row of the mate, behind the first 1,000 of the skipper: hidden from all others.
  const mates = dialog.getByRole('group', { name: `Rows seen by ${mate.email}` })
  await mates.evaluate(pane => {
    pane.scrollTop = 1_015 * 25
  })
  await mates.getByRole('cell', { name: 'Mate 14', exact: true }).waitFor()
  const place = await expectAligned(page)
  expect(place?.scrollTop).toBe(1_015 * 25)
  const key = await mates.getByRole('row').filter({ hasText: 'Mate 14' }).getByRole('rowheader').textContent()
  for (const name of ['Anonymous', 'the.third', skipper.email])
    await dialog
      .getByRole('region', { name: new RegExp(`^Seen by ${name}`) })
      .getByRole('row', { name: `${key} hidden` })
      .waitFor()

  // The last row, without one of the accounts.
  await dialog.getByRole('button', { name: /^the\.third/ }).click()
  await expect.poll(() => page.locator('[data-rows]').count()).toBe(3)
  await mates.evaluate(pane => {
    pane.scrollTop = pane.scrollHeight
  })
  await expect.poll(async () => Object.keys((await places(page))[0]?.rows ?? {})).toContain('1')
  await expectAligned(page)
})
