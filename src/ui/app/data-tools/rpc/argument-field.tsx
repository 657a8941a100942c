// The field of a function argument, by type; shows whether it is optional.
import { Button } from '../../../widgets/button.tsx'
import { Select } from '../../../widgets/select.tsx'
import { TextArea, TextField } from '../../../widgets/field.tsx'
import type { Column } from '../../../../services/workbench/table/index.ts'
import { isText, NULL } from '../../../../services/workbench/functions/index.ts'

export interface ArgumentFieldProps {
  readonly arg: Column
  readonly text: string | undefined
  readonly error: string | undefined
  readonly onChange: (text: string | undefined) => void
}

const UNSET = 'unset'

const hintOf = (arg: Column): string => {
  const absent = arg.hasDefault ? 'Uses the default if empty.' : 'Required.'
  return arg.note === undefined ? absent : `${arg.note} ${absent}`
}

/** The placeholder for a missing text. */
const absence = (arg: Column, text: string | undefined): string => {
  if (text === NULL) return 'null'
  if (text === '' && isText(arg)) return 'empty'
  return text === undefined && arg.hasDefault ? 'default' : ''
}

type WaysProps = Omit<ArgumentFieldProps, 'error'> & { readonly label: string }

/** Buttons for null, empty text, and not set. */
function Ways({ arg, label, text, onChange }: WaysProps) {
  const ways = [
    ...(isText(arg) ? [['empty', ''] as const] : []),
    ['null', NULL] as const,
    ...(arg.hasDefault && (text === NULL || text === '') ? [['default', undefined] as const] : []),
  ]
  return (
    <>
      {ways
        .filter(([, value]) => value !== text)
        .map(([name, value]) => (
          <Button
            key={name}
            size="s"
            variant="quiet"
            aria-label={`Set ${label} to ${name}`}
            onPress={() => onChange(value)}
          >
            {name}
          </Button>
        ))}
    </>
  )
}

export function ArgumentField({ arg, text, error, onChange }: ArgumentFieldProps) {
  const label = arg.name === '' ? 'argument' : arg.name
  const options = arg.type === 'boolean' ? ['true', 'false'] : arg.options
  if (options)
    return (
      <Select
        label={`${label} · ${arg.format}`}
        options={[
          { id: UNSET, label: arg.hasDefault ? 'Default' : 'Not set' },
          ...options.map(option => ({ id: `=${option}`, label: option })),
          { id: NULL, label: 'null' },
        ]}
        value={text === undefined ? UNSET : text === NULL ? NULL : `=${text}`}
        onChange={id => onChange(id === UNSET ? undefined : id === NULL ? NULL : id.slice(1))}
        error={error}
      />
    )
  const isLong = arg.type === 'json' || arg.type === 'array'
  const shared = {
    label,
    labelNote: arg.format,
    hint: hintOf(arg),
    error,
    mono: arg.type !== 'text',
    value: text === undefined || text === NULL ? '' : text,
    placeholder: absence(arg, text),
    onChange: (next: string) => onChange(next === '' && arg.hasDefault ? undefined : next),
    isRequired: !arg.hasDefault,
    spellCheck: 'false' as const,
  }
  const nothing = <Ways arg={arg} label={label} text={text} onChange={onChange} />
  if (!isLong) return <TextField {...shared} suffix={nothing} />
  return (
    <span>
      <TextArea {...shared} rows={3} />
      {nothing}
    </span>
  )
}
