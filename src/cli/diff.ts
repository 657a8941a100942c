// `chartroom diff`: shows where two traces diverge.
import { styleText } from 'node:util'
import { oneLine, describeTraceDiff, diffTraces, jsonText, type TraceDiff } from '../trace/index.ts'
import { codeLink } from './code-position.ts'
import { defineCommand } from './command.ts'
import { loadMachines, MACHINES_FLAG } from './machines-file.ts'
import { needTrace } from './trace-files.ts'
import { print } from './print.ts'

export const diffCommand = defineCommand({
  usage: 'diff A B [flags]',
  text: `Compares two traces actor by actor, and shows the first step at which they diverge, and how their
headers and machines differ. Times are ignored.

Exit code: 0 identical, 1 different, 2 a file could not be used.`,
  flags: {
    behavior: {
      type: 'boolean',
      about: 'Compare only events and states: data and random values differ between runs of the same code',
    },
    json: { type: 'boolean', about: 'Print one JSON object' },
    ...MACHINES_FLAG,
  },
  takes: [2, 2, 'file'],
  async run({ values, names: [a = '', b = ''] }) {
    const machines = await loadMachines(values.machines)
    const diff = diffTraces(await needTrace(a, machines), await needTrace(b, machines), {
      ...(values.behavior && { only: 'behavior' }),
    })
    print(`${values.json ? jsonText({ a, b, ...diff }) : reportLines(a, b, diff)}\n`)
    return diff.isSame ? 0 : 1
  },
})

function reportLines(a: string, b: string, diff: TraceDiff): string {
  const word = diff.isSame ? styleText('green', 'SAME   ') : styleText('red', 'DIFFERS')
  return [
    `${word}  ${oneLine(`${a} ${b}`)}`,
    ...describeTraceDiff(diff, codeLink).map(line => `  ${oneLine(line)}`),
  ].join('\n')
}
