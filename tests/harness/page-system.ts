// A system on a page: clicks, frames, failing requests, timers, and random values.
import { assign, fromCallback, fromPromise, setup } from 'xstate'
import { env } from '../../src/services/runtime/ambient-env.ts'

export const pageSystem = setup({
  types: {
    context: {} as { clicks: number; drawn: number; spot: unknown },
    events: {} as { type: 'click'; x: number } | { type: 'frame'; at: number } | { type: 'over' },
  },
  actors: {
    clicks: fromCallback(({ sendBack }) => {
      const onClick = ({ x }: MouseEvent) => sendBack({ type: 'click', x })
      document.addEventListener('click', onClick)
      return () => document.removeEventListener('click', onClick)
    }),
    frames: fromCallback(({ sendBack }) => {
      const next = (at: number) => {
        sendBack({ type: 'frame', at })
        handle = requestAnimationFrame(next)
      }
      let handle = requestAnimationFrame(next)
      return () => cancelAnimationFrame(handle)
    }),
    load: fromPromise(() =>
      fetch('data:application/json,{"n":1}').then(response => response.json() as Promise<unknown>),
    ),
    lost: fromPromise(() => fetch('http://127.0.0.1:1/')),
  },
  delays: { soon: () => 1 + env.random() * 5 },
}).createMachine({
  id: 'page',
  context: { clicks: 0, drawn: 0, spot: undefined },
  type: 'parallel',
  invoke: [
    { src: 'clicks' },
    { src: 'lost', onError: { actions: assign({ spot: ({ event }) => event.error }) } },
  ],
  on: {
    click: {
      actions: assign({ clicks: ({ context }) => context.clicks + 1, spot: () => [env.now(), env.id()] }),
    },
    over: '.drawing.over',
  },
  states: {
    drawing: {
      initial: 'on',
      states: {
        on: {
          invoke: { src: 'frames' },
          on: { frame: { actions: assign({ drawn: ({ event }) => event.at }) } },
        },
        over: {},
      },
    },
    loading: {
      initial: 'waiting',
      states: {
        waiting: { after: { soon: 'loading' } },
        loading: {
          invoke: {
            src: 'load',
            onDone: { target: 'waiting', actions: assign({ spot: ({ event }) => event.output }) },
          },
        },
      },
    },
  },
})
