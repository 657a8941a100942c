// States of the console with a recording: values through time, a range, a call, and what checks and replays find.
import { otherwise } from '../../harness/changed-trace.ts'
import { atWork } from '../../harness/recorded-session.ts'
import { viewerWith } from '../../harness/viewer-file.ts'
import { keys } from './page.ts'
import type { Act, State } from './state.ts'

const CENTER = '[data-pane=center]'
const INSPECTOR = '[data-pane=event]'

const FAILING = JSON.stringify([
  {
    name: 'never signs in',
    check: { never: { src: 'session', entered: 'authenticated' }, says: 'A user signed in.' },
  },
])

export const recording: Act = page => {
  const console = page.getByRole('region', { name: 'Console' })
  const button = (name: string) => console.getByRole('button', { name })
  const tab = async (name: string | RegExp) => {
    await console.getByRole('tab', { name }).click()
    await console.getByRole('tab', { name, selected: true }).waitFor()
  }
  const tree = console.getByRole('tree', { name: 'Context' })
  let address = ''
  /** The place is part of the address. */
  const at = async (place: Record<string, string>) => {
    await page.goto(`${address}?${new URLSearchParams(place)}`)
    await console.getByRole('treegrid', { name: 'Event log' }).getByRole('row').first().waitFor()
  }
  const both = (name: string, reach: () => Promise<unknown>): State => ({
    name,
    part: `${CENTER}, ${INSPECTOR}`,
    sizes: ['wide'],
    reach,
  })
  const value = tree.getByRole('treeitem', { name: /^token/ })
  return [
    both('range', async () => {
      address = await viewerWith(atWork(), 'states')
      await at({ actor: 'client/session', tab: 'context', a: '3', b: '12', at: '14' })
      await tab('Timeline')
      await console.getByText(/lanes? .* A to B \d/).waitFor()
      await tree.focus()
      await keys(page, 'Home', 'ArrowDown', 'ArrowRight')
      await value.waitFor()
    }),
    both('call', async () => {
      await value.click()
      await keys(page, 'Shift+F10')
      await page.getByRole('menuitem', { name: 'Show history' }).click()
      await console.getByRole('listbox', { name: 'Changes over time' }).getByRole('option').first().waitFor()
      await tab('Network')
      await console
        .getByRole('row', { name: /GET rest\/vessels/ })
        .first()
        .click()
      await console
        .getByRole('region', { name: 'Selected request' })
        .getByText(/response 200/)
        .waitFor()
    }),
    both('coverage-of-machine', async () => {
      await at({ actor: 'client/session', tab: 'diff', diff: 'all-ab', view: 'coverage', a: '3', b: '12' })
      await console.getByRole('list', { name: 'Changes by actor' }).getByRole('button').first().waitFor()
      const table = console.getByRole('table', { name: 'Coverage' })
      await table.getByRole('button', { name: 'session', exact: true }).press('Enter')
      await table.getByRole('list', { name: 'States of session never reached' }).waitFor()
    }),
    both('cause-of-failure', async () => {
      await tab(/^Checks/)
      await button('Add assertions').press('Enter')
      await console.getByRole('textbox', { name: 'Assertions as JSON' }).fill(FAILING)
      await button('Run 1 check').press('Enter')
      const failures = console.getByRole('region', { name: 'Failures' })
      await failures.getByRole('button', { name: 'Show cause' }).press('Enter')
      await console.getByRole('tab', { name: 'Cause', selected: true }).waitFor()
    }),
    {
      name: 'replayed',
      sizes: ['wide'],
      reach: async () => {
        await tab('Replay')
        await button('Verify by replay').press('Enter')
        await console.getByText('Identical', { exact: true }).waitFor()
      },
    },
    both('diverged', async () => {
      const buffer = otherwise('tests/traces/session-af32746f9a2a69bd.jsonl.gz', 'session.started')
      await console
        .getByLabel('Trace file', { exact: true })
        .setInputFiles({ name: 'other.trace.gz', mimeType: 'application/gzip', buffer })
      await console.getByText('other.trace.gz').first().waitFor()
      await tab('Replay')
      await button('Verify by replay').press('Enter')
      await console.getByRole('heading', { name: /^First difference at event \d+/ }).waitFor()
    }),
  ]
}
