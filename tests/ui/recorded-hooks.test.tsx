// The hooks that record, beside those of @xstate/react: the same components with either, and what is recorded replays
// exactly.
import { act, Component, StrictMode, useState, type ReactNode } from 'react'
import { describe, expect, test } from 'vitest'
import { assign, createActor, fromCallback, fromPromise, setup, type AnyActorRef } from 'xstate'
import { attach } from '../../src/public/devtools/console.ts'
import type { RecordActor } from '../../src/public/devtools/react.ts'
import type { Recording } from '../../src/public/devtools/recording.ts'
import { readTrace, verify } from '../../src/public/devtools/replay.ts'
import { eventually, renderAlone } from '../harness/react.tsx'

// They look for a document when they are loaded.
const xstate = await import('@xstate/react')
const recorded = await import('../../src/public/devtools/react.ts')

type Hooks = Pick<
  typeof xstate,
  'createActorContext' | 'useActor' | 'useActorRef' | 'useMachine' | 'useSelector' | 'shallowEqual'
>

/** What happened, in order. */
type Log = string[]

const machineOf = (log: Log) =>
  setup({
    types: {} as {
      context: { n: number; loaded: string }
      input: { from?: number } | undefined
      events: { type: 'add'; by: number } | { type: 'fail' }
    },
    actors: {
      load: fromPromise(() => Promise.resolve('loaded')),
      watch: fromCallback(() => () => void log.push('child ended')),
    },
    actions: {
      note: () => void log.push('noted'),
      fail: () => {
        throw new Error('broken on purpose')
      },
    },
  }).createMachine({
    id: 'counter',
    context: ({ input }) => ({ n: input?.from ?? 0, loaded: '' }),
    invoke: [
      { src: 'watch', id: 'watch' },
      { src: 'load', id: 'load', onDone: { actions: assign({ loaded: ({ event }) => event.output }) } },
    ],
    on: {
      add: { actions: ['note', assign({ n: ({ context, event }) => context.n + event.by })] },
      fail: { actions: 'fail' },
    },
  })

class Boundary extends Component<{ readonly children: ReactNode }, { readonly message?: string }> {
  override state: { readonly message?: string } = {}
  static getDerivedStateFromError = (error: Error) => ({ message: error.message })
  override render() {
    return this.state.message ?? this.props.children
  }
}

interface Scene {
  readonly component: (hooks: Hooks, log: Log) => () => ReactNode
  /** What each click shows. */
  readonly shows: readonly string[]
}

const scenes: Readonly<Record<string, Scene>> = {
  useMachine: {
    shows: ['5 loaded', '6 loaded', '7 loaded'],
    component: (hooks, log) => {
      const machine = machineOf(log)
      return function Counter() {
        const [{ context }, send, actor] = hooks.useMachine(machine, { input: { from: 5 } })
        if (actor.send !== send) log.push('another send')
        return (
          <button type="button" onClick={() => send({ type: 'add', by: 1 })}>
            {context.n} {context.loaded}
          </button>
        )
      }
    },
  },
  'useActor with implementations of each render': {
    shows: ['0 loaded 0', '1 loaded 1', '2 loaded 2'],
    component: (hooks, log) => {
      const machine = machineOf(log)
      return function Counter() {
        const [clicks, setClicks] = useState(0)
        const [{ context }, send] = hooks.useActor(
          machine.provide({ actions: { note: () => void log.push(`noted after ${clicks}`) } }),
        )
        const click = () => {
          send({ type: 'add', by: 1 })
          setClicks(clicks + 1)
        }
        return (
          <button type="button" onClick={click}>
            {context.n} {context.loaded} {clicks}
          </button>
        )
      }
    },
  },
  'another machine after a hot update': {
    shows: ['0', '1', '1', '101'],
    component: (hooks, log) => {
      const before = machineOf(log)
      const after = setup({
        types: {} as { context: { n: number; loaded: string }; events: { type: 'add'; by: number } },
        actors: { load: fromPromise(() => Promise.resolve('again')), watch: fromCallback(() => undefined) },
      }).createMachine({
        id: 'counter',
        context: { n: 0, loaded: '' },
        invoke: [
          { src: 'watch', id: 'watch' },
          { src: 'load', id: 'load' },
        ],
        on: { add: { actions: assign({ n: ({ context, event }) => context.n + 100 * event.by }) } },
      })
      return function Counter() {
        const [clicks, setClicks] = useState(0)
        const [{ context }, send] = hooks.useActor(clicks < 2 ? before : (after as unknown as typeof before))
        const click = () => {
          setClicks(clicks + 1)
          // The second click is the update.
          if (clicks !== 1) send({ type: 'add', by: 1 })
        }
        return (
          <button type="button" onClick={click}>
            {context.n}
          </button>
        )
      }
    },
  },
  'useActorRef with an observer, and useSelector': {
    shows: ['0', '1', '2'],
    component: (hooks, log) => {
      const machine = machineOf(log)
      const listen = ({ context }: { readonly context: { readonly n: number } }) =>
        void log.push(`heard ${context.n}`)
      return function Counter() {
        const actor = hooks.useActorRef(machine, {}, listen)
        const n = hooks.useSelector(actor, ({ context }) => context.n)
        return (
          <button type="button" onClick={() => actor.send({ type: 'add', by: 1 })}>
            {n}
          </button>
        )
      }
    },
  },
  createActorContext: {
    shows: ['3 loaded', '4 loaded', '5 loaded'],
    component: (hooks, log) => {
      const Counter = hooks.createActorContext(machineOf(log), { input: { from: 1 } })
      function Count() {
        const actor = Counter.useActorRef()
        const [n, loaded] = Counter.useSelector(
          ({ context }) => [context.n, context.loaded] as const,
          hooks.shallowEqual,
        )
        return (
          <button type="button" onClick={() => actor.send({ type: 'add', by: 1 })}>
            {n} {loaded}
          </button>
        )
      }
      return () => (
        <Counter.Provider options={{ input: { from: 3 } }}>
          <Count />
        </Counter.Provider>
      )
    },
  },
  'an error of the machine': {
    shows: ['0', 'broken on purpose'],
    component: (hooks, log) => {
      const machine = machineOf(log)
      return function Counter() {
        const [{ context }, send] = hooks.useActor(machine)
        return (
          <button type="button" onClick={() => send({ type: 'fail' })}>
            {context.n}
          </button>
        )
      }
    },
  },
  'an actor in place of its logic': {
    shows: [
      "useActor() expects actor logic (e.g. a machine), but received an ActorRef. Use the useSelector(actorRef, ...) hook instead to read the ActorRef's snapshot.",
    ],
    component: (hooks, log) => {
      const actor = createActor(machineOf(log))
      return function Wrong() {
        hooks.useActor(actor as never, undefined as never)
        return null
      }
    },
  },
}

const Plain = ({ children }: { readonly children: ReactNode }) => <>{children}</>
const modes = { 'as in production': Plain, 'under StrictMode': StrictMode }

/** Everything that a user, the machine and its actors see. */
async function play(
  { component, shows }: Scene,
  hooks: Hooks,
  frame: (inner: ReactNode) => ReactNode,
): Promise<{ readonly shown: readonly (string | null)[]; readonly log: Log }> {
  const log: Log = []
  const Scene = component(hooks, log)
  const page = await renderAlone(
    <Boundary>
      <Scene />
    </Boundary>,
    frame,
  )
  const shown: (string | null)[] = []
  for (const [at, text] of shows.entries()) {
    if (at > 0) await page.click()
    await eventually(() => expect(page.text()).toBe(text))
    shown.push(page.text())
  }
  await page.unmount()
  await act(async () => undefined)
  return { shown, log }
}

async function replayed({ lines }: Pick<Recording, 'lines'>, systems: Parameters<typeof verify>[1]) {
  const read = await readTrace(lines().join('\n'))
  if (read.kind !== 'trace') throw new Error(read.message)
  expect(read.trace.damage).toEqual([])
  return verify(read.trace, systems).outcome
}

describe.each(Object.entries(scenes))('%s', (_name, scene) => {
  test.each(Object.entries(modes))('without <Recorded>, as @xstate/react: %s', async (_mode, Mode) => {
    const frame = (inner: ReactNode) => <Mode>{inner}</Mode>
    expect(await play(scene, recorded, frame)).toEqual(await play(scene, xstate, frame))
  })

  test('recorded, as @xstate/react', async () => {
    const expected = await play(scene, xstate, inner => inner)
    const frame = (inner: ReactNode) => <recorded.Recorded>{inner}</recorded.Recorded>
    expect(await play(scene, recorded, frame)).toEqual(expected)
  })

  test('recorded under StrictMode, as @xstate/react without it', async () => {
    const expected = await play(scene, xstate, inner => inner)
    const frame = (inner: ReactNode) => (
      <StrictMode>
        <recorded.Recorded>{inner}</recorded.Recorded>
      </StrictMode>
    )
    expect(await play(scene, recorded, frame)).toEqual(expected)
  })
})

test.each(Object.entries(modes))(
  'one recording of each system, which replays exactly: %s',
  async (_mode, Mode) => {
    const recordings: Recording[] = []
    const onRecording = (recording: Recording) => void recordings.push(recording)
    const log: Log = []
    const machine = machineOf(log)
    function Counter() {
      const [{ context }, send] = recorded.useMachine(machine, { input: { from: 5 } })
      return (
        <button type="button" onClick={() => send({ type: 'add', by: 1 })}>
          {context.n} {context.loaded}
        </button>
      )
    }
    const page = await renderAlone(
      <Mode>
        <recorded.Recorded onRecording={onRecording}>
          <Counter />
        </recorded.Recorded>
      </Mode>,
    )
    await eventually(() => expect(page.text()).toBe('5 loaded'))
    await page.click()
    await page.unmount()
    await act(async () => undefined)
    expect(recordings.map(({ actor }) => actor.getSnapshot().status)).toEqual(['stopped'])
    for (const recording of recordings)
      expect(await replayed(recording, { counter: machineOf([]) })).toBe('exact')
    expect(log).toEqual(['noted', 'child ended'])
  },
)

test('a component that is hidden and shown again continues where it was', async () => {
  const { Activity } = await import('react')
  const recordings: Recording[] = []
  const machine = machineOf([])
  function Counter() {
    const [{ context }, send] = recorded.useMachine(machine)
    return (
      <button type="button" onClick={() => send({ type: 'add', by: 1 })}>
        {context.n}
      </button>
    )
  }
  const onRecording = (recording: Recording) => void recordings.push(recording)
  const at = (mode: 'visible' | 'hidden') => (
    <recorded.Recorded onRecording={onRecording}>
      <Activity mode={mode}>
        <Counter />
      </Activity>
    </recorded.Recorded>
  )
  const page = await renderAlone(at('visible'))
  await page.click()
  await eventually(() => expect(page.text()).toBe('1'))
  await page.show(at('hidden'))
  expect(recordings[0]?.actor.getSnapshot().status).toBe('stopped')
  await page.show(at('visible'))
  await page.click()
  await eventually(() => expect(page.text()).toBe('2'))
  expect(recordings.length).toBe(2)
  for (const recording of recordings) expect(await replayed(recording, { counter: machine })).toBe('exact')
})

test('attach makes actors that the console controls', async () => {
  const attached: AnyActorRef[] = []
  const by: RecordActor = (logic, options) => {
    const { actor } = attach(logic, options)
    attached.push(actor as unknown as AnyActorRef)
    return { actor }
  }
  const machine = machineOf([])
  let actor: AnyActorRef | undefined
  function Counter() {
    actor = recorded.useActorRef(machine) as unknown as AnyActorRef
    return null
  }
  await renderAlone(
    <recorded.Recorded by={by}>
      <Counter />
    </recorded.Recorded>,
  )
  expect(attached).toContain(actor)
  expect(actor?.getSnapshot().status).toBe('active')
})

test('`enabled={false}` records nothing', async () => {
  const recordings: Recording[] = []
  const machine = machineOf([])
  function Counter() {
    return recorded.useMachine(machine)[0].context.n
  }
  await renderAlone(
    <recorded.Recorded enabled={false} onRecording={recording => recordings.push(recording)}>
      <Counter />
    </recorded.Recorded>,
  )
  expect(recordings).toEqual([])
})

test('hooks of a context outside of its provider', async () => {
  const Counter = recorded.createActorContext(machineOf([]))
  function Lost() {
    Counter.useActorRef()
    return null
  }
  const page = await renderAlone(
    <Boundary>
      <Lost />
    </Boundary>,
  )
  expect(page.text()).toBe('The hooks of createActorContext need their <Provider> above them.')
})
