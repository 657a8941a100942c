// The pages of docs/machines: a picture of each machine, what each state does with each event, and what is ignored.
import { format, resolveConfig } from 'prettier'
import type { ChartState, MachineChart } from '../../src/trace/format.ts'
import { documented, type Documented } from './documented.ts'
import { drawChart } from './draw.ts'
import { ignored, type Ignored } from './ignored.ts'

/** Names and texts of all files of docs/machines. */
export async function machinePages(): Promise<ReadonlyMap<string, string>> {
  const style = await resolveConfig(import.meta.filename)
  const tidy = (text: string) => format(text, { ...style, parser: 'markdown' })
  const pages = new Map([['README.md', await tidy(index())]])
  for (const machine of documented) {
    pages.set(`${machine.id}.md`, await tidy(page(machine)))
    if (hasStates(machine)) pages.set(`${machine.id}.svg`, await drawChart(machine.chart))
  }
  return pages
}

const hasStates = ({ chart }: Documented) => chart.root.states.length > 0

const MADE = '<!-- Made by `npm run docs` from src/machines; CI fails when it is stale. -->'

function index(): string {
  const rows = documented.map(({ id, chart, about }) => [
    `[${id}](${id}.md)`,
    about,
    String(all(chart.root).length - 1),
    String(ignored[id].length),
  ])
  return `${MADE}

# The machines

Every behaviour of the client, and what the workbench runs beside it, is one of these statecharts. Each state is reachable and leads on, and each event is handled in each state or ignored for a reason that is written down: \`tests/model\` proves it.

${table(['Machine', 'What it is', 'States', 'Ignored on purpose'], rows)}
`
}

function page(machine: Documented): string {
  const { id, chart, about } = machine
  const states = hasStates(machine)
    ? statesOf(chart)
    : 'It has no states of its own: it hands on what it hears.\n'
  const rows = all(chart.root).flatMap(transitionRows)
  return `${MADE}

# ${id}

${about}

${states}
## Transitions

${table(['In', 'On', 'If', 'Goes to', 'Does'], rows)}
${ignored[id].length > 0 ? reasons(ignored[id]) : ''}`
}

function statesOf({ id, root }: MachineChart): string {
  const rows = all(root)
    .filter(({ path }) => path !== '')
    .map(({ path, invoke, description }) => [
      code(path),
      codes(invoke.map(({ src }) => src)),
      description ?? '',
    ])
  return `![Statechart of ${id}](${id}.svg)

## States

${table(['State', 'Runs', 'What it means'], rows)}
`
}

function reasons(list: readonly Ignored[]): string {
  return `
## Ignored on purpose

${table(
  ['Event', 'In', 'Why'],
  list.map(({ event, states, why }) => [code(event), codes(states), why]),
)}
`
}

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
/** The state and all within it, outer before inner. */
const all = (state: ChartState): ChartState[] => [state, ...state.states.flatMap(all)]

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  // A column that says nothing in any row is left out.
  const used = head.map((_, column) => rows.some(row => row[column] !== ''))
  const line = (cells: readonly string[]) =>
    `| ${cells
      .filter((_, column) => used[column])
      .map(cell => cell.replaceAll('|', '\\|'))
      .join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}
