// Explains a recording: from a step, an actor or a status to one sentence with its reason, its steps and its evidence.
import type { StateValue, StepRecord } from '../format/records.ts'
import type { TraceSource } from '../format/trace-source.ts'
import type { Answer, Explanation, Question, StepRef } from './answer.ts'
import { causesOf } from './causes.ts'
import { STATUSES } from './client-status.ts'
import { clientVocabulary, isOwnSystem } from './client-vocabulary.ts'
import { evidenceOf } from './evidence.ts'
import { History, isIn } from './history.ts'
import { type StepSource, stepsOfTrace } from './step-source.ts'
import { strangerVocabulary } from './stranger-vocabulary.ts'
import type { Effect, Reason, Vocabulary } from './vocabulary.ts'
import { upperFirst } from './words.ts'

/** Answers a question about a recording, live or read from a file; it reads only the steps that it needs. */
export function explain(
  trace: Pick<TraceSource, 'header' | 'actors' | 'steps' | 'stimuli'>,
  question: Question,
): Answer {
  return explainSteps(stepsOfTrace(trace), question)
}

const BEFORE_START = { unknown: 'The recording does not show why: it begins later.' } as const

/** The same for steps that are not in a list. */
export function explainSteps(source: StepSource, question: Question): Answer {
  const isOwn = isOwnSystem(source.header.system)
  const vocabulary = isOwn ? clientVocabulary : strangerVocabulary
  if ('status' in question) return isOwn ? explainStatus(source, question) : noStatus
  const history = new History(source, 'step' in question ? question.step : question.at)
  if ('step' in question) {
    const step = history.step(question.step)
    if (!step) return { unknown: 'The recording does not contain this step.' }
    return answer(history, step, vocabulary.effect(history, step, true), isOwn)
  }
  const actor = history.actorAt(question.actor)
  if (actor < 0) return { unknown: `The recording contains no actor ${question.actor}.` }
  const last = history.latest(actor)
  if (!last) return { unknown: 'The actor had not started at this moment.' }
  const step = presentEntry(history, last)
  if (!step) return BEFORE_START
  return answer(history, step, vocabulary.effect(history, step, false), isOwn)
}

const noStatus = { unknown: 'Only a recording of the client has a status.' } as const

function explainStatus(source: StepSource, { status, at }: Extract<Question, { status: unknown }>): Answer {
  const history = new History(source, at)
  const condition = STATUSES[status](history)
  if (!condition) return { unknown: 'The recording does not show this status at this moment.' }
  const { step, effect, next } = condition
  const clause = effect.text === '' ? clientVocabulary.effect(history, step, false) : effect
  return answer(history, step, clause, true, next)
}

/** States that an actor is asked about, if they are not its whole state. */
const REGIONS: Readonly<Record<string, string>> = { channel: 'membership', refresh: 'active.schedule' }

/** The step by which the actor came to its present state; for one that was stopped after its end, that end. */
function presentEntry(history: History, last: StepRecord): StepRecord | undefined {
  if (last.event.type === 'xstate.stop') {
    const stopper = history.sender(last)
    const end = stopper?.from === last.actor ? history.step(stopper.by) : undefined
    return end ?? last
  }
  if (last.status !== 'active')
    return history.find(last.actor, ({ status }) => status === last.status && status !== 'active') ?? last
  if (last.value === undefined) return last
  const region = Object.hasOwn(REGIONS, history.src(last)) ? REGIONS[history.src(last)] : undefined
  if (region === undefined) return history.enteredState(last)
  const state = regionOf(last.value, region)
  return history.entered(last, value => regionOf(value, region) === state)
}

/** The state of a region as text; of everything if the region is not active. */
function regionOf(value: StateValue | undefined, region: string): string {
  if (!isIn(region)(value)) return JSON.stringify(value ?? null)
  let inner: StateValue | undefined = value
  for (const key of region.split('.')) inner = typeof inner === 'object' ? inner[key] : undefined
  return JSON.stringify(inner ?? null)
}

function answer(
  history: History,
  step: StepRecord,
  effect: Effect,
  isOwn: boolean,
  follows?: string,
): Answer {
  const vocabulary = isOwn ? clientVocabulary : strangerVocabulary
  const causes = causesOf(history, step, vocabulary)
  if (!causes) return effect.isComplete === true ? alone(history, step, effect, isOwn) : BEFORE_START
  const reason = vocabulary.reason(history, causes.all[0], step)
  const text = withNotes(history, causes.all, reason, vocabulary)
  const next = follows ?? vocabulary.next(history, step, causes.all[0])
  return {
    sentence: sentenceOf(effect, { ...reason, text }) + faultText(history, causes.all, isOwn),
    because: causes.steps.map(one => history.refOf(one)) as [StepRef, ...StepRef[]],
    evidence: evidenceOf(history, causes.all, isOwn),
    ...(next !== undefined && { next }),
  }
}

/** An event that had no effect, whose origin is not in the recording. */
function alone(history: History, step: StepRecord, effect: Effect, isOwn: boolean): Explanation {
  return {
    sentence: `${effect.text}.`,
    because: [history.refOf(step)],
    evidence: evidenceOf(history, [step], isOwn),
  }
}

function withNotes(
  history: History,
  [, ...steps]: readonly StepRecord[],
  { text }: Reason,
  { note }: Vocabulary,
): string {
  return steps.reduce((clause, step) => note(history, step, clause) ?? clause, text)
}

function sentenceOf({ text, isGood, isComplete }: Effect, reason: Reason): string {
  if (isComplete === true) return `${text}.`
  // “You were signed out because you signed out.”
  if (text.startsWith('You ') && reason.text.startsWith('you ')) return `${upperFirst(reason.text)}.`
  if (isGood === true && reason.isBad === true) return `${text} again, after ${reason.text}.`
  return `${text} because ${reason.text}.`
}

function faultText(history: History, steps: readonly StepRecord[], isOwn: boolean): string {
  const fault = evidenceOf(history, steps, isOwn).find(one => one.kind === 'fault')
  return fault?.kind === 'fault' ? ` The fault ${fault.id} was injected.` : ''
}

/** Whether an answer is an explanation. */
export const isExplained = (answer: Answer): answer is Explanation => 'sentence' in answer
