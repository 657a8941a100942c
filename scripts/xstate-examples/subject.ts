// The systems of an example: its exports, the logic that it creates actors from, and the keys of its events
// and input.
import { readFile } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import type { AnyActorLogic, AnyStateMachine } from 'xstate'
import { isMachine } from '../../src/services/recording/logic-kind.ts'
import { created } from './caught.ts'
import { loadExample } from './loader.ts'

export interface Subject {
  readonly logic: AnyActorLogic
  /** The input given by the example. */
  readonly input: unknown
  readonly events: readonly string[]
  /** Keys that its code reads from events and input. */
  readonly keys: readonly string[]
}

/** Loads an example's file. The file may print or throw; what it created before that is enough. */
export async function loadSubject(folder: string, file: string): Promise<Subject> {
  const root = join(folder, relative(folder, file).split(sep)[0] ?? '')
  const text = await readFile(file, 'utf8')
  const exported: unknown[] = []
  try {
    exported.push(...Object.values(await loadExample(root, file)))
  } catch (error) {
    if (created.length === 0) throw error
  }
  const machines = exported.filter(
    (one): one is AnyStateMachine => typeof one === 'object' && one !== null && isMachine(one),
  )
  const main = created.at(-1)
  const logic = main?.logic ?? machines.at(-1)
  if (!logic) throw new Error('it creates no system')
  const keys = [...text.matchAll(/(?:event|input|params|output)\.(\w+)/g)].flatMap(match => match[1] ?? [])
  const events = isMachine(logic)
    ? (logic.events as string[]).filter(type => !/^xstate\.|\*/.test(type))
    : ['next']
  return { logic, input: main?.options.input, events, keys: [...new Set(keys)] }
}
