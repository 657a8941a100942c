// The machines that random sequences run on: how each starts, its calm events, and where it must rest.
import type { AnyMachineSnapshot } from 'xstate'
import { userGate } from '../../src/machines/session/gate.ts'
import { DEFAULT_TIMINGS as timings } from '../../src/machines/timings.ts'
import { documented } from '../../scripts/machine-docs/documented.ts'
import type { Subject } from './random-run.ts'
import { anySample } from './sequences.ts'
import { file, hour } from './samples.ts'

const [good] = anySample('environment.changed')
if (!good) throw new Error('There is no sample of a good environment')
/** A token that was never rejected. */
const gate = userGate({ ...hour, id: 'token-of-calm' }, timings)
const first = userGate(hour, timings)
const open = { type: 'gate.changed', gate }
/** Reconnects after a disconnect. */
const connect = { type: 'realtime.connect' }
/** A check found the API key accepted. */
const keyAccepted = { type: 'key.changed', refused: {} }
const info = { id: '1', family: 'rest', method: 'GET', path: '/rest/v1/vessels' } as const

const signedOut = { isAuthenticated: false, needsFactor: false, isRecovering: false }

const among =
  (...values: readonly unknown[]) =>
  (snapshot: AnyMachineSnapshot | undefined) =>
    snapshot !== undefined && values.some(value => snapshot.matches(value as never))
const isOver = (snapshot: AnyMachineSnapshot | undefined) =>
  snapshot === undefined || snapshot.status === 'done'
const at = (snapshot: AnyMachineSnapshot, child: string) =>
  snapshot.children[child]?.getSnapshot() as AnyMachineSnapshot | undefined

const connectionRests = among('idle', { attached: 'open' })
const channelRests = (snapshot: AnyMachineSnapshot | undefined) =>
  among(
    { membership: { attached: 'joined' }, data: 'none' },
    { membership: { attached: 'joined' }, data: 'live' },
  )(snapshot)
const sessionRests = (snapshot: AnyMachineSnapshot | undefined) => {
  const { jobs, verifications } = (snapshot?.context ?? {}) as Record<string, readonly unknown[]>
  return (
    jobs?.length === 0 &&
    verifications?.length === 0 &&
    among({ authenticated: { work: 'idle' } }, 'signedOut')(snapshot)
  )
}
const refreshRests = (snapshot: AnyMachineSnapshot | undefined) =>
  among(
    'idle',
    { active: { schedule: 'waiting', expiry: 'live' } },
    { active: { schedule: { paused: 'follower' }, expiry: 'live' } },
    // A token that nothing needs may expire.
    { active: { schedule: { paused: 'manual' }, demand: 'none' } },
    { active: { schedule: 'refused' } },
  )(snapshot)
const tabRests = among(
  { awake: 'idle' },
  { awake: 'alone' },
  { awake: { competing: 'leader' } },
  { awake: { competing: 'follower' } },
)
const requestsRest = (snapshot: AnyMachineSnapshot | undefined) =>
  Object.keys((snapshot?.context as { requests?: object } | undefined)?.requests ?? { missing: 1 }).length ===
  0
/** A denied channel stays out until a new token arrives, which only some machines can receive. */
const realtimeRests = (snapshot: AnyMachineSnapshot | undefined) =>
  snapshot !== undefined &&
  connectionRests(at(snapshot, 'connection')) &&
  Object.keys(snapshot.children)
    .filter(id => id.startsWith('channel.'))
    .map(id => at(snapshot, id))
    .every(channel => channelRests(channel) || among({ membership: 'denied' })(channel))

const uploadRests = among('done', 'failed', 'skipped', 'canceled')
/** The user answers prompts and restarts what is stopped; its requests have their own deadlines. */
const goOn = [
  { type: 'upload.pause' },
  { type: 'upload.answer', answer: 'replace' },
  { type: 'upload.resume' },
  { type: 'upload.granted' },
]

/** The commands of an app to the client; all other events come from its children. */
const COMMANDS = [
  'session.signIn',
  'session.signOut',
  'session.commit',
  'session.verify',
  'refresh.request',
  'request.start',
  'request.abort',
  'channel.join',
  'channel.leave',
  'channel.command',
  'realtime.connect',
  'realtime.disconnect',
]

/** Machines whose other events come from their own children. */
const BY_PARENT: Readonly<Partial<Record<Subject['id'], readonly string[]>>> = {
  client: COMMANDS,
  requests: ['request.start', 'request.abort', 'gate.changed', 'environment.changed'],
  realtime: [
    'channel.join',
    'channel.leave',
    'channel.command',
    'realtime.connect',
    'realtime.disconnect',
    'gate.changed',
    'environment.changed',
    'environment.woke',
  ],
}

const sentTo = (id: Subject['id']) => documented.find(one => one.id === id)?.accepted.reported ?? []

const given: readonly Omit<Subject, 'reported'>[] = [
  { id: 'session', input: { timings }, settling: [good], rests: sessionRests },
  { id: 'refresh', input: { timings, seed: 1 }, settling: [good, keyAccepted], rests: refreshRests },
  { id: 'attempt', input: { timings, token: hour, mode: 'refresh' }, settling: [], rests: isOver },
  { id: 'tab', input: { timings }, settling: [good], rests: tabRests },
  {
    id: 'apiKey',
    input: { timings },
    settling: [good, { type: 'key.check' }],
    rests: among('accepted', 'trusted'),
  },
  { id: 'requests', input: { timings, seed: 1 }, settling: [good, open], rests: requestsRest },
  {
    id: 'request',
    input: { info, timings, gate: first, online: true, granted: false, seed: 1 },
    settling: [good, open, { type: 'request.granted' }],
    rests: among('answered', 'failed'),
  },
  { id: 'realtime', input: { timings, seed: 1 }, settling: [good, open, connect], rests: realtimeRests },
  { id: 'connection', input: { timings, seed: 1 }, settling: [good, open], rests: connectionRests },
  {
    id: 'channel',
    input: { timings, topic: 'bridge', options: {}, connected: false, gate: first, seed: 1 },
    settling: [{ type: 'connection.opened' }, open],
    rests: channelRests,
  },
  {
    id: 'upload',
    input: { info: file, timings, online: true, seed: 1 },
    settling: [good, ...goOn],
    rests: uploadRests,
  },
  {
    id: 'rowImport',
    input: {
      batches: [
        [0, 4],
        [4, 9],
      ],
      repeatable: false,
      whole: false,
      seed: 1,
    },
    // The user resolves rows in doubt, and resumes as often as it stops.
    settling: [{ type: 'import.retry' }, { type: 'import.resume' }],
    rests: isOver,
  },
  {
    id: 'rowExport',
    input: { expected: undefined, seed: 1 },
    settling: [{ type: 'export.pause' }, { type: 'export.resume' }],
    rests: isOver,
  },
  {
    id: 'rowComparison',
    input: { accounts: 2, seed: 1 },
    settling: [{ type: 'comparison.retry' }],
    rests: isOver,
  },
  { id: 'accessReview', input: { seed: 1 }, settling: [{ type: 'review.retry' }], rests: isOver },
  {
    id: 'signIn',
    input: { methods: ['password'], acceptsNew: true, session: signedOut },
    settling: [
      { type: 'step.skip' },
      { type: 'session.changed', session: { ...signedOut, isAuthenticated: true } },
    ],
    rests: isOver,
  },
  {
    id: 'newPassword',
    input: undefined,
    settling: [{ type: 'password.changed' }],
    rests: among('entering', 'failed'),
  },
  {
    id: 'rowDeletion',
    input: { rows: 2, undo: 6_000 },
    settling: [{ type: 'deletion.send' }],
    rests: isOver,
  },
  {
    id: 'rowEdit',
    input: { id: 1, columns: ['name'] },
    settling: [{ type: 'edit.retry' }, { type: 'edit.granted' }],
    rests: among('saved', 'canceled'),
  },
  {
    id: 'functionCall',
    input: { method: 'POST', name: 'tide', as: 'user' },
    settling: [{ type: 'call.cancel', duration: 5 }],
    rests: isOver,
  },
  {
    id: 'fileJob',
    input: { kind: 'move', bucket: 'charts', size: 2, seed: 1 },
    settling: [
      { type: 'job.recount' },
      { type: 'job.start' },
      { type: 'job.answer', answer: 'skip', all: true },
      { type: 'job.retry' },
    ],
    // What needs a confirmation or an answer waits for its user.
    rests: snapshot => isOver(snapshot) || among('ready', 'asking')(snapshot),
  },
  { id: 'reporter', input: { seed: 1 }, settling: [], rests: among('idle') },
  {
    id: 'reportDelivery',
    input: { seed: 1 },
    settling: [{ type: 'delivery.resume' }],
    rests: among('resting'),
  },
  {
    id: 'groupChange',
    input: { field: 'notes' },
    settling: [{ type: 'groups.read' }, { type: 'change.dismiss' }],
    rests: isOver,
  },
  { id: 'retries', input: undefined, settling: [], rests: among('idle') },
  {
    id: 'backendHealth',
    input: undefined,
    settling: [{ type: 'backend.keyChanged', rejected: false, at: 0 }],
    rests: among('responding', 'offline'),
  },
  { id: 'survey', input: { deadline: 8_000 }, settling: [], rests: among('complete', 'timedOut') },
  {
    id: 'client',
    input: { timings, seed: 1 },
    settling: [good, connect, { type: 'key.check' }],
    rests: snapshot =>
      snapshot !== undefined &&
      sessionRests(at(snapshot, 'session')) &&
      refreshRests(at(snapshot, 'refresh')) &&
      tabRests(at(snapshot, 'tab')) &&
      requestsRest(at(snapshot, 'requests')) &&
      (at(snapshot, 'realtime') === undefined || realtimeRests(at(snapshot, 'realtime'))),
  },
]

export const subjects: readonly Subject[] = given.map(subject => ({
  ...subject,
  reported: BY_PARENT[subject.id] ?? sentTo(subject.id),
}))
