// A text field with suggestions; other values are allowed.
import { ComboBox, Input, Label, ListBox, ListBoxItem, Popover } from 'react-aria-components'
import control from '../../widgets/control.module.css'
import { cx } from '../../widgets/cx.ts'
import field from '../../widgets/field.module.css'
import popover from '../../widgets/popover.module.css'
import select from '../../widgets/select.module.css'

export interface SuggestFieldProps {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
  readonly known: readonly string[]
  readonly placeholder?: string
}

export function SuggestField({ label, value, onChange, known, placeholder = '' }: SuggestFieldProps) {
  return (
    <ComboBox
      className={cx(control.control)}
      allowsCustomValue
      inputValue={value}
      onInputChange={onChange}
      menuTrigger="focus"
    >
      <Label className={cx(control.label)}>{label}</Label>
      <span className={field.line}>
        <Input
          className={cx(control.box, field.input, field.mono)}
          placeholder={placeholder}
          autoComplete="off"
          spellCheck="false"
        />
      </span>
      <Popover className={cx(popover.popover, select.popover)}>
        <ListBox className={cx(select.list)}>
          {known.map(name => (
            <ListBoxItem key={name} id={name} textValue={name} className={cx(select.item)}>
              {name}
            </ListBoxItem>
          ))}
        </ListBox>
      </Popover>
    </ComboBox>
  )
}
