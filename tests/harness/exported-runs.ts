// Recordings for export tests: a client in a storm, and a machine with names that other formats do not
// accept.
import { assign, fromPromise, setup } from 'xstate'
import { createVirtualClock } from '../../src/testing/virtual-clock.ts'
import { record } from '../../src/services/recording/record.ts'
import { stormyRun } from './recorded-run.ts'

/** A client with requests, sockets, channels and refreshes. */
export const stormyTrace = (seed = 3) => stormyRun(seed, 25).trace

/** Nested, parallel, history, delays, inline guards and actions, and names full of punctuation. */
const oddMachine = setup({
  types: { context: {} as { n: number } },
  actors: { 'fetch <it>': fromPromise(() => Promise.resolve('"quoted" & <b>')) },
  delays: { 'a while': 5 },
  guards: { 'is "ok"?': () => true, isOdd: ({ context }) => context.n % 2 === 1 },
}).createMachine({
  id: 'odd & <machine>',
  description: 'Ends in hyphens --',
  context: { n: 0 },
  type: 'parallel',
  states: {
    'first; region': {
      initial: 'a',
      states: {
        a: {
          tags: ['#1', 'end'],
          invoke: { src: 'fetch <it>', onDone: 'b:b', onError: 'end' },
          on: { 'go.*': 'end', '*': { actions: assign({ n: ({ context }) => context.n + 1 }) } },
          after: { 10: 'end', 'a while': { target: 'b:b', guard: 'is "ok"?' } },
        },
        'b:b': { invoke: { src: 'fetch <it>' }, on: { back: 'memory', 'new\nline %%': 'end' } },
        memory: { type: 'history', history: 'deep' },
        end: { type: 'final' },
      },
    },
    '2nd': { initial: 'x', states: { x: { always: { guard: 'isOdd', target: 'y' } }, y: {} } },
  },
})

/** A run of it. */
export async function oddTrace() {
  const clock = createVirtualClock()
  const { actor, trace } = record(oddMachine, { clock })
  actor.start()
  actor.send({ type: 'more; of: it' })
  await new Promise(resolve => setImmediate(resolve))
  actor.send({ type: 'back' })
  actor.send({ type: 'new\nline %%' })
  actor.stop()
  return trace
}
