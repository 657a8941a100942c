// The documentation of a machine as Markdown: its states, transitions, ports, and the events that it ignores.
import type { Ignored, Spec } from '../../machines/index.ts'
import { machineChart } from '../../services/runtime/index.ts'
import type { ChartState, MachineChart } from '../../trace/index.ts'
import { allStates } from './pairs.ts'

/** Options of a machine's page. */
export interface PageOptions {
  /** The title. Default: the machine's id. */
  readonly title?: string
  /** Path of an image of the chart, relative to the page. */
  readonly drawing?: string
}

/** Documents a machine as Markdown. */
export function machinePage(spec: Spec, { title, drawing }: PageOptions = {}): string {
  const chart = machineChart(spec.machine)
  const rows = allStates(chart.root).flatMap(transitionRows)
  return [
    `# ${title ?? chart.id}`,
    spec.about,
    ...(drawing === undefined ? [] : [`![Statechart of ${chart.id}](${drawing})`]),
    ...(chart.root.states.length > 0
      ? ['## States', statesTable(chart)]
      : ['It has no states: it forwards the events that it receives.']),
    '## Transitions',
    markdownTable(['In', 'On', 'If', 'Goes to', 'Does'], rows),
    ...(Object.keys(spec.ports).length > 0 ? ['## Ports', portsTable(spec)] : []),
    ...(spec.ignored.length > 0 ? ['## Ignored on purpose', ignoredTable(spec.ignored)] : []),
    '',
  ].join('\n\n')
}

function statesTable({ root }: MachineChart): string {
  const rows = allStates(root)
    .filter(({ path }) => path !== '')
    .map(({ path, invoke, description }) => [
      code(path),
      codes(invoke.map(({ src }) => src)),
      description ?? '',
    ])
  return markdownTable(['State', 'Runs', 'Meaning'], rows)
}

const portsTable = ({ ports }: Spec): string =>
  markdownTable(
    ['Port', 'What it does', 'Sends'],
    Object.entries(ports).map(([name, { about, sends = {} }]) => [
      code(name),
      about,
      codes(Object.keys(sends)),
    ]),
  )

const ignoredTable = (list: readonly Ignored[]): string =>
  markdownTable(
    ['Event', 'In', 'Why'],
    list.map(({ event, states, reason }) => [code(event), codes(states), reason]),
  )

const code = (text: string) => `\`${text}\``
const codes = (texts: readonly string[]) => texts.map(code).join(', ')

const transitionRows = ({ path, transitions }: ChartState): string[][] =>
  transitions.map(({ event, guard, targets, actions }) => [
    path === '' ? 'any' : code(path),
    code(event),
    guard === undefined ? '' : code(guard),
    codes(targets),
    codes(actions),
  ])

/** A table without the columns that are empty in all rows. */
export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const used = head.map((_, column) => rows.some(row => row[column] !== ''))
  const line = (cells: readonly string[]) =>
    `| ${cells
      .filter((_, column) => used[column])
      .map(cell =>
        cell
          .replaceAll('|', '\\|')
          .split('\n')
          .map(line => line.trim())
          .join(' '),
      )
      .join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}
