// The vocabulary of other systems: the names of their actors, states and events.
import { messageOf } from '../codec/values.ts'
import { textAt } from '../event-values.ts'
import type { StepRecord } from '../format/records.ts'
import { leafPaths } from '../timeline/state-value.ts'
import { shortName } from './client-subjects.ts'
import { type History, isStart } from './history.ts'
import { silenceInWords } from './silence.ts'
import { timerDelay } from './timers.ts'
import type { Effect, Reason, Vocabulary } from './vocabulary.ts'
import { durationInWords, quoted } from './words.ts'

const named = (history: History, step: Pick<StepRecord, 'actor'>) => quoted(shortName(history, step))

const stateNames = ({ value }: StepRecord): string => leafPaths(value).map(quoted).join(' and ')

const effect: Vocabulary['effect'] = (history, step, isStep) => {
  const name = named(history, step)
  if (step.event.type === 'xstate.stop' || (!isStep && step.status === 'stopped'))
    return { text: `${name} was stopped` }
  if (step.status === 'error') return { text: `${name} failed` }
  if (isStart(step)) return isStep ? { text: `${name} was started` } : presentState(history, step)
  return isStep ? stepEffect(history, step) : presentState(history, step)
}

function presentState(history: History, step: StepRecord): Effect {
  const states = stateNames(step)
  const name = named(history, step)
  if (step.status === 'done')
    return { text: states === '' ? `${name} finished` : `${name} finished in ${states}` }
  return { text: states === '' ? `${name} is running` : `${name} is in ${states}${described(history, step)}` }
}

/** The description of the innermost state, as its author wrote it. */
function described(history: History, step: StepRecord): string {
  const [path] = leafPaths(step.value)
  const text = path === undefined ? undefined : history.state(step, path)?.description
  return text === undefined ? '' : ` (${quoted(text.replace(/\.$/, ''))})`
}

function stepEffect(history: History, step: StepRecord): Effect {
  const silence = silenceInWords(history, step)
  if (silence !== undefined) return { text: silence, isComplete: true }
  const name = named(history, step)
  const before = history.before(step)
  const [was, is] = [leafPaths(before?.value), leafPaths(step.value)]
  const left = was.filter(path => !is.includes(path))
  const entered = is.filter(path => !was.includes(path))
  if (entered.length > 0)
    return {
      text: `${name} went from ${left.map(quoted).join(' and ') || 'its start'} to ${entered.map(quoted).join(' and ')}`,
    }
  const ends = step.status === 'active' ? '' : ' and ended'
  const event = quoted(step.event.type)
  return {
    text:
      is.length > 0
        ? `${name} handled ${event} in ${is.map(quoted).join(' and ')}${ends}`
        : `${name} received ${event}${ends}`,
  }
}

const reason: Vocabulary['reason'] = (history, step, of) => {
  const own = reasonOfStep(history, step)
  const sender = senderInWords(history, step, of)
  const guards = guardsInWords(history, of)
  return { ...own, text: `${own.text}${sender}${guards}` }
}

function reasonOfStep(history: History, step: StepRecord): Reason {
  const { type } = step.event
  if (step.status === 'error') return failureInWords(history, step)
  if (isStart(step)) return { text: `that is where ${named(history, step)} starts` }
  if (type === 'xstate.stop') return { text: 'the app stopped it' }
  if (history.isTimer(step)) return { text: timerInWords(history, step) }
  if (/^xstate\.(?:promise\.)?(?:resolve|done)/.test(type))
    return { text: `${named(history, step)} finished` }
  if (/^xstate\.(?:promise\.)?(?:reject|error)/.test(type)) return failureInWords(history, step)
  if (history.isFromLeaf(step)) return { text: `${nameOfSender(history, step)} sent ${quoted(type)}` }
  return { text: `the app sent ${quoted(type)}` }
}

function failureInWords(history: History, step: StepRecord): Reason {
  const message = errorIn(step)
  if (history.isMachine(step.actor) && message !== undefined)
    return { text: `its code threw ${quoted(message)}`, isBad: true }
  return {
    text: `${named(history, step)} failed${message === undefined ? '' : ` with ${quoted(message)}`}`,
    isBad: true,
  }
}

/** The message of a step's error, as recorded. */
export function errorIn({ event, error }: StepRecord): string | undefined {
  const value = error ?? event['data'] ?? event['error']
  return textAt(value, 'message') ?? (value === undefined ? undefined : messageOf(value))
}

function timerInWords(history: History, step: StepRecord): string {
  const delay = timerDelay(history, step)
  const state = history.leftState(step)
  const time = delay === undefined ? 'its delay' : durationInWords(delay)
  if (state === undefined || state === '') return `${time} were over`
  return `it had been in ${quoted(state)} for ${time}`
}

const nameOfSender = (history: History, { from }: StepRecord): string =>
  from === undefined ? 'the app' : named(history, { actor: from })

/** Who passed it on to the actor, if that is not who caused it. */
function senderInWords(history: History, step: StepRecord, of: StepRecord): string {
  if (of.seq === step.seq || of.from === undefined || of.from === of.actor) return ''
  const { type } = of.event
  const sender = nameOfSender(history, of)
  if (isStart(of)) return `, and ${sender} started it`
  if (type === 'xstate.stop') return `, and ${sender} left the state that runs it`
  if (type.startsWith('xstate.')) return ''
  return `, and ${sender} sent it ${quoted(type)}`
}

function guardsInWords(history: History, of: StepRecord): string {
  const guards = history
    .taken(of)
    .flatMap(({ guard }) => (guard === undefined || !isNamed(guard) ? [] : [guard]))
  return guards.length === 0 ? '' : `, as ${guards.map(quoted).join(' and ')} held`
}

/** A guard that code defines in place has no name. */
export const isNamed = (guard: string): boolean => /^[\w.$ -]+$/.test(guard) && guard !== 'xstate.guard'

/** The timer that runs in the state. */
const next: Vocabulary['next'] = (history, of) => {
  if (of.status !== 'active') return undefined
  const timer = leafPaths(of.value)
    .flatMap(path => history.state(of, path)?.transitions ?? [])
    .find(({ event, delay }) => event.startsWith('after ') && delay !== undefined)
  if (timer?.delay === undefined) return undefined
  const target = timer.targets.map(quoted).join(' and ')
  return `After ${durationInWords(timer.delay)}, it goes to ${target === '' ? 'another state' : target}.`
}

const nothing = () => undefined

export const strangerVocabulary: Vocabulary = {
  isPlumbing: () => false,
  detour: nothing,
  note: nothing,
  effect,
  reason,
  next,
}
