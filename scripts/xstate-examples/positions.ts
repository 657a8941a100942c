// Runs in a separate process: counts the states and transitions of one example whose source positions are known, and
// compares the positions of states with the text of the files.
import { readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { machineCharts } from '../../src/services/runtime/machine-chart.ts'
import { systemSources } from '../../src/services/runtime/machine-source.ts'
import { isMachine } from '../../src/services/recording/logic-kind.ts'
import { projectRoot } from '../../src/sources/project-root.ts'
import { namedTransitions, statesOf } from '../../src/trace/charts/chart-states.ts'
import { positionIn } from '../../src/trace/charts/source-positions.ts'
import type { SourcePosition } from '../../src/trace/format/source.ts'
import { loadSubject } from './subject.ts'

export interface Positions {
  readonly states: number
  readonly transitions: number
  /** Names of states and transitions whose position is unknown, or is not that of their text. */
  readonly missing: readonly string[]
}

const [folder = '', file = ''] = process.argv.slice(2)
const write = process.stdout.write.bind(process.stdout)
process.on('uncaughtException', () => undefined)
process.on('unhandledRejection', () => undefined)
const { logic } = await loadSubject(folder, file)
const root = projectRoot(join(folder, relative(folder, file).split(sep)[0] ?? ''))
const sources = systemSources(logic) ?? {}
const charts = isMachine(logic) ? machineCharts(logic) : {}
const found = { states: 0, transitions: 0, missing: [] as string[] }
for (const [machine, chart] of Object.entries(charts))
  for (const state of statesOf(chart).values()) {
    found.states++
    const at = positionIn({ sources }, machine, { kind: 'state', name: state.path })
    const text = at && lineAt(at)
    const isThere = state.path === '' ? /^\w*createMachine\b/i : new RegExp(`^\\W?${state.key}\\b|^\\w+ = `)
    if (text === undefined || !isThere.test(text))
      found.missing.push(`${machine}.${state.path}: ${text?.slice(0, 40)}`)
    for (const { name, event } of namedTransitions(machine, state)) {
      found.transitions++
      if (!positionIn({ sources }, machine, { kind: 'transition', name }))
        found.missing.push(`${name} ${event}`)
    }
  }

/** The text from a position to the end of its line. */
function lineAt({ file: name, line, column }: SourcePosition): string | undefined {
  const lines = readFileSync(join(root, name), 'utf8').split(/\r?\n/)
  return lines[line - 1]?.slice(column - 1)
}

write(JSON.stringify(found satisfies Positions))
process.exit(0)
