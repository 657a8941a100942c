// Files, playback and saving of one console, without its views: readers are scripted, frames are run by hand.
import { expect, test, vi } from 'vitest'
import { nextTurn } from '../../../../src/services/runtime/index.ts'
import type { Timeline } from '../../../../src/trace/index.ts'
import { ConsoleMachine } from '../../../../src/ui/console/model/console-machine.ts'
import type { PlaceAction } from '../../../../src/ui/console/model/place.ts'
import { memoryTrace } from '../../../../src/ui/console/model/shown-trace.ts'
import type { FromReader } from '../../../../src/ui/console/model/trace-messages.ts'
import { actorEntries, stepRecords, traceSource } from '../../console-trace.ts'

const frames: ((now: number) => void)[] = []
vi.stubGlobal('requestAnimationFrame', (run: (now: number) => void) => frames.push(run))
vi.stubGlobal('cancelAnimationFrame', (id: number) => void (frames[id - 1] = () => undefined))
const frame = (now: number) => frames.splice(0).forEach(run => run(now))

const actors = actorEntries(['door', 'door'])
const source = traceSource({
  actors,
  steps: stepRecords(['open', 'shut', 'open'].map(value => ({ actor: 0, type: 'go', value }))),
})
const trace = memoryTrace(source)
trace.feed.advance(10)

/** What a reader sends before the first events of a file can be shown. */
function beginning(): FromReader[] {
  const none = { types: [], states: [], vias: [], faults: [], wire: [], bookmarks: [] }
  const [f, u, i, b] = [new Float64Array(), new Uint32Array(), new Int32Array(), new Uint8Array()]
  const columns = { t: f, actor: u, type: u, cause: i, by: i, from: i, state: u, via: u, flags: b }
  const block = { ...none, actors, steps: columns, stimuli: { t: f, to: u, from: i, kind: b } }
  return [
    { kind: 'header', text: JSON.stringify(source.header) },
    { kind: 'block', block, share: 0.5 },
  ]
}
const END: FromReader = { kind: 'read', damage: [] }

interface Shown {
  readonly timeline?: Timeline
  readonly size?: number
  readonly isLive?: boolean
  readonly at?: number
  readonly isFollowing?: boolean
  readonly range?: readonly [number, number]
  readonly save?: () => Promise<boolean>
  readonly download?: () => Promise<Blob>
}

/** A running console. */
function start() {
  const actions: PlaceAction[] = []
  const readers: { send: (...messages: FromReader[]) => Promise<void>; isEnded: () => boolean }[] = []
  const machine = new ConsoleMachine(
    action => actions.push(action),
    signal => {
      let receive: (message: FromReader) => void = () => undefined
      readers.push({
        send: async (...messages) => {
          messages.forEach(message => receive(message))
          await settled()
        },
        isEnded: () => signal.aborted,
      })
      return { post: () => undefined, listen: onMessage => (receive = onMessage) }
    },
  )
  const show = ({ save, download, ...view }: Shown = {}) =>
    machine.show({
      recording: {
        trace: source,
        isRecording: () => false,
        elapsed: () => 0,
        start: () => undefined,
        stop: () => undefined,
        download: download ?? (() => Promise.reject(new Error('The app does not respond.'))),
      },
      bookmarks: { save: save ?? (() => Promise.resolve(false)) },
      timeline: trace.timeline,
      size: 3,
      isLive: false,
      at: 2,
      isFollowing: true,
      range: undefined,
      ...view,
    })
  show()
  return {
    machine,
    show,
    end: machine.begin(),
    /** Opens a file, and returns its reader. */
    async open(name: string, isPlaced = false) {
      machine.open(new File([name], name), isPlaced)
      await settled()
      return readers.at(-1) ?? expect.unreachable()
    },
    /** What happened to the place since the last call. */
    actions: () => actions.splice(0),
    value: () => machine.state().value,
  }
}

/** Waits longer than the machine waits for more of a file. */
async function settled() {
  for (let turn = 0; turn < 3; turn++) {
    await new Promise(resolve => setImmediate(resolve))
    await nextTurn()
  }
}

test('a second file replaces one that is still being opened', async () => {
  const { machine, open } = start()
  const first = await open('first')
  const second = await open('second')
  expect([first.isEnded(), machine.nameOfOpening()]).toEqual([true, 'second'])
  await first.send(...beginning())
  expect(machine.file()).toBeUndefined()
  await second.send(...beginning())
  expect(machine.file()?.name).toBe('second')
})

test('a second file that is refused leaves the first one, whose rest is still read', async () => {
  const { machine, open, value } = start()
  const first = await open('first')
  await first.send(...beginning())
  const second = await open('second')
  await second.send({ kind: 'refused', message: 'Not a trace.' })
  expect([machine.file()?.name, first.isEnded(), second.isEnded()]).toEqual(['first', false, true])
  expect([value().opening, machine.nameOfOpening(), machine.state().context.refusal]).toEqual([
    'refused',
    'second',
    'Not a trace.',
  ])
  await first.send(END)
  expect(value().shown).toEqual({ file: 'whole' })
})

test('a shown file that breaks is damaged, while another one is being opened', async () => {
  const { machine, open, value } = start()
  const first = await open('first')
  await first.send(...beginning())
  await open('second')
  await first.send({ kind: 'refused', message: 'Unpacks to too much.' })
  expect([value().opening, value().shown]).toEqual(['reading', { file: 'whole' }])
  expect([machine.file()?.share(), machine.file()?.damage()]).toEqual([
    1,
    [{ message: 'unpacks to too much' }],
  ])
})

test('a file is closed while it is read: its reader ends, and it reports nothing', async () => {
  const { machine, open, actions, value } = start()
  const reader = await open('first')
  await reader.send(...beginning())
  const file = machine.file()
  machine.close()
  expect([machine.file(), reader.isEnded(), actions()]).toEqual([
    undefined,
    true,
    [{ type: 'reset' }, { type: 'reset' }],
  ])
  expect([value().opening, file?.damage()]).toEqual(['idle', []])
})

test('only a file that is not placed is shown at its end', async () => {
  const { open, actions } = start()
  await (await open('placed', true)).send(...beginning())
  expect(actions()).toEqual([])
  await (await open('other')).send(...beginning())
  expect(actions()).toEqual([{ type: 'reset' }])
})

test('a file whose console ended before it was opened is opened by the next one, and only then', async () => {
  const file = new File(['x'], 'x')
  const first = start()
  first.machine.openOnce(file, true)
  await settled()
  first.end()
  const end = first.machine.begin()
  first.machine.openOnce(file, true)
  await settled()
  expect(first.value().opening).toBe('reading')
  first.machine.send({ type: 'file.canceled' })
  end()
  const second = start()
  second.machine.openOnce(file, true)
  await settled()
  expect(second.value().opening).toBe('reading')
})

test('a recording that is converted does not replace a file that was opened later', async () => {
  const { machine, show, open } = start()
  const { promise, resolve } = Promise.withResolvers<Blob>()
  show({ download: () => promise })
  machine.derive()
  const reader = await open('later')
  resolve(new Blob(['x']))
  await reader.send(...beginning())
  expect(machine.file()?.name).toBe('later')
})

test('a recording that can’t be converted is refused with the reason', async () => {
  const { machine, value } = start()
  machine.derive()
  await settled()
  expect([value().opening, machine.nameOfOpening(), machine.state().context.refusal]).toEqual([
    'refused',
    'This recording so far',
    'The app does not respond.',
  ])
})

test('each thing that the trace is left for is done or declined, once', async () => {
  const { machine, show, value, end } = start()
  const done: string[] = []
  const leave = (name: string) =>
    machine.leave(
      () => done.push(`go ${name}`),
      () => done.push(`stay ${name}`),
    )
  leave('a')
  expect(done.splice(0)).toEqual(['go a'])
  machine.send({ type: 'notes.changed', isUnsaved: true })
  leave('b')
  leave('c')
  expect([value().leaving, done.splice(0)]).toEqual(['asking', ['stay b']])
  machine.decline()
  expect(done.splice(0)).toEqual(['stay c'])
  leave('d')
  machine.send({ type: 'leave.save' })
  await settled()
  expect([value().leaving, done.splice(0)]).toEqual(['idle', ['stay d']])
  show({ save: () => Promise.resolve(true) })
  leave('e')
  machine.send({ type: 'leave.save' })
  await settled()
  expect([value().leaving, done.splice(0)]).toEqual(['idle', ['go e']])
  leave('f')
  end()
  expect(done).toEqual(['stay f'])
})

test.each<[string, Shown, PlaceAction[]]>([
  ['live, at the end', { isLive: true, isFollowing: true, at: 2 }, [{ type: 'moment', seq: 2 }]],
  ['paused at the end of a live trace', { isLive: true, isFollowing: false, at: 2 }, [{ type: 'end' }]],
  ['paused before the end of a live trace', { isLive: true, isFollowing: false, at: 1 }, []],
  ['at the end of a file', { isLive: false, isFollowing: true, at: 2 }, [{ type: 'moment', seq: 0 }]],
])('the space bar, %s', (_, situation, done) => {
  const { machine, show, actions } = start()
  show(situation)
  machine.playback.toggle()
  expect(actions()).toEqual(done)
})

test('plays to the end of a live trace that grows, and follows it from then on', () => {
  const { machine, show, actions, value } = start()
  show({ isLive: true, isFollowing: false, at: 0, size: 2 })
  machine.playback.toggle()
  frame(0)
  show({ isLive: true, isFollowing: false, at: 0, size: 3 })
  frame(5_000)
  expect([value().playback, actions()]).toEqual(['stopped', [{ type: 'moment', seq: 2 }, { type: 'end' }]])
})

test('plays on as a file is read, and stops at its end', async () => {
  const { machine, show, open, actions, value } = start()
  const reader = await open('long')
  await reader.send(...beginning())
  actions()
  show({ at: 0, size: 2 })
  machine.playback.toggle()
  frame(0)
  frame(5_000)
  expect([value().playback, actions()]).toEqual(['playing', [{ type: 'moment', seq: 1 }]])
  show({ at: 1, size: 3 })
  await reader.send(END)
  frame(10_000)
  expect([value().playback, actions()]).toEqual(['stopped', [{ type: 'moment', seq: 2 }]])
})

test('a moment that the user selects while it plays is where it continues', () => {
  const { machine, show, actions } = start()
  show({ at: 2, isFollowing: true })
  machine.playback.toggle()
  frame(0)
  show({ at: 1, isFollowing: false })
  actions()
  frame(5_000)
  expect(actions()).toEqual([{ type: 'moment', seq: 2 }])
})

test('a failed save can be repeated or dismissed', async () => {
  const { machine, value } = start()
  machine.save()
  await settled()
  expect([value().saving, machine.state().context.failure, machine.isSaved()]).toEqual([
    'failed',
    'The app does not respond.',
    false,
  ])
  machine.send({ type: 'failure.dismissed' })
  expect(value().saving).toBe('idle')
})
