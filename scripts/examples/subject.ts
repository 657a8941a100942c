// The systems of an example: what it exports and what it creates actors from, with what its events and input hold.
import { readFile } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { AnyActorLogic, AnyStateMachine } from 'xstate'
import { isMachine } from '../../src/services/recording/logic-kind.ts'
import { created } from './caught.ts'
import { loadFrom } from './loader.ts'

export interface Subject {
  readonly logic: AnyActorLogic
  /** As the example gives it. */
  readonly input: unknown
  readonly events: readonly string[]
  /** Names of what its code reads of events and of input. */
  readonly keys: readonly string[]
}

/** Loads an example's file, at which it may print or fail: what it made until then is enough. */
export async function loadSubject(folder: string, file: string): Promise<Subject> {
  await loadFrom(join(folder, relative(folder, file).split(sep)[0] ?? ''))
  const text = await readFile(file, 'utf8')
  const exported: unknown[] = []
  try {
    exported.push(...Object.values((await import(pathToFileURL(file).href)) as Record<string, unknown>))
  } catch (error) {
    if (created.length === 0) throw error
  }
  const machines = exported.filter(
    (one): one is AnyStateMachine => typeof one === 'object' && one !== null && isMachine(one),
  )
  const main = created.at(-1)
  const logic = main?.logic ?? machines.at(-1)
  if (!logic) throw new Error('it makes no system')
  const keys = [...text.matchAll(/(?:event|input|params|output)\.(\w+)/g)].flatMap(match => match[1] ?? [])
  const events = isMachine(logic)
    ? (logic.events as string[]).filter(type => !/^xstate\.|\*/.test(type))
    : ['next']
  return { logic, input: main?.options.input, events, keys: [...new Set(keys)] }
}
