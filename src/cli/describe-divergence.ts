// A first difference in lines, and the transition that is to blame for it.
import type { Divergence } from '../replay.ts'
import { short } from './short.ts'

type Culprit = NonNullable<Divergence['culprit']>
type Named = Culprit['was'][number]

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
  const taken = (all: readonly Named[]) => (all.length === 0 ? 'none' : all.map(transition).join(', then '))
  return [
    ...(was.length + is.length === 0
      ? []
      : [`  transition of ${actor} then: ${taken(was)}`, `  transition of ${actor} now:  ${taken(is)}`]),
    ...changes.map(({ machine, state, what, was: old, is: fresh }) => {
      const place = [machine, ...(state === '' ? [] : [state])].join(' ')
      return `  changed in ${place}: ${what}: ${part(old)} → ${part(fresh)}`
    }),
  ]
}

const part = (value: Culprit['changes'][number]['was']) =>
  value === undefined ? 'none' : 'name' in value ? transition(value) : short(value)

/** `exchanging#1 send.answered [isGood] → answered / keepStatus`. */
function transition({ name, event, guard, targets, actions }: Named): string {
  const to = targets.length === 0 ? '' : ` → ${targets.join(', ')}`
  const does = actions.length === 0 ? '' : ` / ${actions.join(', ')}`
  return `${name} ${event}${guard === undefined ? '' : ` [${guard}]`}${to}${does}`
}
