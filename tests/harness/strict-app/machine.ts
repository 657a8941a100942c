// Machines as apps write them: two without an id, an actor that is spawned in the context, effects and timers.
import { type ActorRefFrom, assign, emit, fromCallback, fromPromise, sendTo, setup } from 'xstate'

export const notifierMachine = setup({
  types: {
    events: {} as { type: 'notify'; message: string },
    emitted: {} as { type: 'toast'; message: string },
  },
}).createMachine({
  initial: 'idle',
  states: {
    idle: { on: { notify: { actions: emit(({ event }) => ({ type: 'toast', message: event.message })) } } },
  },
})

export const uploadMachine = setup({
  types: { context: {} as { count: number }, events: {} as { type: 'start' } },
  actors: { upload: fromPromise(() => Promise.resolve('done')) },
}).createMachine({
  id: 'upload',
  context: { count: 0 },
  initial: 'idle',
  states: {
    idle: { on: { start: 'uploading' } },
    uploading: {
      invoke: {
        src: 'upload',
        onDone: {
          target: 'idle',
          actions: [
            assign({ count: ({ context }) => context.count + 1 }),
            sendTo(({ system }) => system.get('notifier') as ActorRefFrom<typeof notifierMachine>, {
              type: 'notify',
              message: 'uploaded',
            }),
          ],
        },
      },
    },
  },
})

export const rootMachine = setup({
  types: {
    context: {} as {
      upload: ActorRefFrom<typeof uploadMachine>
      uploads: number
      isOnline: boolean
    },
    events: {} as { type: 'upload' } | { type: 'online'; isOnline: boolean },
  },
  actors: {
    notifier: notifierMachine,
    upload: uploadMachine,
    // Sends at each of its starts.
    network: fromCallback(({ sendBack }) => sendBack({ type: 'online', isOnline: navigator.onLine })),
  },
}).createMachine({
  description: 'Uploads',
  context: ({ spawn }) => ({
    upload: spawn('upload', { id: 'upload' }),
    uploads: 0,
    isOnline: false,
  }),
  invoke: [{ src: 'network' }, { src: 'notifier', systemId: 'notifier' }],
  on: {
    upload: {
      actions: [
        assign({ uploads: ({ context }) => context.uploads + 1 }),
        sendTo(({ context }) => context.upload, { type: 'start' }),
      ],
    },
    online: { actions: assign({ isOnline: ({ event }) => event.isOnline }) },
  },
  initial: 'fresh',
  states: { fresh: { after: { 100: 'settled' } }, settled: {} },
})
