// The log's head and its empty states.
import { ListTree, ScrollText, SearchX } from 'lucide-react'
import { memo } from 'react'
import { Button } from '../../widgets/button.tsx'
import { EmptyState } from '../../widgets/state.tsx'
import { cx } from '../../widgets/cx.ts'
import { count, plural } from '../text.ts'
import { useConsole } from '../use-console.ts'
import styles from './log.module.css'

export interface LogHeadProps {
  readonly isGrouped: boolean
  readonly onGroup: (isGrouped: boolean) => void
  /** Number of groups, if any. */
  readonly groups: number | undefined
  /** Oldest events that the recording dropped. */
  readonly dropped: number
}

/** The same in every step. */
export const LogHead = memo(function LogHead({ isGrouped, onGroup, groups, dropped }: LogHeadProps) {
  return (
    <div role="row" aria-rowindex={1} className={styles.head}>
      {(['seq', 'time', 'actor', 'event', 'change', 'cause'] as const).map(column => (
        <span key={column} role="columnheader" className={styles[column]}>
          {column === 'change' ? 'state' : column}
          {column === 'event' && dropped > 0 ? (
            <span
              className={styles.dropped}
              title={`${plural(dropped, 'oldest event')} dropped: the recording is a ring`}
            >
              {count(dropped)} oldest dropped
            </span>
          ) : null}
          {column === 'cause' ? (
            <button
              type="button"
              className={cx(styles.toggle, isGrouped && styles.on)}
              aria-pressed={isGrouped}
              aria-label="Group by cause"
              title={
                groups === undefined
                  ? 'Group by cause: collapse the events of one cause into one row'
                  : `${plural(groups, 'group')}; left and right arrow keys collapse and expand`
              }
              onClick={() => onGroup(!isGrouped)}
            >
              <ListTree size={13} aria-hidden />
            </button>
          ) : null}
        </span>
      ))}
    </div>
  )
})

export function Nothing({ live }: { readonly live: boolean }) {
  const { derive, timeline } = useConsole()
  if (derive) return <NoSteps stimuli={timeline.stimuli} onDerive={derive} />
  return (
    <EmptyState icon={<ScrollText size={20} aria-hidden />} title="No events yet">
      {live ? 'Events appear here as machines run.' : 'This recording has no events.'}
    </EmptyState>
  )
}

/** Production recordings omit steps, because steps cost the most. */
function NoSteps({ stimuli, onDerive }: { readonly stimuli: number; readonly onDerive: () => void }) {
  return (
    <EmptyState
      icon={<ScrollText size={20} aria-hidden />}
      title="This recording has no steps"
      action={
        <Button size="s" onPress={onDerive}>
          Derive steps so far
        </Button>
      }
    >
      It contains only inputs ({plural(stimuli, 'event')} so far). A replay derives the steps.
    </EmptyState>
  )
}

export function NoMatch({ query, onClear }: { readonly query: string; readonly onClear: () => void }) {
  return (
    <EmptyState
      icon={<SearchX size={20} aria-hidden />}
      title={`No events match “${query}”`}
      action={
        <Button size="s" onPress={onClear}>
          Clear filter
        </Button>
      }
    >
      Terms are combined with “and”. Remove one, or negate it with a leading minus.
    </EmptyState>
  )
}
