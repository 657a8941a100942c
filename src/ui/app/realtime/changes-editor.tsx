// Editor of row-change subscriptions: schema, table, event, conditions and columns of each.
import { Plus, X } from 'lucide-react'
import { Button, IconButton } from '../../widgets/button.tsx'
import { Check } from '../../widgets/check.tsx'
import { TextField } from '../../widgets/field.tsx'
import { Select } from '../../widgets/select.tsx'
import { useTables } from '../data/tables.tsx'
import {
  type Change,
  changeOf,
  changeWords,
  COMPARISONS,
  type Condition,
  EVENTS,
  newChange,
  nextId,
} from '../../../services/workbench/realtime/index.ts'
import styles from './forms.module.css'
import { ComboBox, Input, Label, ListBox, ListBoxItem, Popover } from 'react-aria-components'
import control from '../../widgets/control.module.css'
import { cx } from '../../widgets/cx.ts'
import field from '../../widgets/field.module.css'
import popover from '../../widgets/popover.module.css'
import select from '../../widgets/select.module.css'

export interface ChangesEditorProps {
  readonly changes: readonly Change[]
  readonly problems: Readonly<Record<string, string>>
  readonly onChange: (changes: Change[]) => void
}

export function ChangesEditor({ changes, problems, onChange }: ChangesEditorProps) {
  const put = (change: Change) => onChange(changes.map(known => (known.id === change.id ? change : known)))
  return (
    <fieldset className={styles.group}>
      <legend className={styles.legend}>Row changes</legend>
      {changes.map((change, index) => (
        <ChangeEditor
          key={change.id}
          title={`Subscription ${index + 1}`}
          change={change}
          problem={problems[change.id]}
          onChange={put}
          onRemove={() => onChange(changes.filter(({ id }) => id !== change.id))}
        />
      ))}
      <div>
        <Button
          size="s"
          icon={<Plus size={13} aria-hidden />}
          onPress={() => onChange([...changes, newChange(changes)])}
        >
          Listen to a table
        </Button>
      </div>
    </fieldset>
  )
}

interface ChangeEditorProps {
  readonly title: string
  readonly change: Change
  readonly problem: string | undefined
  readonly onChange: (change: Change) => void
  readonly onRemove: () => void
}

function ChangeEditor({ title, change, problem, onChange, onRemove }: ChangeEditorProps) {
  const { tables, info } = useTables()
  const columns = info(change.table)?.columns.map(({ name }) => name) ?? []
  const putCondition = (condition: Condition) =>
    onChange({
      ...change,
      conditions: change.conditions.map(known => (known.id === condition.id ? condition : known)),
    })
  return (
    <div className={styles.change} role="group" aria-label={title}>
      <div className={styles.changeLine}>
        <Select
          label="Event"
          options={EVENTS.map(id => ({ id, label: id === '*' ? 'any' : id }))}
          value={change.event}
          onChange={event => onChange({ ...change, event })}
        />
        <TextField
          label="Schema"
          mono
          value={change.schema}
          onChange={schema => onChange({ ...change, schema })}
          placeholder="public"
        />
        <SuggestField
          label="Table"
          value={change.table}
          onChange={table => onChange({ ...change, table })}
          known={tables}
          placeholder="all tables"
        />
        <IconButton label={`Remove ${title}`} noTooltip onPress={onRemove}>
          <X size={14} />
        </IconButton>
      </div>
      {change.conditions.map(condition => (
        <ConditionEditor
          key={condition.id}
          condition={condition}
          columns={columns}
          onChange={putCondition}
          onRemove={() =>
            onChange({ ...change, conditions: change.conditions.filter(({ id }) => id !== condition.id) })
          }
        />
      ))}
      <TextField
        label="Columns"
        mono
        value={change.columns}
        onChange={text => onChange({ ...change, columns: text })}
        placeholder="all, or comma-separated"
      />
      <div className={styles.pairLine}>
        <Button
          size="s"
          variant="quiet"
          icon={<Plus size={13} aria-hidden />}
          onPress={() =>
            onChange({
              ...change,
              conditions: [
                ...change.conditions,
                { id: nextId(change.conditions), column: '', comparison: 'eq', not: false, value: '' },
              ],
            })
          }
        >
          Add filter
        </Button>
        <code className={styles.written}>{changeWords(changeOf(change))}</code>
      </div>
      {problem === undefined ? null : (
        <p role="alert" className={styles.problem}>
          {problem}
        </p>
      )}
    </div>
  )
}

interface ConditionEditorProps {
  readonly condition: Condition
  readonly columns: readonly string[]
  readonly onChange: (condition: Condition) => void
  readonly onRemove: () => void
}

function ConditionEditor({ condition, columns, onChange, onRemove }: ConditionEditorProps) {
  return (
    <div className={styles.condition} role="group" aria-label="Condition">
      <SuggestField
        label="Column"
        value={condition.column}
        onChange={column => onChange({ ...condition, column })}
        known={columns}
      />
      <Check isOn={condition.not} onChange={not => onChange({ ...condition, not })}>
        not
      </Check>
      <Select
        label="Comparison"
        options={COMPARISONS.map(([id, label]) => ({ id, label }))}
        value={condition.comparison}
        onChange={comparison => onChange({ ...condition, comparison })}
      />
      <TextField
        label="Value"
        mono
        value={condition.value}
        onChange={value => onChange({ ...condition, value })}
        placeholder={condition.comparison === 'in' ? 'a, b, c' : ''}
      />
      <IconButton label="Remove condition" noTooltip onPress={onRemove}>
        <X size={14} />
      </IconButton>
    </div>
  )
}

interface SuggestFieldProps {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
  readonly known: readonly string[]
  readonly placeholder?: string
}

/** A text field with suggestions; other values are allowed. */
function SuggestField({ label, value, onChange, known, placeholder = '' }: SuggestFieldProps) {
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
