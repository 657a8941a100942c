// Systems with a bug that only a rare order of events causes, and long random runs in which it shows.
import {
  assign,
  createMachine,
  enqueueActions,
  fromCallback,
  sendTo,
  setup,
  type AnyActorLogic,
  type AnyEventObject,
} from 'xstate'
import { createSeededEntropy } from '../../src/services/runtime/entropy.ts'
import { record } from '../../src/services/recording/record.ts'
import { createVirtualClock } from '../../src/testing/virtual-clock.ts'
import type { ReplayableTrace } from '../../src/trace/format/trace-source.ts'
import type { DrivenRun } from '../../src/services/replay/minimize/minimize.ts'

/** A system, its events, and how it fails. */
export interface PlantedBug {
  readonly name: string
  readonly logic: () => AnyActorLogic
  /** Events from outside; one of them is sent in each turn. */
  readonly events: readonly AnyEventObject[]
  /** How many stimuli cause it, without timers; a response needs no request, since a leaf may always send. */
  readonly needs: number
  readonly fails: (run: DrivenRun) => boolean
}

/** Responses that leaves still have to give; a random one of them is given from time to time. */
type Answers = (() => void)[]
let answers: Answers = []

/** A leaf that answers each request when the test decides. */
const oracle = fromCallback<AnyEventObject>(({ sendBack, receive }) => {
  receive(event => {
    if (event.type !== 'ask') return
    answers.push(() => sendBack({ type: 'answer', question: event['question'] as number }))
  })
})

const contextOf = ({ actor }: DrivenRun): Record<string, unknown> =>
  (actor.getSnapshot() as { readonly context: Record<string, unknown> }).context
const isIn =
  (state: string) =>
  ({ actor }: DrivenRun): boolean =>
    (actor.getSnapshot() as { readonly value: unknown }).value === state

const types = (...names: readonly string[]): AnyEventObject[] => names.map(type => ({ type }))
const NOISE = types('hail', 'log', 'ring', 'signal', 'wait', 'look')

/** Steps that must come in this order, each one undone by its opposite. */
const ladder = (steps: readonly string[], undo: string) =>
  createMachine({
    id: 'ladder',
    initial: 's0',
    states: Object.fromEntries([
      ...steps.map((step, at) => [
        `s${at}`,
        { on: { [step]: `s${at + 1}`, ...(at > 0 && { [undo]: 's0' }) } },
      ]),
      [`s${steps.length}`, {}],
    ]) as Record<string, object>,
  })

const counting = () =>
  setup({
    types: { context: {} as { frozen: boolean; paid: number } },
    actions: {
      freeze: assign({ frozen: true }),
      thaw: assign({ frozen: false, paid: 0 }),
      pay: assign(({ context }) => ({ paid: context.paid + (context.frozen ? 1 : 0) })),
    },
  }).createMachine({
    id: 'till',
    context: { frozen: false, paid: 0 },
    on: { freeze: { actions: 'freeze' }, thaw: { actions: 'thaw' }, pay: { actions: 'pay' } },
  })

const racing = () =>
  setup({
    types: {
      context: {} as { asked: number; shown: number; isWrong: boolean },
      events: {} as AnyEventObject,
    },
    actors: { oracle },
    actions: {
      ask: enqueueActions(({ context, enqueue }) => {
        enqueue.assign({ asked: context.asked + 1 })
        enqueue.sendTo('oracle', { type: 'ask', question: context.asked + 1 })
      }),
      // A late, older response overwrites a newer one.
      show: assign(({ context, event }) => ({
        shown: event['question'] as number,
        isWrong: context.isWrong || (event['question'] as number) < context.shown,
      })),
    },
  }).createMachine({
    id: 'search',
    context: { asked: 0, shown: 0, isWrong: false },
    invoke: { id: 'oracle', src: 'oracle' },
    on: { search: { actions: 'ask' }, answer: { actions: 'show' } },
  })

const timed = () =>
  createMachine({
    id: 'lamp',
    initial: 'dark',
    states: {
      dark: { on: { light: 'lit' } },
      lit: { on: { douse: 'dark', trim: 'trimmed' } },
      trimmed: { on: { douse: 'dark' }, after: { 1500: 'smoking' } },
      smoking: { on: { trim: 'burnt', douse: 'dark' } },
      burnt: {},
    },
  })

const keel = createMachine({
  id: 'keel',
  initial: 'sound',
  states: {
    sound: { on: { knock: 'cracked' } },
    cracked: { on: { knock: 'lost', mend: 'sound' } },
    lost: { type: 'final' },
  },
})

const spawning = () =>
  setup({
    types: { context: {} as { built: number; lost: number }, events: {} as AnyEventObject },
    actors: { keel },
    actions: {
      build: enqueueActions(({ context, enqueue }) => {
        if (context.built >= 40) return
        enqueue.spawnChild('keel', { id: `keel-${context.built}` })
        enqueue.assign({ built: context.built + 1 })
      }),
      knock: enqueueActions(({ context, event, enqueue }) => {
        const at = (event['at'] as number | undefined) ?? 0
        if (at < context.built) enqueue.sendTo(`keel-${at}`, { type: 'knock' })
      }),
    },
  }).createMachine({
    id: 'yard',
    context: { built: 0, lost: 0 },
    on: {
      build: { actions: 'build' },
      knock: { actions: 'knock' },
      'xstate.done.actor.keel-2': { actions: assign({ lost: ({ context }) => context.lost + 1 }) },
    },
  })

const parallel = () =>
  createMachine({
    id: 'lock',
    type: 'parallel',
    states: {
      upper: {
        initial: 'shut',
        states: { shut: { on: { raise: 'open' } }, open: { on: { lower: 'shut' } } },
      },
      // It does not check the upper gate after a ship has been in.
      lower: {
        initial: 'shut',
        states: {
          shut: { on: { enter: 'ready' } },
          ready: { on: { raise: 'shut', drain: 'open' } },
          open: { on: { fill: 'shut' } },
        },
      },
    },
  })

const remembering = () =>
  createMachine({
    id: 'watch',
    initial: 'ashore',
    states: {
      ashore: { on: { board: 'aboard.past' } },
      aboard: {
        initial: 'deck',
        on: { leave: 'ashore' },
        states: {
          deck: { on: { below: 'hold' } },
          hold: { on: { above: 'deck' } },
          past: { type: 'history' },
        },
      },
    },
  })

const combining = () =>
  setup({
    types: { context: {} as { tail: string }, events: {} as AnyEventObject },
    actions: {
      turn: assign(({ context, event }) => ({ tail: `${context.tail}${event['digit']}`.slice(-3) })),
    },
  }).createMachine({ id: 'safe', context: { tail: '' }, on: { turn: { actions: 'turn' } } })

const chained = () =>
  setup({
    actors: { oracle },
    actions: {
      ask: sendTo('oracle', ({ event }) => ({ type: 'ask', question: event.type === 'search' ? 1 : 2 })),
    },
  }).createMachine({
    id: 'pilot',
    initial: 'idle',
    invoke: { id: 'oracle', src: 'oracle' },
    on: { cancel: '.idle' },
    states: {
      idle: { on: { search: { target: 'asking', actions: 'ask' }, answer: 'haunted' } },
      asking: { on: { answer: 'told' } },
      told: { on: { search: { target: 'asking', actions: 'ask' } } },
      haunted: {},
    },
  })

/** All of them. */
export const PLANTED_BUGS: readonly PlantedBug[] = [
  {
    name: 'five steps in one order',
    logic: () => ladder(['cast', 'haul', 'set', 'tack', 'reef'], 'strike'),
    events: [...types('cast', 'haul', 'set', 'tack', 'reef', 'strike', 'strike', 'strike'), ...NOISE],
    needs: 5,
    fails: isIn('s5'),
  },
  {
    name: 'the same event twelve times, without an undo in between',
    logic: () =>
      ladder(
        Array.from({ length: 12 }, () => 'pull'),
        'slip',
      ),
    events: types('pull', 'pull', 'slip', 'slip', 'ring'),
    needs: 12,
    fails: isIn('s12'),
  },
  {
    name: 'four payments while frozen',
    logic: counting,
    events: [...types('freeze', 'thaw', 'pay', 'pay'), ...NOISE],
    needs: 5,
    fails: run => contextOf(run)['paid'] === 4,
  },
  {
    name: 'an older response overwrites a newer one',
    logic: racing,
    events: [...types('search'), ...NOISE],
    needs: 2,
    fails: run => contextOf(run)['isWrong'] === true,
  },
  {
    name: 'a timer that is never stopped',
    logic: timed,
    events: [...types('light', 'douse', 'trim'), ...NOISE],
    needs: 3,
    fails: isIn('burnt'),
  },
  {
    name: 'the third of several children, hit twice',
    logic: spawning,
    events: [...types('build'), ...[0, 1, 2, 3, 4].map(at => ({ type: 'knock', at })), ...NOISE],
    needs: 5,
    fails: run => contextOf(run)['lost'] === 1,
  },
  {
    name: 'both gates open',
    logic: parallel,
    events: [...types('raise', 'lower', 'enter', 'drain', 'fill'), ...NOISE],
    needs: 3,
    fails: ({ actor }) =>
      JSON.stringify((actor.getSnapshot() as { value: unknown }).value) === '{"upper":"open","lower":"open"}',
  },
  {
    name: 'history brings back the hold',
    logic: remembering,
    events: [...types('board', 'leave', 'below', 'above'), ...NOISE],
    needs: 4,
    fails: run => isBackBelow(run),
  },
  {
    name: 'a combination of payloads',
    logic: combining,
    events: [...[1, 2, 3, 4].map(digit => ({ type: 'turn', digit })), ...NOISE],
    needs: 3,
    fails: run => contextOf(run)['tail'] === '314',
  },
  {
    name: 'the response to a canceled request',
    logic: chained,
    events: [...types('search', 'cancel'), ...NOISE],
    needs: 1,
    fails: isIn('haunted'),
  },
]

/** Below deck right after boarding. */
function isBackBelow({ actor, trace }: DrivenRun): boolean {
  const last = trace.stimuli.at(-1)?.event as { readonly type?: string } | undefined
  const { value } = actor.getSnapshot() as { readonly value: unknown }
  const isChange = trace.steps.at(-1)?.changed
  return last?.type === 'board' && isChange === true && JSON.stringify(value) === '{"aboard":"hold"}'
}

/** A random run of this many events, in which the bug shows at the end at the latest. */
export function runWithBug({ logic, events }: PlantedBug, count: number, seed: number): ReplayableTrace {
  const clock = createVirtualClock()
  const { random } = createSeededEntropy(seed)
  answers = []
  const recording = record(logic(), { clock, system: 'planted' })
  recording.actor.start()
  for (let left = count; left > 0; left--) {
    const dice = random()
    if (dice < 0.1) clock.advance(Math.floor(random() * 900))
    else if (dice < 0.4 && answers.length > 0) answers.splice(Math.floor(random() * answers.length), 1)[0]?.()
    else recording.actor.send(events[Math.floor(random() * events.length)] as AnyEventObject)
  }
  return recording.trace
}
