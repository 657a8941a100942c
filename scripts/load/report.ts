// Prints the results of the load scenarios, and writes them to the table of the soak page.
import { updateTable, type Cells } from '../page-tables.ts'
import type { MemoryUse } from './memory.ts'
import { SCENARIOS, type ScenarioResult } from './scenarios.ts'
import { ENGINES, type Engine } from './server.ts'

/** A scenario's results on one engine, and those without Chartroom from the same run. */
export interface Comparison {
  readonly name: string
  readonly engine: Engine
  readonly backend: ScenarioResult
  readonly peer: ScenarioResult
}

export const PAGE = 'docs/evidence/soak.md'
const COLUMNS = [
  'Engine',
  'Scenario',
  'Figure',
  'Chartroom',
  'Without',
  'Ratio',
  'Memory at most',
  'Memory without',
]
const NONE = '–'

export function asJson({ name, engine, backend, peer }: Comparison) {
  const figures = Object.entries(backend.figures)
  const ratios = figures.map(([figure, value]) => [figure, ratioOf(value, peer.figures[figure]) ?? null])
  return {
    scenario: name,
    engine,
    ...resultAsJson(backend),
    peer: resultAsJson(peer),
    ratios: Object.fromEntries(ratios) as Record<string, number | null>,
  }
}

function resultAsJson({ tallies, ...rest }: ScenarioResult) {
  return { operations: tallies.map(tally => tally.result()), ...rest }
}

export function describe({ name, backend, peer }: Comparison): string {
  const ratios = Object.entries(backend.figures).flatMap(([figure, value]) => {
    const other = peer.figures[figure]
    if (other === undefined) return []
    const [first, second] = [value, other].map(formatNumber)
    return [`  ratio ${formatRatio(value, other)} (${figure}: ${first} / ${second})`]
  })
  const about = SCENARIOS[name]?.about ?? name
  return [...block(about, backend), ...block('  without Chartroom', peer), ...ratios, ''].join('\n')
}

function block(title: string, { tallies, seconds, memory, notes, problems }: ScenarioResult): string[] {
  const rows = tallies.map(tally => {
    const { name, done, errors, p50, p99 } = tally.result()
    return `  ${name.padEnd(22)}${[done, errors, p50, p99].map(number => cell(formatNumber(number))).join('')}`
  })
  return [
    `${title} (${seconds.toFixed(1)} s)`,
    `  ${''.padEnd(22)}${['done', 'errors', 'p50 ms', 'p99 ms'].map(cell).join('')}`,
    ...rows,
    ...notes.map(note => `  ${note}`),
    ...(memory ? [`  ${describeMemory(memory)}`] : []),
    ...problems.slice(0, 20).map(problem => `  PROBLEM ${problem}`),
  ]
}

function describeMemory({ before, peak, after }: MemoryUse): string {
  return `memory ${megabytes(before)} before, ${megabytes(peak)} at most, ${megabytes(after)} after`
}

const cell = (text: string) => text.padStart(9)
const megabytes = (value: number) => `${Math.round(value)} MB`

/** One decimal below ten, so that short times are not all alike. */
function formatNumber(value: number): string {
  return value < 10 ? String(Math.round(value * 10) / 10) : String(Math.round(value))
}

function ratioOf(value: number, other: number | undefined): number | undefined {
  return other === undefined || other === 0 ? undefined : value / other
}

/** `value` divided by `other` with two digits; a dash where there is nothing to compare with. */
export function formatRatio(value: number, other: number | undefined): string {
  const ratio = ratioOf(value, other)
  if (ratio === undefined) return NONE
  return ratio < 99.5 ? ratio.toPrecision(2) : String(Math.round(ratio))
}

/** Replaces the rows of these scenarios in the page. */
export async function writeRows(comparisons: readonly Comparison[]): Promise<void> {
  const order = ENGINES.flatMap(engine =>
    Object.entries(SCENARIOS).flatMap(([name, { figures }]) =>
      figures.map(figure => keyOf([engine, name, figure])),
    ),
  )
  await updateTable('load', COLUMNS, comparisons.flatMap(rowsOf), order, { page: PAGE, keyOf })
}

const keyOf = (cells: Cells) => cells.slice(0, 3).join(' ')

/** The rows of the table for one scenario, a row for each figure. */
export function rowsOf({ name, engine, backend, peer }: Comparison): readonly Cells[] {
  const memory = [backend, peer].map(result => (result.memory ? megabytes(result.memory.peak) : NONE))
  return Object.entries(backend.figures).map(([figure, value]) => {
    const other = peer.figures[figure]
    const cells = [formatNumber(value), other === undefined ? NONE : formatNumber(other)]
    return [engine, name, figure, ...cells, formatRatio(value, other), ...memory]
  })
}
