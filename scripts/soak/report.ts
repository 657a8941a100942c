// Prints the result of a soak as a table or as JSON.
import type { SoakResult } from './run.ts'
import type { Tally } from './load.ts'

export function hasPassed(result: SoakResult): boolean {
  const errors = [...result.operations.values()].flatMap(tally => tally.errors)
  return ![...result.lost, ...result.problems, ...errors].length && !result.memory.some(({ grows }) => grows)
}

export function resultAsJson(result: SoakResult) {
  const operations = [...result.operations].map(([name, tally]) => ({
    name,
    ...describe(tally),
    errors: tally.errors,
  }))
  return { ...result, operations, passed: hasPassed(result) }
}

export function resultAsTable(result: SoakResult): string {
  const rows = [...result.operations].map(([name, tally]) => {
    const { done, refused, p50, p99 } = describe(tally)
    return [name, done, refused, tally.errors.length, p50, p99]
  })
  const accidents = Object.entries(result.accidents).map(([name, count]) => `${name} ${count}`)
  return [
    table([['Operation', 'Done', 'Refused (expected)', 'Errors', 'p50 ms', 'p99 ms'], ...rows]),
    '',
    `Duration            ${result.seconds.toFixed(0)} s`,
    `Injected failures   ${accidents.join(', ')}`,
    `Acknowledged        ${result.acknowledged} writes`,
    `Lost                ${result.lost.length}`,
    `Memory, peak        ${result.peakMegabytes} MB`,
    ...(result.memory.length === 0 ? ['Memory              too short to judge'] : []),
    ...result.memory.map(
      ({ what, beforeMegabytes, afterMegabytes, grows }) =>
        `Memory, ${what.padEnd(11)} ${beforeMegabytes} -> ${afterMegabytes} MB${grows ? '  GROWS' : ''}`,
    ),
    ...result.lost.slice(0, 20).map(what => `LOST                ${what}`),
    ...result.problems.map(problem => `PROBLEM             ${problem}`),
    ...[...result.operations].flatMap(([name, { errors }]) =>
      [...new Set(errors)].slice(0, 5).map(error => `ERROR               ${name}: ${error}`),
    ),
    '',
    hasPassed(result) ? 'Passed' : 'Failed',
  ].join('\n')
}

function describe({ done, refused, milliseconds }: Tally) {
  const sorted = [...milliseconds].sort((a, b) => a - b)
  const at = (share: number) => Math.round(sorted[Math.floor(sorted.length * share)] ?? 0)
  return { done, refused, p50: at(0.5), p99: at(0.99) }
}

function table(rows: readonly (readonly (string | number)[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map(row => String(row[column]).length)))
  const line = (row: readonly (string | number)[]) =>
    row.map((cell, at) =>
      at === 0 ? String(cell).padEnd(widths[at] ?? 0) : String(cell).padStart(widths[at] ?? 0),
    )
  return rows.map(row => line(row).join('  ')).join('\n')
}
