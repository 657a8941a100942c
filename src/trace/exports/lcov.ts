// Coverage of machines as LCOV, which editors, code hosts and report tools read: by the lines of their source code.
// States are functions, transitions and the results of guards are branches, and both count for their line.
import { type MachinePart, positionIn } from '../charts/source-positions.ts'
import type { CoverageReport, MachineCoverage } from '../coverage/coverage.ts'

/** The counts of one file. */
class FileCounts {
  readonly lines = new Map<number, number>()
  readonly functions = new Map<string, { readonly line: number; count: number }>()
  readonly branches = new Map<string, { readonly line: number; count: number }>()

  line(line: number, count: number): void {
    this.lines.set(line, Math.max(this.lines.get(line) ?? 0, count))
  }
}

/**
 * Returns the text of an LCOV file, and the machines whose positions are unknown, which it does not contain.
 * @param pathOf makes the path of a file, given from the root of the project
 */
export function toLcov(
  { machines }: Pick<CoverageReport, 'machines'>,
  pathOf: (file: string) => string = file => file,
): { readonly text: string; readonly unknown: readonly string[] } {
  const files = new Map<string, FileCounts>()
  for (const machine of machines) countMachine(machine, files)
  const text = [...files]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([file, counts]) => record(pathOf(file), counts))
    .join('')
  return { text, unknown: machines.filter(({ source }) => !source).map(({ id }) => id) }
}

function countMachine(machine: MachineCoverage, files: Map<string, FileCounts>): void {
  const { id, source, states, transitions, guards } = machine
  if (!source) return
  const find = (part: MachinePart) => {
    const position = positionIn({ sources: { [id]: source } }, id, part)
    if (!position) return undefined
    const counts = files.get(position.file) ?? new FileCounts()
    files.set(position.file, counts)
    return { counts, line: position.line }
  }
  const branch = (found: ReturnType<typeof find>, name: string, count: number) => {
    if (found) add(found.counts.branches, `${id} ${name}`, found.line, count)
  }
  for (const { path, entered } of states) {
    const found = find({ kind: 'state', name: path })
    found?.counts.line(found.line, entered)
    if (found) add(found.counts.functions, path === '' ? id : `${id}.${path}`, found.line, entered)
  }
  for (const { name, taken } of transitions) {
    const found = find({ kind: 'transition', name })
    found?.counts.line(found.line, taken)
    branch(found, name, taken)
  }
  for (const { transition, guard, part, passed, failed } of guards) {
    const found = find({ kind: 'transition', name: transition })
    const name = `${transition} ${part ?? ''} ${guard}`
    branch(found, `${name} passed`, passed)
    branch(found, `${name} failed`, failed)
  }
}

function add(
  counts: Map<string, { readonly line: number; count: number }>,
  name: string,
  line: number,
  count: number,
): void {
  const known = counts.get(name)
  if (known) known.count += count
  else counts.set(name, { line, count })
}

function record(file: string, { lines, functions, branches }: FileCounts): string {
  const named = [...functions].map(([name, of]) => ({ ...of, name: name.replaceAll(/\p{Cc}/gu, ' ') }))
  const hit = (all: readonly { readonly count: number }[]) => all.filter(({ count }) => count > 0).length
  const byLine = new Map<number, number[]>()
  for (const { line, count } of branches.values()) byLine.set(line, [...(byLine.get(line) ?? []), count])
  const sorted = [...lines].toSorted(([a], [b]) => a - b)
  return [
    'TN:',
    `SF:${file}`,
    ...named.map(({ line, name }) => `FN:${line},${name}`),
    ...named.map(({ count, name }) => `FNDA:${count},${name}`),
    `FNF:${named.length}`,
    `FNH:${hit(named)}`,
    ...[...byLine].flatMap(([line, all]) => all.map((count, n) => `BRDA:${line},0,${n},${count}`)),
    `BRF:${branches.size}`,
    `BRH:${hit([...branches.values()])}`,
    ...sorted.map(([line, count]) => `DA:${line},${count}`),
    `LF:${sorted.length}`,
    `LH:${hit(sorted.map(([, count]) => ({ count })))}`,
    'end_of_record',
    '',
  ].join('\n')
}
