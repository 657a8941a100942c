// Formats the stimuli of a system as lines of a test.
import type { ReplayableTrace } from '../format/trace-source.ts'
import type { Stimulus } from '../format/records.ts'
import { literal, Unsayable } from './literal.ts'

type Actors = Pick<ReplayableTrace, 'actors'>

/** A stimulus that the test itself triggers. @throws Unsayable */
export function repliesByTest(trace: Actors, { kind, to, from, event }: Stimulus): string {
  if (kind === 'stop') return 'stage.stop()'
  if (kind === 'external') {
    const where = to === 0 ? '' : `, ${literal(pathOf(trace, to))}`
    return `stage.send(${literal(event, 2)}${where})`
  }
  const speaker = pathOf(trace, from)
  const receiver = isUsual(speaker, pathOf(trace, to), event) ? '' : `, ${literal(pathOf(trace, to))}`
  return `stage.answer(${literal(speaker)}, ${literal(answerOf(event), 2)}${receiver})`
}

/** An event that an effect sends during a step. @throws Unsayable */
export function immediateReplies(trace: Actors, { kind, to, from, event, anchor, threw }: Stimulus): string {
  if (threw || kind !== 'leaf' || !anchor) throw new Unsayable('app code sends or throws it')
  const { phase, n } = anchor
  const place = pathOf(trace, anchor.in ?? from)
  const speaker = pathOf(trace, from)
  return literal(
    {
      in: place,
      ...(phase === 'start' && n === 0 ? {} : { when: [phase, n] }),
      answer: answerOf(event),
      ...(isUsual(speaker, pathOf(trace, to), event) ? {} : { to: pathOf(trace, to) }),
      ...(speaker === place ? {} : { from: speaker }),
    },
    2,
  )
}

/** The type of an event, if it has one. */
export const typeOf = (event: unknown): string =>
  typeof event === 'object' && event !== null && 'type' in event ? String(event.type) : ''

const pathOf = ({ actors }: Actors, actor: number | undefined): string => actors[actor ?? -1]?.path ?? ''

/** Callbacks send to their parent, promises and observables to themselves. */
function isUsual(from: string, to: string, event: unknown): boolean {
  const tellsItself = /^xstate\.(promise|observable)\./.test(typeOf(event))
  return to === (tellsItself ? from : from.slice(0, from.lastIndexOf('/')))
}

const FORMS: Readonly<Record<string, string>> = {
  'xstate.promise.resolve': 'resolves',
  'xstate.promise.reject': 'rejects',
  'xstate.observable.next': 'next',
  'xstate.observable.error': 'fails',
}

function answerOf(event: unknown): unknown {
  const type = typeOf(event)
  if (type === 'xstate.observable.complete') return 'completes'
  const form = FORMS[type]
  return form === undefined ? event : { [form]: (event as { readonly data?: unknown }).data }
}
