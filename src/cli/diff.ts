// `chartroom diff`: shows where two traces diverge.
import { styleText } from 'node:util'
import { describeChange, jsonText, short, shownState, timeInWords } from '../trace/index.ts'
import { defineCommand } from './command.ts'
import { diffTraces, type Change, type StepSummary, type TraceDiff } from './diff-traces.ts'
import { loadSystems, MACHINES_FLAG } from './machines-file.ts'
import { needTrace } from './trace-files.ts'
import { oneLine, print } from './print.ts'

export const diffCommand = defineCommand({
  usage: 'diff A B [flags]',
  text: `Compares two traces actor by actor, and shows the first step at which they diverge, and how their
headers and machines differ. Times are ignored.

Exit code: 0 identical, 1 different, 2 a file could not be used.`,
  flags: { json: { type: 'boolean', about: 'Print one JSON object' }, ...MACHINES_FLAG },
  takes: [2, 2, 'file'],
  async run({ values, names: [a = '', b = ''] }) {
    const systems = await loadSystems(values.machines)
    const diff = diffTraces(await needTrace(a, systems), await needTrace(b, systems))
    print(`${values.json ? jsonText({ a, b, ...diff }) : reportLines(a, b, diff)}\n`)
    return diff.isSame ? 0 : 1
  },
})

function reportLines(a: string, b: string, diff: TraceDiff): string {
  const word = diff.isSame ? styleText('green', 'SAME   ') : styleText('red', 'DIFFERS')
  return [`${word}  ${oneLine(`${a} ${b}`)}`, ...describe(diff).map(line => `  ${oneLine(line)}`)].join('\n')
}

function describe({ header, machines, actors, steps, first, parting, order }: TraceDiff): string[] {
  return [
    ...header.map(change => `header ${described(change)}`),
    ...machines.flatMap(({ id, onlyIn, changes }) => [
      ...(onlyIn ? [`machine ${id}: only in ${onlyIn.toUpperCase()}`] : []),
      ...changes.map(change => `machine ${describeChange(change)}`),
    ]),
    ...only('A', actors.onlyA),
    ...only('B', actors.onlyB),
    ...(first
      ? [
          `${first.actor} diverges after ${first.after} identical steps`,
          `  A: ${step(first.a)}`,
          `  B: ${step(first.b)}`,
          ...first.changes.map(change => `  ${described(change)}`),
        ]
      : []),
    ...(parting.length > 1 ? [`then diverging: ${list(parting.slice(1))}`] : []),
    ...(order
      ? [`same steps in a different order from step ${order.at} on: A ${order.a}, B ${order.b}`]
      : []),
    ...(first || order ? [] : [`${steps.a} identical steps`]),
  ]
}

const described = ({ path, a, b }: Change) => `${path}: ${short(a)} → ${short(b)}`

const only = (name: string, paths: readonly string[]) =>
  paths.length === 0 ? [] : [`only in ${name}: ${list(paths)}`]

const list = (paths: readonly string[]) =>
  paths.length > 8 ? `${paths.slice(0, 8).join(', ')} and ${paths.length - 8} more` : paths.join(', ')

const step = (found: StepSummary | undefined) =>
  found
    ? `step ${found.seq}, ${timeInWords(found.t)}: took ${found.event} → ${shownState(found)}`
    : 'no further steps'
