// Compressed bytes per step of a recorded run, compared to other tools' output for the same run.
import { gzipSync } from 'node:zlib'
import { instrument } from '@redux-devtools/instrument'
import { createInspector } from '@statelyai/inspect'
import { legacy_createStore as createStore } from 'redux'
import { encodeFile } from '../../../src/trace/write/encode.ts'
import type { Benchmark } from '../contract.ts'
import { stormRun } from './storm-run.ts'

const COMMANDS = 400
const SEED = 3

/** Bytes per step, all for the same run. */
interface Sizes {
  readonly ours: number
  readonly stately: number
  readonly redux: number
}

export const bytesPerRecord: Benchmark = {
  name: 'bytes-per-record',
  unit: 'B',
  peer: 'the messages of @statelyai/inspect per step of the run, one per line, also gzipped',
  measure: () => once(({ ours, stately }) => ({ ours: [ours], peer: [stately] })),
}

export const bytesPerRecordRedux: Benchmark = {
  name: 'bytes-per-record-redux',
  unit: 'B',
  peer: 'the export file of Redux DevTools (actions, and the states after each), per step, also gzipped',
  measure: () => once(({ ours, redux }) => ({ ours: [ours], peer: [redux] })),
}

let sizes: Promise<Sizes> | undefined

/** The same run always gives the same bytes. */
async function once<T>(pick: (sizes: Sizes) => T): Promise<T> {
  sizes ??= measure()
  return pick(await sizes)
}

async function measure(): Promise<Sizes> {
  const { recorder, run } = stormRun(SEED, COMMANDS)
  const events: string[] = []
  const inspector = createInspector({ send: event => void events.push(JSON.stringify(event)) })
  recorder.actor.system.inspect(inspector.inspect)
  const { steps, actors } = run()
  // The inspector converts its messages in separate tasks.
  for (let last = -1; last < events.length;) {
    last = events.length
    await new Promise(resolve => setTimeout(resolve, 50))
  }
  const store = createStore(
    (states: Readonly<Record<string, unknown>> = {}, action: { type: string; [field: string]: unknown }) =>
      typeof action['actor'] === 'string' ? { ...states, [action['actor']]: action['state'] } : states,
    {},
    instrument(undefined, { maxAge: Infinity }),
  )
  for (const { actor, event, status, value, context } of steps) {
    const path = actors[actor]?.path ?? ''
    store.dispatch({ ...event, actor: path, state: { status, value, context } })
  }
  return {
    ours: (await encodeFile(recorder.trace)).length / steps.length,
    stately: gzipSync(events.join('\n')).length / steps.length,
    redux: gzipSync(exported(store.liftedStore.getState())).length / steps.length,
  }
}

/** Actions describe what happened; the resulting states are only included as states. */
function exported(lifted: object): string {
  return JSON.stringify(lifted, (key, value: unknown) =>
    key === 'action' && typeof value === 'object' ? { ...value, state: undefined } : value,
  )
}
