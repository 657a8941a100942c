// Shown instead of a step if the selected actor has not started, or nothing is recorded yet.
import { Hourglass, MousePointerClick } from 'lucide-react'
import { Button } from '../../widgets/button.tsx'
import { EmptyState } from '../../widgets/state.tsx'
import { shortPath } from '../actor-names.ts'
import { count } from '../text.ts'
import { useConsole } from '../use-console.ts'

export function NoStep() {
  const { timeline, selection, pick } = useConsole()
  const first = timeline.nextOf(selection.actor, selection.at)
  const entry = timeline.actors[selection.actor]
  if (!entry || first < 0) {
    return (
      <EmptyState icon={<MousePointerClick size={20} aria-hidden />} title="No event selected">
        Select one in the log, or an actor with events.
      </EmptyState>
    )
  }
  return (
    <EmptyState
      icon={<Hourglass size={20} aria-hidden />}
      title={`${shortPath(entry)} has not started at this moment`}
      action={
        <Button size="s" onPress={() => pick(first)}>
          Go to its first event, #{count(first)}
        </Button>
      }
    >
      Its state is available from its first event on.
    </EmptyState>
  )
}
