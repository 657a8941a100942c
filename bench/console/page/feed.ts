// A live trace that is made up: machines that move, at a rate, in the page.
import type { ActorEntry, MachineChart, TraceSource, ViewRecord } from '../../../src/trace/format.ts'

const ACTORS = 40
const STATES = ['idle', 'loading', 'ready', 'stale'] as const

const chart: MachineChart = {
  id: 'berth',
  hash: 'bench',
  root: {
    path: '',
    key: 'berth',
    type: 'compound',
    initial: 'idle',
    entry: [],
    exit: [],
    invoke: [],
    tags: [],
    transitions: [],
    states: STATES.map((path, at) => ({
      path,
      key: path,
      type: 'atomic',
      states: [],
      entry: [],
      exit: [],
      invoke: [],
      tags: [],
      transitions: [
        { event: `to.${STATES[(at + 1) % 4]}`, targets: [STATES[(at + 1) % 4] ?? 'idle'], actions: [] },
      ],
    })),
  },
}

/** A trace that grows by `append`. */
export function createFeed() {
  const views: ViewRecord[] = []
  const listeners = new Set<() => void>()
  const actors: ActorEntry[] = Array.from({ length: ACTORS }, (_, index) => ({
    line: 'actor',
    index,
    path: index === 0 ? 'harbour' : `harbour/berth.${index}`,
    kind: 'machine',
    src: 'berth',
    ...(index > 0 && { parent: 0 }),
  }))
  const source: TraceSource = {
    live: true,
    header: {
      line: 'header',
      format: 2,
      system: 'bench',
      appVersion: '0',
      xstateVersion: '5',
      startedAt: '2026-01-01T00:00:00.000Z',
      input: {},
      machines: { berth: chart },
      redaction: { policy: 'none' },
    },
    actors,
    stimuli: [],
    views,
    damage: [],
    version: () => views.length,
    subscribe: listener => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
  const append = (count: number, t: number) => {
    for (let n = 0; n < count; n++) views.push(viewOf(views.length, t))
    for (const listener of listeners) listener()
  }
  return { source, append, listeners: () => listeners.size }
}

/** What happens in the n-th step: the same for whoever takes the feed. */
export function stepOf(n: number) {
  const actor = n % ACTORS
  const state = STATES[Math.floor(n / ACTORS) % 4] ?? 'idle'
  return {
    actor,
    state,
    type: `to.${state}`,
    context: { n, berth: { length: n % 30, name: `berth ${actor}` } },
  }
}

function viewOf(seq: number, t: number): ViewRecord {
  const { actor, state, type, context } = stepOf(seq)
  return {
    line: 'view',
    seq,
    t,
    actor,
    event: { type, n: seq },
    cause: -1,
    status: 'active',
    value: state,
    context,
    changed: true,
    ...(seq % 5 > 0 && { by: seq - 1, from: (seq - 1) % ACTORS }),
  }
}
