// What stands around the rows of the log: its head, and what is said when there are none.
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
  /** How many groups there are, while there are any. */
  readonly groups: number | undefined
  /** Older events that the recording let go. */
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
              title={`${plural(dropped, 'older event')} let go: the recording is a ring`}
            >
              {count(dropped)} older let go
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
                  ? 'Group by cause: fold what one thing set off into one row'
                  : `${plural(groups, 'group')}; arrows left and right fold`
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
      {live ? 'They appear here as the machines move.' : 'This recording holds no events.'}
    </EmptyState>
  )
}

/** A recording as it is made in production: steps cost more than all else. */
function NoSteps({ stimuli, onDerive }: { readonly stimuli: number; readonly onDerive: () => void }) {
  return (
    <EmptyState
      icon={<ScrollText size={20} aria-hidden />}
      title="This recording keeps no steps"
      action={
        <Button size="s" onPress={onDerive}>
          Show the steps so far
        </Button>
      }
    >
      It keeps what entered the system ({plural(stimuli, 'event')} until now), from which a replay makes the
      steps.
    </EmptyState>
  )
}

export function NoMatch({ query, onClear }: { readonly query: string; readonly onClear: () => void }) {
  return (
    <EmptyState
      icon={<SearchX size={20} aria-hidden />}
      title={`Nothing matches “${query}”`}
      action={
        <Button size="s" onPress={onClear}>
          Clear the filter
        </Button>
      }
    >
      Terms are joined by “and”. Remove one, or turn it into its opposite with a minus in front.
    </EmptyState>
  )
}
