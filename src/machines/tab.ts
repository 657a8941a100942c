// One tab of a session: competes for leadership, and exchanges changes of the stored session with the other
// tabs.
import { assign, sendParent, sendTo, setup } from 'xstate'
import type { Token } from './expiry.ts'
import type { SignedOutReason } from './failure.ts'
import { eventParams } from './event-params.ts'
import {
  leadership,
  tabs,
  type EnvironmentEvent,
  type LeadershipEvent,
  type StoredChanged,
  type TabsCommand,
  type TabsEvent,
} from './ports.ts'
import type { TabRole } from './refresh-schedule.ts'
import type { Timings } from './timings.ts'

export type TabCommand =
  | { readonly type: 'session.started'; readonly token: Token }
  | { readonly type: 'session.ended'; readonly reason: SignedOutReason }
  | { readonly type: 'token.rotated' | 'token.adopted'; readonly token: Token; readonly adopted?: true }
  | { readonly type: 'realtime.wanted'; readonly wanted: boolean }

/** Events that the tab sends to the client. */
export type TabReport = { readonly type: 'tab.role'; readonly role: TabRole } | StoredChanged

export interface TabContext {
  readonly timings: Timings
  readonly hasSession: boolean
  readonly visible: boolean
  readonly frozen: boolean
  readonly wanted: boolean
}

/** Session ends that other tabs need to learn of; the others they know already, or do not concern them. */
const OWN_ENDS: ReadonlySet<SignedOutReason> = new Set([
  'userLocal',
  'userGlobal',
  'remoteRevoked',
  'notFound',
  'reuseDetected',
  'inactivity',
  'timebox',
  'newerLogin',
  'lowAal',
  'banned',
])

/** Notifies other tabs of what this tab stored. */
const tellOwn = {
  guard: { type: 'isOwn', params: eventParams },
  actions: { type: 'tellTabs', params: { what: 'written' } },
} as const
const unlessFit = { guard: 'isUnfit', target: 'deciding' } as const

export const tabMachine = setup({
  types: {
    context: {} as TabContext,
    events: {} as TabCommand | EnvironmentEvent | LeadershipEvent | TabsEvent,
    input: {} as { timings: Timings },
  },
  actors: { leadership, tabs },
  delays: { electTimeout: ({ context }) => context.timings.electTimeout },
  guards: {
    isFrozen: ({ context }) => context.frozen,
    isAwake: ({ context }) => !context.frozen,
    hasSession: ({ context }) => context.hasSession,
    /** A hidden tab that needs no token leaves leadership to others. */
    isUnneeded: ({ context }) => !context.visible && !context.wanted,
    isNeeded: ({ context }) => context.visible || context.wanted,
    isUnfit: ({ context }) => !context.hasSession || (!context.visible && !context.wanted),
    hasNone: ({ context }) => !context.hasSession,
    isOwn: (_, { adopted }: { adopted?: true }) => adopted !== true,
    isOwnEnd: (_, { reason }: { reason: SignedOutReason }) => OWN_ENDS.has(reason),
  },
  actions: {
    keepEnvironment: assign((_, { visible, frozen = false }: { visible: boolean; frozen?: boolean }) => {
      return { visible, frozen }
    }),
    keepWanted: assign((_, { wanted }: { wanted: boolean }) => ({ wanted })),
    keepSession: assign((_, { has }: { has: boolean }) => ({ hasSession: has })),
    tellRole: sendParent(
      (_, { role }: { role: TabRole }) => ({ type: 'tab.role', role }) satisfies TabReport,
    ),
    tellClient: sendParent((_, changed: StoredChanged): TabReport => changed),
    tellTabs: sendTo('tabs', (_, { what }: Pick<TabsCommand, 'what'>) => {
      return { type: 'tabs.tell', what } satisfies TabsCommand
    }),
  },
}).createMachine({
  id: 'tab',
  context: ({ input }) => ({ ...input, hasSession: false, visible: true, frozen: false, wanted: false }),
  initial: 'awake',
  on: {
    'environment.changed': { actions: { type: 'keepEnvironment', params: eventParams } },
    'realtime.wanted': { actions: { type: 'keepWanted', params: eventParams } },
    'session.started': { actions: { type: 'keepSession', params: { has: true } } },
    'session.ended': { actions: { type: 'keepSession', params: { has: false } } },
  },
  states: {
    frozen: {
      description: 'Holds no lock that another tab could wait for.',
      always: { guard: 'isAwake', target: 'awake' },
    },
    awake: {
      invoke: { id: 'tabs', src: 'tabs' },
      always: { guard: 'isFrozen', target: 'frozen' },
      initial: 'deciding',
      on: {
        'stored.changed': { actions: { type: 'tellClient', params: eventParams } },
        'session.started': {
          actions: [
            { type: 'keepSession', params: { has: true } },
            { type: 'tellTabs', params: { what: 'written' } },
          ],
        },
        'token.rotated': tellOwn,
        'token.adopted': tellOwn,
        'session.ended': [
          {
            guard: { type: 'isOwnEnd', params: eventParams },
            actions: [
              { type: 'keepSession', params: { has: false } },
              { type: 'tellTabs', params: { what: 'removed' } },
            ],
          },
          { actions: { type: 'keepSession', params: { has: false } } },
        ],
      },
      states: {
        deciding: {
          always: [
            { guard: 'hasNone', target: 'idle' },
            { guard: 'isUnneeded', target: 'resting' },
            { target: 'standing' },
          ],
        },
        idle: {
          description: 'No session, so no leader is needed.',
          always: { guard: 'hasSession', target: 'deciding' },
        },
        resting: {
          description: 'The page is hidden and needs no token: other tabs may lead.',
          entry: { type: 'tellRole', params: { role: 'follower' } },
          always: [
            { guard: 'hasNone', target: 'deciding' },
            { guard: 'isNeeded', target: 'deciding' },
          ],
        },
        alone: {
          description: 'No locks in this browser: each tab refreshes independently.',
          entry: { type: 'tellRole', params: { role: 'alone' } },
          always: { guard: 'hasNone', target: 'deciding' },
        },
        standing: {
          always: unlessFit,
          invoke: { id: 'leadership', src: 'leadership' },
          initial: 'electing',
          on: {
            'leadership.gained': '.leader',
            'leadership.unavailable': 'alone',
            'port.broken': 'alone',
          },
          states: {
            electing: {
              entry: { type: 'tellRole', params: { role: 'electing' } },
              after: { electTimeout: 'follower' },
            },
            leader: {
              description: 'Performs the scheduled refreshes.',
              entry: { type: 'tellRole', params: { role: 'leader' } },
              on: { 'leadership.lost': { target: '#tab.awake.standing', reenter: true } },
            },
            follower: {
              description: 'Waits for leadership and adopts the sessions that the leader stores.',
              entry: { type: 'tellRole', params: { role: 'follower' } },
            },
          },
        },
      },
    },
  },
})
