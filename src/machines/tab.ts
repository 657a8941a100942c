// One tab of a session: competes for leadership, and exchanges changes of the stored session with the other
// tabs.
import { assign, sendParent, sendTo, setup } from 'xstate'
import type { Token } from './session/gate.ts'
import type { SignedOutReason } from './failure.ts'
import { withEvent } from './with-event.ts'
import {
  leadership,
  tabs,
  type EnvironmentEvent,
  type LeadershipEvent,
  type StoredChanged,
  type TabsCommand,
  type TabsEvent,
} from './ports.ts'
import type { TabRole } from './refresh/schedule.ts'
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

/** Ends of the session that are announced to other tabs; those know of the rest, or are not affected by it. */
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
    cannotLead: ({ context }) => !context.hasSession || (!context.visible && !context.wanted),
    hasNoSession: ({ context }) => !context.hasSession,
    isOwn: (_, { adopted }: { adopted?: true }) => adopted !== true,
    isOwnEnd: (_, { reason }: { reason: SignedOutReason }) => OWN_ENDS.has(reason),
  },
  actions: {
    setEnvironment: assign((_, { visible, frozen = false }: { visible: boolean; frozen?: boolean }) => {
      return { visible, frozen }
    }),
    setWanted: assign((_, { wanted }: { wanted: boolean }) => ({ wanted })),
    setHasSession: assign((_, { has }: { has: boolean }) => ({ hasSession: has })),
    notifyRole: sendParent(
      (_, { role }: { role: TabRole }) => ({ type: 'tab.role', role }) satisfies TabReport,
    ),
    notifyParent: sendParent((_, changed: StoredChanged): TabReport => changed),
    announceToTabs: sendTo('tabs', (_, { what }: Pick<TabsCommand, 'what'>) => {
      return { type: 'tabs.announce', what } satisfies TabsCommand
    }),
  },
}).createMachine({
  id: 'tab',
  context: ({ input }) => ({ ...input, hasSession: false, visible: true, frozen: false, wanted: false }),
  initial: 'awake',
  on: {
    'environment.changed': { actions: withEvent('setEnvironment') },
    'realtime.wanted': { actions: withEvent('setWanted') },
    'session.started': { actions: { type: 'setHasSession', params: { has: true } } },
    'session.ended': { actions: { type: 'setHasSession', params: { has: false } } },
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
        'stored.changed': { actions: withEvent('notifyParent') },
        'session.started': {
          actions: [
            { type: 'setHasSession', params: { has: true } },
            { type: 'announceToTabs', params: { what: 'written' } },
          ],
        },
        'token.rotated': {
          guard: withEvent('isOwn'),
          actions: { type: 'announceToTabs', params: { what: 'written' } },
        },
        'token.adopted': {
          guard: withEvent('isOwn'),
          actions: { type: 'announceToTabs', params: { what: 'written' } },
        },
        'session.ended': [
          {
            guard: withEvent('isOwnEnd'),
            actions: [
              { type: 'setHasSession', params: { has: false } },
              { type: 'announceToTabs', params: { what: 'removed' } },
            ],
          },
          { actions: { type: 'setHasSession', params: { has: false } } },
        ],
      },
      states: {
        deciding: {
          always: [
            { guard: 'hasNoSession', target: 'idle' },
            { guard: 'isUnneeded', target: 'yielded' },
            { target: 'competing' },
          ],
        },
        idle: {
          description: 'No session, so no leader is needed.',
          always: { guard: 'hasSession', target: 'deciding' },
        },
        yielded: {
          description: 'The page is hidden and needs no token: other tabs may lead.',
          entry: { type: 'notifyRole', params: { role: 'follower' } },
          always: [
            { guard: 'hasNoSession', target: 'deciding' },
            { guard: 'isNeeded', target: 'deciding' },
          ],
        },
        alone: {
          description: 'No locks in this browser: each tab refreshes independently.',
          entry: { type: 'notifyRole', params: { role: 'alone' } },
          always: { guard: 'hasNoSession', target: 'deciding' },
        },
        competing: {
          always: { guard: 'cannotLead', target: 'deciding' },
          invoke: { id: 'leadership', src: 'leadership' },
          initial: 'electing',
          on: {
            'leadership.gained': '.leader',
            'leadership.unavailable': 'alone',
            'port.broken': 'alone',
          },
          states: {
            electing: {
              entry: { type: 'notifyRole', params: { role: 'electing' } },
              after: { electTimeout: 'follower' },
            },
            leader: {
              description: 'Performs the scheduled refreshes.',
              entry: { type: 'notifyRole', params: { role: 'leader' } },
              on: { 'leadership.lost': { target: '#tab.awake.competing', reenter: true } },
            },
            follower: {
              description: 'Waits for leadership and adopts the sessions that the leader stores.',
              entry: { type: 'notifyRole', params: { role: 'follower' } },
            },
          },
        },
      },
    },
  },
})
