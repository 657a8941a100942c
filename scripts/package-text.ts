// Moves the state descriptions of machines from modules that every app downloads to the module that draws
// charts.
import { glob, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { AnyStateNode } from 'xstate'
import { composeMachines, declaredPorts } from '../src/services/client/compose-client.ts'
import { transitionsOf } from '../src/services/runtime/machine-chart.ts'

/** One description of a state or transition, with its key and comma. */
const DESCRIPTION = /\bdescription:\s*(?:'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"),?[^\S\n]*/g

/** Applies to the modules built into `out`. */
export async function moveWords(out: string): Promise<void> {
  for await (const file of glob('machines/**/*.js', { cwd: out })) {
    const path = join(out, file)
    await writeFile(path, (await readFile(path, 'utf8')).replaceAll(DESCRIPTION, ''))
  }
  const machines = Object.values(composeMachines(declaredPorts))
  const words = Object.fromEntries(machines.flatMap(({ root }) => wordsOf(root as unknown as AnyStateNode)))
  const path = join(out, 'services/client/chart-labels.js')
  const text = await readFile(path, 'utf8')
  const filled = text.replace('CHART_LABELS = {}', `CHART_LABELS = ${JSON.stringify(words, null, 2)}`)
  if (filled === text) throw new Error('chart-labels.js has no placeholder for the machine descriptions.')
  await writeFile(path, filled)
}

/** Descriptions of states by state id, and of a state's n-th transition by the id and `#n`. */
function wordsOf(node: AnyStateNode): (readonly [string, string])[] {
  const { id, description, states } = node
  const own = description === undefined ? [] : [[id, description] as const]
  const between = transitionsOf(node).flatMap(([transition], n) =>
    transition.description === undefined ? [] : [[`${id}#${n}`, transition.description] as const],
  )
  return [...own, ...between, ...Object.values<AnyStateNode>(states).flatMap(wordsOf)]
}
