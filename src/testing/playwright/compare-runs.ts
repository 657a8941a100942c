// Says what a failed run did differently from a run that passed, by the recordings of both.
import { deriveSteps } from '../../services/replay/index.ts'
import type { SystemRegistry } from '../../services/runtime/index.ts'
import { systems as ownSystems } from '../../services/workbench/systems/index.ts'
import {
  describeTraceDiff,
  diffTraces,
  readTrace,
  type ReplayableTrace,
  shownState,
  type TraceDiff,
} from '../../trace/index.ts'

/**
 * Compares the recordings page by page, in their order. The first line is the same for runs with the same first
 * difference; the others describe it.
 */
export async function compareRuns(
  passed: readonly Uint8Array[],
  failed: readonly Uint8Array[],
  machines: SystemRegistry = {},
): Promise<string> {
  const systems = { ...ownSystems, ...machines }
  for (let page = 0; page < Math.max(passed.length, failed.length); page++) {
    const [a, b] = [passed[page], failed[page]]
    if (!a || !b) return `A page is recorded only in the run that ${a ? 'passed' : 'failed'}.`
    const traces = [await stepsOf(a, systems), await stepsOf(b, systems)] as const
    const [one, other] = traces
    if (typeof one === 'string') return `The run that passed cannot be compared.\n${one}`
    if (typeof other === 'string') return `The run that failed cannot be compared.\n${other}`
    const diff = diffTraces(one, other, { only: 'behavior' })
    if (!diff.isSame)
      return [
        summaryOf(diff),
        'A is the run that passed, B the run that failed.',
        ...describeTraceDiff(diff),
      ].join('\n')
  }
  return 'No difference: the recorded systems took the same events to the same states.'
}

async function stepsOf(bytes: Uint8Array, systems: SystemRegistry): Promise<ReplayableTrace | string> {
  const read = await readTrace(bytes)
  if (read.kind === 'unusable') return read.message
  if (read.trace.header.steps !== false) return read.trace
  const derived = deriveSteps(read.trace, systems)
  return derived.kind === 'unusable' ? derived.message : derived.trace
}

/** The first difference without numbers of actors and steps, which differ between tests. */
function summaryOf({ first, machines, order }: TraceDiff): string {
  if (first) {
    const { actor, a, b } = first
    const [was, is] = [a, b].map(step => (step ? `${step.event} → ${shownState(step)}` : 'nothing'))
    return `${actor.replaceAll(/\d+/g, 'n')} took ${is}, instead of ${was}`
  }
  if (machines.length > 0) return `Other machines: ${machines.map(({ id }) => id).join(', ')}`
  return order ? `The same steps in another order: ${order.b} before ${order.a}` : 'Another difference'
}
