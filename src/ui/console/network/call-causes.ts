// Who asked for a call, what its responses led to, and the call behind a step.
import { shortPath, type Timeline, type Wire, type WireAttempt, type WirePart } from '../../../trace/index.ts'
import { clockTime } from '../text.ts'
import { decodedPath } from './network-contents.ts'
import { methodOf } from './network-rows.ts'

/** Steps of a chain that are searched. */
const LONGEST = 100

/** Who asked for a call. */
interface AskedBy {
  /** The step in which it asked. */
  readonly seq: number
  /** As users say it: `the refresh schedule`, `the sign-in`. */
  readonly reason: string
  /** The call whose response made it ask. */
  readonly call: Wire | undefined
}

/** Reasons by the type of the event that asked. The first one that a chain of causes has counts. */
const REASONS: readonly (readonly [type: RegExp, reason: string])[] = [
  [/^token\.rejected$/, 'a response that refused the token'],
  [/^token\.needed$/, 'the socket, which needs a valid token'],
  [/^session\.signIn$/, 'the sign-in'],
  [/^session\.signOut$/, 'the sign-out'],
  [/^session\.verify$/, 'the app, which verified the user'],
  [/^url\.found$/, 'the link in the page’s URL'],
  [/^refresh\.request$/, 'the app, which asked for a new token'],
  [/^clock\.tick$/, 'the refresh schedule'],
  [/^key\.refused$/, 'a response that refused the API key'],
  [/^key\.accepted$/, 'a response that accepted the API key'],
  [/^key\.check$/, 'the app, which checked the API key'],
  [/^key\.replaced$/, 'another API key'],
  [/^environment\.woke$/, 'the device, which woke up'],
  [/^environment\.changed$/, 'the page, which returned or went online'],
  [/^stored\.changed$/, 'another tab'],
  [/^socket\.closed$/, 'a socket that did not open'],
  [/^channel\.join$/, 'a channel that the app joined'],
  [/^(?:realtime\.connect|connection\.open)$/, 'a channel in use'],
  [/^request\.start$/, 'the app'],
  [/^xstate\.after\./, 'a timer'],
]

const reasonFor = (type: string): string | undefined => REASONS.find(([pattern]) => pattern.test(type))?.[1]

/** Ports that call by a request, as the signed-in user, with the path of theirs. */
const REQUESTING: readonly (readonly [src: string, path: RegExp, reason: string])[] = [
  ['loadUser', /^\/auth\/v1\/user$/, 'the session, which loads the user'],
  ['revoke', /^\/auth\/v1\/logout\?/, 'the sign-out of other sessions'],
]

/** Returns who asked for a call; for an attempt that was repeated, who asked first. */
export function askedBy(timeline: Timeline, wire: Wire): AskedBy {
  const port = requestingPort(timeline, wire)
  if (port) return port
  const queued = queuedReason(timeline, wire)
  for (const chain of chainsOf(timeline, wire)) {
    const call = chain.map(seq => answerAt(timeline, seq)).find(part => part && part.wire !== wire)?.wire
    const reasons = REASONS.flatMap(([pattern, reason]) => {
      const seq = chain.find(step => pattern.test(timeline.type(step)))
      return seq === undefined ? [] : [{ seq, reason, call }]
    })
    if (reasons[0]) return reasons[0]
    if (queued) return queued
  }
  const actor = timeline.actors[timeline.actor(wire.seq)]
  return { seq: wire.seq, reason: actor ? shortPath(actor) : 'the app', call: undefined }
}

/**
 * The causes of the start of the actor that called, then of those of its parents: an attempt of a refresh takes further
 * steps before its port calls.
 */
function* chainsOf(timeline: Timeline, { actor }: Wire): Generator<readonly number[]> {
  for (let of: number | undefined = actor; of !== undefined; of = timeline.actors[of]?.parent)
    yield timeline.causesOf(timeline.born(of), LONGEST)
}

/** What the parent of a port queued before, by the port: a sign-in waits until the session is known. */
const QUEUED: Readonly<Record<string, RegExp>> = {
  authenticate: /^(?:session\.signIn|url\.found)$/,
  revoke: /^session\.signOut$/,
}

function queuedReason(timeline: Timeline, { actor, seq: before }: Wire): AskedBy | undefined {
  const { src = '', parent = -1 } = timeline.actors[actor] ?? {}
  const type = QUEUED[src]
  const seq =
    type && timeline.stepsOf(parent).findLast(step => step < before && type.test(timeline.type(step)))
  const reason = seq === undefined ? undefined : reasonFor(timeline.type(seq))
  return seq === undefined || reason === undefined ? undefined : { seq, reason, call: undefined }
}

/** A port that sends a request is not its cause in the recording, since requests begin outside of the machines. */
function requestingPort(timeline: Timeline, wire: Wire): AskedBy | undefined {
  if (wire.kind !== 'request') return undefined
  const known = REQUESTING.find(([, path]) => path.test(wire.path))
  if (!known) return undefined
  const [src, , reason] = known
  const port = timeline.actors.find(({ index, src: name }) => {
    const life = name === src ? timeline.lifeOf(index) : undefined
    return life !== undefined && wire.start >= life.from && wire.start <= life.to
  })
  return port && { seq: timeline.born(port.index), reason, call: undefined }
}

/** The attempt whose response, result or end a step received. */
function answerAt(timeline: Timeline, seq: number): WirePart | undefined {
  const parts = timeline.wirePartsOf(timeline.from(seq))
  return parts.find(({ attempt }) => stepsWith(attempt).includes(seq))
}

/** Steps that received something of an attempt. */
const stepsWith = ({ answer, result, closed }: WireAttempt): readonly number[] =>
  [answer, result, closed?.seq].filter(seq => seq !== undefined)

/** The call whose response a step follows from, and the step that received it. */
interface CallBehind {
  readonly wire: Wire
  readonly seq: number
}

/** Returns the nearest call behind a step; undefined if none of its causes is a response. */
export function callBehind(timeline: Timeline, seq: number): CallBehind | undefined {
  if (seq < 0) return undefined
  for (const at of [seq, ...timeline.causesOf(seq, LONGEST)]) {
    const wire = answerAt(timeline, at)?.wire
    if (wire) return { wire, seq: at }
  }
  return undefined
}

const PLUMBING: ReadonlySet<string> = new Set(['http.answered', 'xstate.stop', 'xstate.init'])

/** Returns the steps that the responses of a call caused: those that received them, then what these sent. */
export function ledTo(timeline: Timeline, wire: Wire, most: number): readonly number[] {
  const steps: number[] = []
  const next = wire.attempts.flatMap(stepsWith).toSorted((a, b) => b - a)
  for (let seq = next.pop(); seq !== undefined && steps.length < most; seq = next.pop()) {
    if (!steps.includes(seq) && !PLUMBING.has(timeline.type(seq))) steps.push(seq)
    next.push(...timeline.effects(seq).toReversed())
  }
  return steps
}

/** Names a call, such as `GET /rest/v1/vessels at 4.812`. */
export const callName = (wire: Wire): string =>
  `${methodOf(wire)} ${decodedPath(wire.path)} at ${clockTime(wire.start)}`
