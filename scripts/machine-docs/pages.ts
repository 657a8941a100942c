// The pages of docs/machines: a picture of each machine, what each state does with each event, and what is ignored.
import type { ChartState } from '../../src/trace/format.ts'
import { documented, type Documented } from './documented.ts'
import { format, resolveConfig } from 'prettier'
import { drawChart } from './draw.ts'
import { ignored } from './ignored.ts'

/** Names and texts of all files of docs/machines. */
export async function machinePages(): Promise<ReadonlyMap<string, string>> {
  const style = await resolveConfig(import.meta.filename)
  const tidy = (text: string) => format(text, { ...style, parser: 'markdown' })
  const pages = new Map([['README.md', await tidy(index())]])
  for (const machine of documented) {
    pages.set(`${machine.id}.md`, await tidy(page(machine)))
    pages.set(`${machine.id}.svg`, await drawChart(machine.chart))
  }
  return pages
}

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

Every behaviour of the client is one of these statecharts. Each state is reachable and leads on, and each event is handled in each state or ignored for a reason that is written down: \`tests/model\` proves it.

${table(['Machine', 'What it is', 'States', 'Ignored on purpose'], rows)}
`
}

function page({ id, chart, about }: Documented): string {
  const reasons = ignored[id]
  const states = all(chart.root).filter(
    state => state.transitions.length > 0 || state.description !== undefined,
  )
  const rows = states.flatMap(stateRows)
  return `${MADE}

# ${chart.id}

${about}

![Statechart of ${chart.id}](${chart.id}.svg)

## States

${table(
  ['State', 'Runs', 'What it means'],
  all(chart.root)
    .filter(({ path }) => path !== '')
    .map(({ path, invoke, description }) => [
      `\`${path}\``,
      invoke.map(({ src }) => `\`${src}\``).join(', '),
      description ?? '',
    ]),
)}

## Transitions

${table(['In', 'On', 'If', 'Goes to', 'Does'], rows)}
${
  reasons.length === 0
    ? ''
    : `
## Ignored on purpose

${table(
  ['Event', 'In', 'Why'],
  reasons.map(({ event, states: where, why }) => [
    `\`${event}\``,
    where.map(state => `\`${state}\``).join(', '),
    why,
  ]),
)}
`
}`
}

const stateRows = ({ path, transitions }: ChartState): string[][] =>
  transitions.map(({ event, guard, targets, actions }) => [
    path === '' ? 'any' : `\`${path}\``,
    `\`${event}\``,
    guard === undefined ? '' : `\`${guard}\``,
    targets.map(target => `\`${target}\``).join(', '),
    actions.map(action => `\`${action}\``).join(', '),
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
