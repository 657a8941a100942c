// Moves what machines say of their states from where every app downloads it to where charts are drawn.
import { glob, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { AnyStateNode } from 'xstate'
import { composeMachines, declaredPorts } from '../src/services/compose-client.ts'
import { transitionsOf } from '../src/services/machine-chart.ts'

/** One sentence of a state or transition, with its name and its comma. */
const DESCRIPTION = /\bdescription:\s*(?:'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"),?[^\S\n]*/g

/** In the modules that were built into `out`. */
export async function moveWords(out: string): Promise<void> {
  for await (const file of glob('machines/*.js', { cwd: out })) {
    const path = join(out, file)
    await writeFile(path, (await readFile(path, 'utf8')).replaceAll(DESCRIPTION, ''))
  }
  const machines = Object.values(composeMachines(declaredPorts))
  const words = Object.fromEntries(machines.flatMap(({ root }) => wordsOf(root as unknown as AnyStateNode)))
  const path = join(out, 'services/chart-words.js')
  const text = await readFile(path, 'utf8')
  const filled = text.replace('CHART_WORDS = {}', `CHART_WORDS = ${JSON.stringify(words, null, 2)}`)
  if (filled === text) throw new Error('There is no place for the words of the machines.')
  await writeFile(path, filled)
}

/** Of a state by its id, of its n-th transition by that and `#n`. */
function wordsOf(node: AnyStateNode): (readonly [string, string])[] {
  const { id, description, states } = node
  const own = description === undefined ? [] : [[id, description] as const]
  const between = transitionsOf(node).flatMap(([transition], n) =>
    transition.description === undefined ? [] : [[`${id}#${n}`, transition.description] as const],
  )
  return [...own, ...between, ...Object.values<AnyStateNode>(states).flatMap(wordsOf)]
}
