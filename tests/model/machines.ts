// How each machine starts when it is checked, and what distinguishes its situations.
import type { AnyMachineSnapshot, AnyStateMachine } from 'xstate'
import type { Breaker } from '../../src/machines/refresh/schedule.ts'
import { type Token, tokenOf, userGate, type AuthGate } from '../../src/machines/session/gate.ts'
import { DEFAULT_TIMINGS as timings } from '../../src/machines/timings.ts'
import { machines, type Machines } from '../../scripts/machine-docs/machines.ts'
import type { Walk } from './explore.ts'
import { derived, file, hour, samples } from './samples.ts'

/** A machine, its start, the part of its context that distinguishes situations, and its calm states. */
export interface Checked extends Omit<Walk, 'machine' | 'samples'> {
  readonly isAtRest: (snapshot: AnyMachineSnapshot) => boolean
}

const gate = userGate(hour, timings)
const info = { id: '1', family: 'rest', method: 'GET', path: '/rest/v1/vessels' } as const
const nothing = () => null
const signedOut = { isAuthenticated: false, needsFactor: false, isRecovering: false }
const is = (part: string) => (snapshot: AnyMachineSnapshot) => snapshot.matches(part as never)
const isDone = ({ status }: AnyMachineSnapshot) => status === 'done'
const isAlways = () => true

type Fields = Readonly<Record<string, unknown>>
/** For lists and counters only whether they are non-empty, for everything else the value itself. */
const brief = (value: unknown): unknown =>
  Array.isArray(value) ? value.length > 0 : typeof value === 'number' ? value > 0 : value
const pick =
  (...names: readonly string[]) =>
  (context: Fields) =>
    names.map(name => brief(context[name]))

const checked: { readonly [Id in keyof Machines]: Checked } = {
  client: { input: { timings, seed: 1 }, matter: nothing, isAtRest: isAlways },
  session: {
    input: { timings },
    matter: ({ token, jobs, verifications }) => [
      token && [(token as Token).aal, (token as Token).hasFactor],
      (jobs as readonly { kind: string }[])[0]?.kind,
      brief(verifications),
    ],
    isAtRest: is('authenticated'),
  },
  refresh: {
    // One attempt trips the breaker, so that few situations reach it.
    input: { timings: { ...timings, breakerLimit: 1 }, seed: 1 },
    matter: context => [
      ...pick('online', 'visible', 'frozen', 'forced', 'keyRefused')(context),
      context['wanted'] === true || context['requested'] === true,
      context['role'] === 'follower',
      (context['breaker'] as Breaker).state,
      Number(context['at']) > 3_500_000,
    ],
    // One operation at a time: combinations are covered by the random sequences.
    skips: ({ type, online, visible }) =>
      type === 'environment.changed' && online === false && visible === false,
    isAtRest: snapshot => snapshot.matches({ active: { schedule: 'waiting', expiry: 'live' } } as never),
  },
  attempt: {
    input: { timings, token: hour, mode: 'refresh' },
    inputs: [{ timings, token: hour, mode: 'check' }],
    matter: pick('steal', 'mode'),
    isAtRest: isDone,
  },
  tab: {
    input: { timings },
    matter: pick('hasSession', 'visible', 'frozen', 'wanted'),
    isAtRest: snapshot => snapshot.matches({ awake: { competing: 'leader' } } as never),
  },
  apiKey: {
    input: { timings },
    matter: context => [
      ...pick('online', 'visible', 'frozen')(context),
      Object.keys(context['refused'] as object),
    ],
    isAtRest: snapshot => is('accepted')(snapshot) || is('trusted')(snapshot) || is('rejected')(snapshot),
  },
  requests: {
    input: { timings, seed: 1 },
    matter: ({ gate, requests, online }) => [
      (gate as { kind: string }).kind,
      Object.values(requests as Readonly<Record<string, { phase: string }>>).map(({ phase }) => phase),
      online,
    ],
    isAtRest: ({ context }) => Object.keys((context as { requests: object }).requests).length === 0,
  },
  request: {
    input: { info, timings, gate, online: true, granted: false, seed: 1 },
    inputs: [{ info: { ...info, unbounded: true }, timings, gate, online: true, granted: false, seed: 1 }],
    matter: context => [
      ...pick('identity', 'rejected', 'granted', 'online', 'failure')(context),
      Number(context['attempt']) > 2,
      context['gate'],
    ],
    isAtRest: snapshot => is('answered')(snapshot) || is('failed')(snapshot),
  },
  realtime: {
    input: { timings, seed: 1 },
    matter: ({ channels, connected }) => [Object.values(channels as Fields).map(brief), connected],
    isAtRest: isAlways,
  },
  connection: {
    input: { timings, seed: 1 },
    matter: context => [
      ...pick('online', 'visible', 'frozen')(context),
      context['reason'] === 'hidden',
      tokenOf(context['gate'] as AuthGate),
    ],
    isAtRest: snapshot => snapshot.matches({ attached: 'open' } as never),
  },
  channel: {
    input: { timings, topic: 'bridge', options: {}, connected: false, gate, seed: 1 },
    matter: context => [
      ...pick('connected', 'hasRejected')(context),
      JSON.stringify(context['options']).length > 2,
      (context['gate'] as { kind: string; tokenId?: string }).tokenId,
    ],
    isAtRest: snapshot => snapshot.matches({ membership: { attached: 'joined' } } as never),
  },
  uploads: {
    input: { timings, seed: 1 },
    matter: ({ rows, online }) => [
      Object.values(rows as Readonly<Record<string, { phase: string }>>).map(({ phase }) => phase),
      online,
    ],
    isAtRest: isAlways,
  },
  upload: {
    input: { info: file, timings, online: true, seed: 1 },
    inputs: [{ info: { ...file, limits: { bytes: 1 } }, timings, online: false, seed: 1 }],
    matter: context => [
      ...pick('online', 'free', 'answer', 'resumable', 'failure')(context),
      Number(context['attempt']) > 8,
      Number(context['conflicts']) > 4,
    ],
    isAtRest: snapshot => ['done', 'canceled', 'failed', 'skipped'].some(part => is(part)(snapshot)),
  },
  rowImport: {
    input: { batches: [[0, 12]], repeatable: false, whole: false, seed: 1 },
    inputs: [
      { batches: [[0, 2]], repeatable: true, whole: false, seed: 1 },
      { batches: [[0, 2]], repeatable: false, whole: true, seed: 1 },
    ],
    matter: ({ queue, wish, alike, warned, written }) => [
      queue,
      wish,
      Number(alike) >= 10,
      warned,
      brief(written),
    ],
    isAtRest: isDone,
  },
  rowExport: {
    input: { expected: undefined, seed: 1 },
    matter: pick('read', 'failure'),
    isAtRest: isDone,
  },
  rowComparison: {
    input: { accounts: 2, seed: 1 },
    matter: ({ scans, failure, attempt }) => [
      (scans as readonly { phase: string; attempt: number }[]).map(scan => [scan.phase, scan.attempt]),
      brief(failure),
      attempt,
    ],
    isAtRest: isDone,
  },
  accessReview: {
    input: { seed: 1 },
    matter: pick('done', 'total', 'failure', 'attempt'),
    isAtRest: isDone,
  },
  signIn: {
    input: { methods: ['password', 'link'], acceptsNew: true, session: signedOut },
    inputs: [
      { methods: [], acceptsNew: false, session: { ...signedOut, isAuthenticated: true, needsFactor: true } },
    ],
    matter: ({ failure, failedAt, needsCaptcha, session, factors }) => [
      failure,
      Number(failedAt) > 0,
      needsCaptcha,
      session,
      brief(factors),
    ],
    isAtRest: isDone,
  },
  newPassword: {
    input: undefined,
    matter: pick('failure', 'failedAt', 'needsCode'),
    isAtRest: is('entering'),
  },
  rowDeletion: { input: { rows: 2, undo: 6_000 }, matter: pick('refusal'), isAtRest: isDone },
  rowEdits: {
    input: { schema: 'public', table: 'vessels' },
    matter: ({ rows }) => Object.values(rows as Readonly<Record<string, { at: string }>>).map(({ at }) => at),
    isAtRest: isAlways,
  },
  rowEdit: {
    input: { id: 1, columns: ['name'] },
    inputs: [{ id: 1, columns: ['name'], failure: { message: 'Too long.', retry: false } }],
    matter: pick('failure', 'request'),
    isAtRest: snapshot => is('saved')(snapshot) || is('canceled')(snapshot),
  },
  functionCall: {
    input: { method: 'POST', name: 'tide', as: 'user' },
    matter: pick('request', 'size', 'failure', 'line'),
    isAtRest: isDone,
  },
  fileJob: {
    input: { kind: 'move', bucket: 'charts', size: 2, seed: 1 },
    matter: context => [
      ...pick('again', 'taken', 'forAll', 'refused', 'failure')(context),
      Number(context['next']) >= Number(context['total']),
      Number(context['attempt']) > 7,
    ],
    isAtRest: isDone,
  },
  reporter: {
    input: { seed: 1 },
    matter: pick('requested'),
    isAtRest: is('idle'),
  },
  reportDelivery: {
    input: { seed: 1 },
    matter: pick('result', 'failure'),
    isAtRest: is('resting'),
  },
  groupChange: {
    input: { field: 'notes' },
    inputs: [{ field: 'fixed' }, { field: 'fixed', problem: 'Enter the first version without the failure.' }],
    matter: pick('failure'),
    isAtRest: isDone,
  },
  retries: {
    input: undefined,
    matter: ({ waiting }) => Object.keys(waiting as object),
    isAtRest: is('idle'),
  },
  backendHealth: {
    input: undefined,
    matter: pick('status', 'delay', 'keyRejectedAt'),
    isAtRest: snapshot => ['responding', 'keyRejected', 'offline'].some(part => is(part)(snapshot)),
  },
  survey: {
    input: { deadline: 8_000 },
    matter: ({ reports }) => Object.keys(reports as object).toSorted(),
    isAtRest: is('complete'),
  },
}

export const walks = Object.entries(checked).map(([id, { isAtRest, ...walk }]) => ({
  id: id as keyof Machines,
  isCalm: isAtRest,
  walk: {
    ...walk,
    machine: machines[id as keyof Machines] as unknown as AnyStateMachine,
    samples: { ...samples, ...derived },
  },
}))
