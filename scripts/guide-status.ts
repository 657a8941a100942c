// Tables of the public status: every internal state of a machine, and the status that the app sees in it.
import type { AnyStateMachine, AnyStateNode, StateValue } from 'xstate'
import { realtimeStatus } from '../src/machines/realtime/realtime-status.ts'
import { clientStatus, type ClientStatus } from '../src/machines/status.ts'
import { channelMachine } from '../src/machines/realtime/channel.ts'
import { connectionMachine } from '../src/machines/realtime/connection.ts'
import { sessionMachine } from '../src/machines/session/session.ts'
import { DEFAULT_TIMINGS } from '../src/machines/timings.ts'

type Subject = 'session' | 'connection' | 'channel'

/** The least context from which a status can be derived. */
const CONTEXTS: Readonly<Record<Subject, object>> = {
  session: {
    timings: DEFAULT_TIMINGS,
    token: { id: 't', user: { id: 'skipper' }, aal: 'aal1', receivedAt: 0, expiresAt: 1, lifetime: 1 },
    reason: '…',
  },
  connection: { attempt: 0 },
  channel: { options: { postgresChanges: [{ event: '*', schema: 'public' }] } },
}

const MACHINES: Readonly<Record<Subject, AnyStateMachine>> = {
  session: sessionMachine as unknown as AnyStateMachine,
  connection: connectionMachine as unknown as AnyStateMachine,
  channel: channelMachine as unknown as AnyStateMachine,
}

const SHOWN: Readonly<Record<Subject, (status: ClientStatus) => Readonly<Record<string, string>>>> = {
  session: ({ session }) =>
    session.phase === 'authenticated'
      ? {
          phase: session.phase,
          'token.state': session.token.state,
          userFreshness: session.userFreshness,
          recovery: session.recovery,
        }
      : { phase: session.phase },
  connection: ({ connection: { phase } }) => ({ phase }),
  channel: ({ channels: { topic } }) => ({
    phase: topic?.phase ?? '',
    postgres: topic?.postgres ?? '',
    data: topic?.data ?? '',
  }),
}

/** One row for each state that a machine can be in. */
export function statusTable(subject: Subject): string {
  const states = configurations(MACHINES[subject].root)
  const rows = states.map(({ name, value }) => ({
    name,
    shown: SHOWN[subject](clientStatus(pretend(subject, value), realtimeStatus)),
  }))
  const fields = [...new Set(rows.flatMap(({ shown }) => Object.keys(shown)))]
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [
    line(['Inside', ...fields.map(code)]),
    line(['---', ...fields.map(() => '---')]),
    ...rows.map(({ name, shown }) => line([code(name), ...fields.map(field => code(shown[field]))])),
  ].join('\n')
}

const code = (text: string | undefined): string => (text === undefined || text === '' ? '' : `\`${text}\``)

interface Configuration {
  readonly name: string
  readonly value: StateValue
}

/**
 * All configurations. Of parallel regions, one varies at a time while the others stay in their initial state.
 */
function configurations(node: AnyStateNode): Configuration[] {
  const children = Object.values<AnyStateNode>(node.states)
  const inside = children.map(child => ({
    key: child.key,
    states:
      child.type === 'atomic' || child.type === 'final'
        ? [{ name: child.key, value: child.key }]
        : configurations(child).map(({ name, value }) => ({ name: `${child.key}.${name}`, value })),
    isAtomic: child.type === 'atomic' || child.type === 'final',
  }))
  if (node.type !== 'parallel') {
    return inside.flatMap(({ key, states, isAtomic }) =>
      states.map(({ name, value }) => ({ name, value: isAtomic ? key : { [key]: value } })),
    )
  }
  const first = Object.fromEntries(inside.map(({ key, states }) => [key, states[0]?.value ?? '']))
  return inside.flatMap(({ key, states }) =>
    states.map(({ name, value }) => ({ name, value: { ...first, [key]: value } })),
  )
}

/** A client with one machine in the given state. */
function pretend(subject: Subject, value: StateValue): Parameters<typeof clientStatus>[0] {
  const actor = { getSnapshot: () => ({ status: 'active', value, context: CONTEXTS[subject] }) }
  const children = subject === 'connection' ? { connection: actor } : { 'channel.topic': actor }
  const realtime = { getSnapshot: () => ({ context: { channels: { topic: [] } }, children }) }
  const client = {
    status: 'active',
    context: { environment: { online: true } },
    children: subject === 'session' ? { session: actor } : { realtime },
  }
  return client as unknown as Parameters<typeof clientStatus>[0]
}
