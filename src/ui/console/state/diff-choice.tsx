// Selects what the diff compares: which points, and one actor or all.
import { Users } from 'lucide-react'
import { memo, useCallback } from 'react'
import { ToggleButton, ToggleButtonGroup } from 'react-aria-components'
import { IconButton } from '../../widgets/button.tsx'
import { cx } from '../../widgets/cx.ts'
import type { Comparison } from '../model/place.ts'
import { count } from '../text.ts'
import { useConsole } from '../use-console.ts'
import styles from './diff.module.css'
import { isOfAll } from './moments.ts'

const POINTS = [
  { id: 'before', text: 'Step', title: 'The selected step and the one before it' },
  { id: 'a', text: 'From A', title: 'Mark A and the current moment' },
  { id: 'ab', text: 'A → B', title: 'Mark A and mark B' },
] as const

export function DiffChoice() {
  const { place, go, pick } = useConsole()
  const { diff } = place.layout
  const isAll = isOfAll(diff)
  const points = isAll ? diff.slice('all-'.length) : diff
  const ofAll = useCallback(
    (next: string, all: boolean) => {
      const chosen = (all && next !== 'before' ? `all-${next}` : next) as Comparison
      go({ type: 'layout', layout: { diff: chosen } })
    },
    [go],
  )
  const choose = useCallback((next: string) => ofAll(next, isAll), [ofAll, isAll])
  return (
    <div className={styles.head}>
      <Points {...{ points, choose }} />
      <span className={styles.marks}>
        {(['a', 'b'] as const).map(mark => {
          const seq = place.marks[mark]
          return seq === undefined ? null : (
            <button
              key={mark}
              type="button"
              className={styles.mark}
              title={`Go to mark ${mark.toUpperCase()}`}
              onClick={() => pick(seq)}
            >
              <b>{mark.toUpperCase()}</b> #{count(seq)}
            </button>
          )
        })}
      </span>
      {points === 'before' ? null : (
        <IconButton size="s" label="All actors" isOn={isAll} onPress={() => ofAll(points, !isAll)}>
          <Users size={13} aria-hidden />
        </IconButton>
      )}
    </div>
  )
}

interface PointsProps {
  readonly points: string
  readonly choose: (next: string) => void
}

/** A step does not rerender it. */
const Points = memo(function Points({ points, choose }: PointsProps) {
  return (
    <ToggleButtonGroup
      aria-label="Compare"
      selectionMode="single"
      disallowEmptySelection
      selectedKeys={[points]}
      onSelectionChange={keys => choose(String([...keys][0] ?? 'before'))}
      className={cx(styles.choice)}
    >
      {POINTS.map(({ id, text }) => (
        <ToggleButton key={id} id={id} className={cx(styles.option)}>
          {text}
        </ToggleButton>
      ))}
    </ToggleButtonGroup>
  )
})
