// Segmented control: a choice of one among a few options in a line.
import { Radio, RadioGroup } from 'react-aria-components'
import { cx } from './cx.ts'
import styles from './segments.module.css'
import type { SelectOption } from './select.tsx'

export interface SegmentsProps<Id extends string> {
  /** Accessible name. */
  readonly label: string
  readonly options: readonly SelectOption<Id>[]
  readonly value: Id
  readonly onChange: (id: Id) => void
}

export function Segments<Id extends string>({ label, options, value, onChange }: SegmentsProps<Id>) {
  return (
    <RadioGroup
      aria-label={label}
      orientation="horizontal"
      value={value}
      onChange={chosen => {
        const option = options.find(({ id }) => id === chosen)
        if (option) onChange(option.id)
      }}
      className={cx(styles.segments)}
    >
      {options.map(({ id, label: words }) => (
        <Radio key={id} value={id} className={cx(styles.segment)}>
          {words}
        </Radio>
      ))}
    </RadioGroup>
  )
}
