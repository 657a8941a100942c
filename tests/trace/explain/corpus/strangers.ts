// Machines of other people: XState's own examples, lamps, kettles, generated systems, and foreign recordings.
import { form, light, yard } from '../../../harness/example-machines.ts'
import { foreignTrace, inspectedRun } from '../../../harness/inspected.ts'
import { recordedKettle } from '../../../harness/kettle.ts'
import { lamp } from '../../../harness/lamp.ts'
import { recordGenerated } from '../../../harness/generated-run.ts'
import { cutTrace } from '../cut-trace.ts'
import { actor, step, type Situation } from './situation.ts'
import {
  toggle,
  door,
  player,
  microwave,
  fetcher,
  brittle,
  ping,
  host,
  relay,
  debounce,
  counter,
} from './stranger-machines.ts'
import { stranger } from './stranger-run.ts'

const env = { now: () => 0, random: () => 0.5, id: () => 'id' }
const states: readonly Situation[] = [
  stranger('a toggle is on', toggle, ({ send }) => send({ type: 'toggle' }), actor('toggle'), {
    mentions: ['toggle', 'active', 'app'],
    reason: ['toggle', 'toggle'],
    evidence: [{ kind: 'command', event: 'toggle' }],
  }),
  stranger('a toggle was never touched', toggle, () => undefined, actor('toggle'), {
    mentions: ['inactive', 'start'],
    reason: ['toggle', 'xstate.init'],
    evidence: [{ kind: 'start' }],
  }),
  stranger('a light is red', light(), ({ advance }) => advance(1_450), actor('light'), {
    mentions: ['light', 'red', '400 ms', 'yellow'],
    reason: ['light', 'xstate.after.400.light.yellow'],
    evidence: [{ kind: 'timer', delay: 400 }],
  }),
  stranger(
    'a light turned yellow',
    light(),
    ({ advance }) => advance(1_100),
    step('light', 'xstate.after.1000.light.green'),
    {
      mentions: ['green', 'yellow', '1 s'],
      reason: ['light', 'xstate.after.1000.light.green'],
      evidence: [{ kind: 'timer', delay: 1_000 }],
    },
  ),
  stranger(
    'one region of a player',
    player,
    ({ send }) => (send({ type: 'play' }), send({ type: 'mute' })),
    step('player', 'play'),
    {
      mentions: ['play', 'playing'],
      omits: ['muted'],
      reason: ['player', 'play'],
      evidence: [{ kind: 'command', event: 'play' }],
    },
  ),
  stranger('a microwave is ready', microwave, ({ send }) => send({ type: 'POWER' }), actor('microwave'), {
    mentions: ['ready', 'timer', 'TICK', 'isDone'],
    reason: ['microwave', 'TICK'],
    evidence: [
      { kind: 'event', event: 'TICK', from: 'microwave/timer' },
      { kind: 'guard', guard: 'isDone', holds: true },
    ],
  }),
  stranger('a raised event', relay, ({ send }) => send({ type: 'next' }), actor('relay'), {
    mentions: ['relay', 'b', 'next'],
    reason: ['relay', 'next'],
    evidence: [{ kind: 'command', event: 'next' }],
  }),
  stranger(
    'a debounced search',
    debounce,
    async ({ send, advance }) => {
      send({ type: 'type' })
      await advance(200)
      send({ type: 'type' })
      await advance(400)
    },
    actor('debounce'),
    {
      mentions: ['searching', '300 ms', 'typing'],
      reason: ['debounce', 'xstate.after.300.debounce.typing'],
      evidence: [{ kind: 'timer', delay: 300 }],
    },
  ),
  stranger(
    'an event of an actor without states',
    counter,
    ({ send }) => send({ type: 'inc' }),
    ({ steps }) => ({ step: steps.at(-1)?.seq ?? -1 }),
    {
      mentions: ['inc', 'app'],
      reason: ['(anonymous)', 'inc'],
      evidence: [{ kind: 'command', event: 'inc' }],
    },
  ),
  {
    name: 'a kettle is cold again',
    record: () => recordedKettle(),
    question: step('kettle', 'xstate.after.100.kettle.boiling'),
    expected: {
      mentions: ['boiling', 'cold', '100 ms'],
      reason: ['kettle', 'xstate.after.100.kettle.boiling'],
      evidence: [{ kind: 'timer', delay: 100 }],
    },
  },
  {
    name: 'a kettle is stopped',
    record: () => recordedKettle(),
    question: actor('kettle'),
    expected: {
      mentions: ['cold', 'stop', 'app'],
      reason: ['kettle', 'stop'],
      evidence: [{ kind: 'command', event: 'stop' }],
    },
  },
]

const silence: readonly Situation[] = [
  stranger('a guard said no', door, ({ send }) => send({ type: 'unlock' }), step('door', 'unlock'), {
    mentions: ['unlock', 'nothing', 'hasKey', 'locked'],
    reason: ['door', 'unlock'],
    evidence: [{ kind: 'guard', guard: 'hasKey', holds: false }],
  }),
  stranger('a composed guard said no', door, ({ send }) => send({ type: 'force' }), step('door', 'force'), {
    mentions: ['force', 'nothing', 'locked', 'condition'],
    reason: ['door', 'force'],
  }),
  stranger('an event of another state', door, ({ send }) => send({ type: 'lock' }), step('door', 'lock'), {
    mentions: ['lock', 'nothing', 'locked', 'unlocked'],
    reason: ['door', 'lock'],
    evidence: [{ kind: 'command', event: 'lock' }],
  }),
  stranger('an unknown event', door, ({ send }) => send({ type: 'knock' }), step('door', 'knock'), {
    mentions: ['knock', 'nothing', 'no state'],
    reason: ['door', 'knock'],
  }),
  stranger(
    'an event that changed only the context',
    door,
    ({ send }) => send({ type: 'key.find' }),
    step('door', 'key.find'),
    {
      mentions: ['key.find', 'locked'],
      omits: ['nothing'],
      reason: ['door', 'key.find'],
    },
  ),
  stranger(
    'a guard said yes',
    door,
    ({ send }) => (send({ type: 'key.find' }), send({ type: 'unlock' })),
    actor('door'),
    {
      mentions: ['unlocked', 'unlock', 'hasKey'],
      reason: ['door', 'unlock'],
      evidence: [
        { kind: 'command', event: 'unlock' },
        { kind: 'guard', guard: 'hasKey', holds: true },
      ],
    },
  ),
  stranger(
    'a click on a form that is being sent',
    form(),
    ({ send }) => (send({ type: 'submit' }), send({ type: 'submit' })),
    step('form', 'submit'),
    {
      mentions: ['submit', 'nothing', 'submitting', 'editing'],
      reason: ['form', 'submit'],
      evidence: [{ kind: 'command', event: 'submit' }],
    },
  ),
]

const ends: readonly Situation[] = [
  stranger(
    'a list is loaded',
    fetcher(false),
    async ({ send, advance }) => (send({ type: 'FETCH' }), await advance(10)),
    actor('fetcher'),
    {
      mentions: ['success', 'load', 'finished'],
      reason: ['fetcher/load', 'xstate.promise.resolve'],
      evidence: [{ kind: 'result', actor: 'fetcher/load' }],
    },
  ),
  stranger(
    'a list fails to load',
    fetcher(true),
    async ({ send, advance }) => (send({ type: 'FETCH' }), await advance(10)),
    actor('fetcher'),
    {
      mentions: ['failure', 'load', 'The list is empty.'],
      reason: ['fetcher/load', 'xstate.promise.reject'],
      evidence: [{ kind: 'error', actor: 'fetcher/load', message: 'The list is empty.' }],
      next: '2 s',
    },
  ),
  stranger(
    'a list is loaded again',
    fetcher(true),
    async ({ send, advance }) => (send({ type: 'FETCH' }), await advance(2_000)),
    step('fetcher', 'xstate.after.2000.fetcher.failure'),
    {
      mentions: ['loading', '2 s', 'failure'],
      reason: ['fetcher', 'xstate.after.2000.fetcher.failure'],
      evidence: [{ kind: 'timer', delay: 2_000 }],
    },
  ),
  stranger('a machine fails with its child', brittle, async ({ advance }) => advance(10), actor('brittle'), {
    mentions: ['brittle', 'failed', 'Broken pipe.'],
    reason: ['brittle/load', 'xstate.promise.reject'],
    evidence: [{ kind: 'error', actor: 'brittle/load' }],
  }),
  stranger(
    'a child stopped with the state of its parent',
    host,
    ({ send }) => send({ type: 'leave' }),
    actor('host/worker'),
    {
      mentions: ['worker', 'stopped', 'host', 'leave'],
      reason: ['host', 'leave'],
      evidence: [{ kind: 'command', event: 'leave' }],
    },
  ),
  stranger('a system was stopped', host, ({ stop }) => stop(), actor('host'), {
    mentions: ['host', 'stopped', 'app'],
    reason: ['host', 'xstate.stop'],
  }),
  stranger('a child answered', ping, ({ send }) => send({ type: 'SERVE' }), actor('ping'), {
    mentions: ['won', 'PONG', 'pong', 'SERVE'],
    reason: ['ping', 'SERVE'],
    evidence: [{ kind: 'command', event: 'SERVE' }],
  }),
  stranger('who sent this?', ping, ({ send }) => send({ type: 'SERVE' }), step('ping/pong', 'PING'), {
    mentions: ['PING', 'ping', 'SERVE'],
    reason: ['ping', 'SERVE'],
    evidence: [
      { kind: 'command', event: 'SERVE' },
      { kind: 'event', event: 'PING', from: 'ping' },
    ],
  }),
  stranger(
    'a keel was lost',
    yard(),
    ({ send }) => (send({ type: 'build' }), send({ type: 'knock', at: 0 }), send({ type: 'knock', at: 0 })),
    actor('yard/keel-0'),
    {
      mentions: ['keel-0', 'lost', 'knock', 'yard'],
      reason: ['yard', 'knock'],
      evidence: [{ kind: 'command', event: 'knock' }],
    },
  ),
  stranger(
    'who started this child?',
    yard(),
    ({ send }) => send({ type: 'build' }),
    step('yard/keel-0', 'xstate.init'),
    {
      mentions: ['keel-0', 'start', 'yard', 'build'],
      reason: ['yard', 'build'],
      evidence: [{ kind: 'command', event: 'build' }],
    },
  ),
  stranger(
    'a lamp without a bulb',
    lamp(env),
    async ({ send, advance }) => (send({ type: 'switch', by: 'me' }), await advance(5)),
    actor('lamp'),
    {
      mentions: ['dark', 'bulb', 'no bulb'],
      reason: ['lamp/bulb', 'xstate.promise.reject'],
      evidence: [{ kind: 'error', actor: 'lamp/bulb', message: 'no bulb' }],
    },
  ),
  stranger(
    'a lamp fetches again',
    lamp(env),
    async ({ send, advance }) => (send({ type: 'switch', by: 'me' }), await advance(16)),
    step('lamp', 'xstate.after.flicker.lamp.dark'),
    {
      mentions: ['fetching', 'dark'],
      reason: ['lamp', 'xstate.after.flicker.lamp.dark'],
      evidence: [{ kind: 'timer' }],
    },
  ),
]

const inspectedDoor = async () =>
  foreignTrace(
    (await inspectedRun(door, root => (root.send({ type: 'key.find' }), root.send({ type: 'unlock' }))))
      .messages,
  )

const others: readonly Situation[] = [
  {
    name: 'a foreign recording: a door is open',
    record: inspectedDoor,
    question: actor('door'),
    expected: {
      mentions: ['unlocked', 'unlock'],
      reason: ['door', 'unlock'],
    },
  },
  {
    name: 'a foreign recording: a guard said no',
    record: async () =>
      foreignTrace((await inspectedRun(door, root => root.send({ type: 'unlock' }))).messages),
    question: step('door', 'unlock'),
    expected: {
      mentions: ['unlock', 'nothing', 'hasKey'],
      reason: ['door', 'unlock'],
    },
  },
  {
    name: 'a foreign recording: a child answered',
    record: async () =>
      foreignTrace((await inspectedRun(ping, root => root.send({ type: 'SERVE' }))).messages),
    question: actor('ping'),
    expected: {
      mentions: ['won', 'PONG'],
      reason: ['ping', 'SERVE'],
    },
  },
  {
    name: 'a generated system',
    record: async () => (await recordGenerated(3)).recording.trace,
    question: ({ steps, actors }) => {
      const last = steps.findLast(
        ({ from, by, event }) => from === undefined && by === undefined && !event.type.startsWith('xstate.'),
      )
      return { step: last?.seq ?? actors.length }
    },
    expected: { mentions: ['app'], reason: ['', ''] },
  },
  {
    name: 'a recording whose beginning is cut',
    record: async () => cutTrace(await recordedKettle(), 9),
    question: () => ({ step: 0 }),
    expected: { unknown: true },
  },
  {
    name: 'a cut recording: the state is older',
    record: async () => cutTrace(await recordedKettle(), 10),
    question: ({ actors }) => ({ actor: actors[0]?.path ?? '', at: 1 }),
    expected: { unknown: true },
  },
  {
    name: 'an actor that is not in the recording',
    record: () => recordedKettle(),
    question: actor('kettle/lid'),
    expected: { unknown: true },
  },
  {
    name: 'a step that is not in the recording',
    record: () => recordedKettle(),
    question: () => ({ step: 9_999 }),
    expected: { unknown: true },
  },
  {
    name: 'a status of another system',
    record: () => recordedKettle(),
    question: () => ({ status: 'signedOut' }),
    expected: { unknown: true },
  },
  {
    name: 'an actor before its start',
    record: () => recordedKettle(),
    question: () => ({ actor: 'kettle/water', at: 1 }),
    expected: { unknown: true },
  },
]

export const strangers: readonly Situation[] = [...states, ...silence, ...ends, ...others]
