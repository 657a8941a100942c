// Positions of all parts of our own machines, compared with the text of their files.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { AnyStateMachine } from 'xstate'
import { beforeAll, describe, expect, test } from 'vitest'
import { root } from '../../scripts/tool.ts'
import { loadWithVite } from '../../src/cli/module-file.ts'
import { machineChart, machineSource } from '../../src/services/runtime/index.ts'
import { type MachineSource, positionIn, type SourcePosition, statesOf } from '../../src/trace/index.ts'
import { specs } from '../../src/machines/specs.ts'

type Specs = Readonly<Record<string, { readonly machine: AnyStateMachine }>>

const vite = pathToFileURL(join(root, 'node_modules/vite/dist/node/index.js')).href

/** The machines as the transform changed their modules. */
let noted: Specs = {}
beforeAll(async () => {
  const module = await loadWithVite(vite, join(root, 'src/machines/specs.ts'))
  noted = module['specs'] as Specs
}, 60_000)

const files = new Map<string, readonly string[]>()

/** The text from a position to the end of its line. */
function textAt({ file, line, column }: SourcePosition): string {
  const lines = files.get(file) ?? readFileSync(join(root, file), 'utf8').split('\n')
  files.set(file, lines)
  return lines[line - 1]?.slice(column - 1) ?? ''
}

const sourceOf = (id: string): { readonly sources: Readonly<Record<string, MachineSource>> } => {
  const machine = noted[id]?.machine
  const source = machine && machineSource(machine)
  return { sources: source ? { [id]: source } : {} }
}

describe.each(Object.keys(specs))('%s', id => {
  test('each state is at its key or its constant, and no two of a parent are at the same place', () => {
    const machine = noted[id]?.machine as AnyStateMachine
    const trace = sourceOf(id)
    const placeOf = (path: string) => {
      const position = positionIn(trace, id, { kind: 'state', name: path })
      if (!position) throw new Error(`${path} has no position`)
      return position
    }
    expect(textAt(placeOf(''))).toMatch(/^createMachine\(/)
    for (const { states } of statesOf(machineChart(machine)).values()) {
      for (const { path, key } of states)
        expect(textAt(placeOf(path))).toMatch(
          new RegExp(`^(?:'?${key}'?[:,]|\\w+ = \\w+\\.createStateConfig\\()`),
        )
      expect(new Set(states.map(({ path }) => JSON.stringify(placeOf(path)))).size).toBe(states.length)
    }
  })

  test('each transition is at its event, or at its place in the list of one', () => {
    const machine = noted[id]?.machine as AnyStateMachine
    const trace = sourceOf(id)
    const missing: string[] = []
    for (const { path, transitions } of statesOf(machineChart(machine)).values())
      for (const [n, { event }] of transitions.entries()) {
        const name = `${path}#${n}`
        const position = positionIn(trace, id, { kind: 'transition', name })
        if (!position) {
          missing.push(`${name} ${event}`)
          continue
        }
        expect([name, textAt(position).slice(0, 40)]).toEqual([name, expect.stringMatching(startOf(event))])
      }
    expect(missing).toEqual([])
  })

  test('its chart and hash are those without positions', () => {
    expect(machineChart(noted[id]?.machine as AnyStateMachine)).toEqual(
      machineChart(specs[id as keyof typeof specs].machine),
    )
  })
})

/** How the code of a transition may begin: with its key, or as an item of a list. */
function startOf(event: string): RegExp {
  const [kind = '', rest = ''] = event.split(' ')
  const key =
    { after: rest, done: 'onDone', error: 'onError', snapshot: 'onSnapshot', always: 'always' }[kind] ?? event
  return new RegExp(
    `^(?:['"\\[]*${key.replaceAll(/[.*+?]/g, String.raw`\$&`)}\\b|'?\\*'|\\{|'|\\.\\.\\.|\\[|\\w+)`,
  )
}
