// Select box: a choice of one option.
import { ChevronDown } from 'lucide-react'
import {
  Button,
  FieldError,
  Label,
  ListBox,
  ListBoxItem,
  Popover,
  Select as AriaSelect,
  SelectValue,
  VisuallyHidden,
} from 'react-aria-components'
import control from './control.module.css'
import { cx } from './cx.ts'
import popover from './popover.module.css'
import styles from './select.module.css'

export interface SelectOption<Id extends string = string> {
  readonly id: Id
  readonly label: string
}

export interface SelectProps<Id extends string> {
  readonly label: string
  readonly hideLabel?: boolean
  readonly options: readonly SelectOption<Id>[]
  readonly value: string | null
  readonly onChange: (id: Id) => void
  readonly placeholder?: string
  readonly error?: string | undefined
  readonly isDisabled?: boolean
}

/** A labeled select box; `onChange` receives the id of the chosen option. */
export function Select<Id extends string>(props: SelectProps<Id>) {
  const {
    label,
    hideLabel,
    options,
    value,
    onChange,
    placeholder = 'Choose…',
    error,
    isDisabled = false,
  } = props
  const name = <Label className={cx(control.label)}>{label}</Label>
  return (
    <AriaSelect
      value={value}
      onChange={key => {
        const chosen = options.find(({ id }) => id === key)
        if (chosen) onChange(chosen.id)
      }}
      placeholder={placeholder}
      isDisabled={isDisabled}
      isInvalid={error !== undefined}
      className={cx(control.control)}
    >
      {hideLabel === true ? <VisuallyHidden>{name}</VisuallyHidden> : name}
      <Button className={cx(control.box, styles.button)}>
        <SelectValue className={cx(styles.value)} />
        <ChevronDown size={14} aria-hidden />
      </Button>
      <FieldError className={cx(control.error)}>{error}</FieldError>
      <Popover className={cx(popover.popover, styles.popover)}>
        <ListBox className={cx(styles.list)}>
          {options.map(option => (
            <ListBoxItem key={option.id} id={option.id} textValue={option.label} className={cx(styles.item)}>
              {option.label}
            </ListBoxItem>
          ))}
        </ListBox>
      </Popover>
    </AriaSelect>
  )
}
