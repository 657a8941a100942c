// The class of a problem: the same text for the same cause, whatever the time, the user and the row.
import { messageOf } from '../codec/values.ts'
import { textAt } from '../event-values.ts'
import type { Evidence } from './answer.ts'
import type { EndProblem } from './explain-more.ts'
import type { ExplainedTrace } from './step-source.ts'
import { withoutValues } from './without-values.ts'

/** Returns the machine, the reason's event and what shows it, without ids, numbers, times and names of rows. */
export function problemKey(trace: ExplainedTrace, { status, explanation }: EndProblem): string {
  const { because, evidence } = explanation
  const [reason] = because
  const step = trace.steps[because.at(-1)?.step ?? -1]
  const machine = (step && trace.actors[step.actor]?.src) ?? ''
  // The message of an error is the only evidence of a machine that failed.
  const message =
    status === 'failed' && step?.error !== undefined ? [withoutValues(messageOf(step.error))] : []
  const refusal = textAt(trace.steps[reason.step]?.event, 'refusal') ?? ''
  const facts = [...evidence.map(factOf), refusal].filter(fact => fact !== '')
  return [`${machine} ${status}:`, withoutValues(reason.event), ...new Set(facts), ...message].join(' ')
}

/** Without paths: an outage and a refused key are the same for all tables. */
function factOf(one: Evidence): string {
  switch (one.kind) {
    case 'response':
      return [String(one.status), one.code ?? ''].filter(Boolean).join(' ')
    case 'failure':
      return [one.failure, one.code ?? ''].filter(Boolean).join(' ')
    case 'command':
      return one.event
    case 'otherTab':
      return `other tab ${one.change}`
    case 'storage':
      return `storage ${one.content}`
    case 'device':
      return one.change
    case 'socket':
      return one.code === undefined ? '' : String(one.code)
    case 'channel':
      return withoutValues(one.reason)
    case 'error':
      return withoutValues(one.message ?? '')
    default:
      return ''
  }
}
