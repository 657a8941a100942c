// A first difference in lines, and the transition that is to blame for it.
import type { Divergence } from '../replay.ts'
import { changeInWords, transitionInWords } from './describe-chart.ts'
import { short } from './short.ts'

type Culprit = NonNullable<Divergence['culprit']>

/** What was recorded, what came, in what they differ, what led there, and which transition was taken. */
export function describeDivergence(divergence: Divergence): string[] {
  const { index, expected, got, differences, problem, chain, culprit } = divergence
  return [
    `first difference at step ${index}`,
    ...(problem === undefined ? [] : [`  ${problem}`]),
    ...(expected || got ? [`  recorded: ${step(expected)}`, `  replayed: ${step(got)}`] : []),
    ...differences.map(one => `  ${one.path}: ${short(one.expected)} → ${short(one.got)}`),
    ...(culprit ? describeCulprit(culprit) : []),
    ...(chain.length === 0 ? [] : [`because: ${chain.join(' → ')}`]),
  ]
}

const step = (found: Divergence['got']) =>
  found ? `${found.actor} took ${found.event} → ${JSON.stringify(found.state ?? found.status)}` : 'nothing'

function describeCulprit({ actor, was, is, changes }: Culprit): string[] {
  const taken = (all: Culprit['was']) =>
    all.length === 0 ? 'none' : all.map(transitionInWords).join(', then ')
  return [
    ...(was.length + is.length === 0
      ? []
      : [`  transition of ${actor} then: ${taken(was)}`, `  transition of ${actor} now:  ${taken(is)}`]),
    ...changes.map(change => `  changed in ${changeInWords(change)}`),
  ]
}
