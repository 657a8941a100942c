// Chooses the columns of a referenced row that the grid shows next to the key, also those of a row further on.
import { useMemo, useState } from 'react'
import {
  embeddingOf,
  type ForeignKey,
  keysFrom,
  type RelatedColumn,
  relatedChoices,
  shortType,
} from '../../../../services/workbench/table/index.ts'
import { Button } from '../../../widgets/button.tsx'
import { Check } from '../../../widgets/check.tsx'
import { Dialog, DialogActions } from '../../../widgets/dialog.tsx'
import { Form } from '../../../widgets/form.tsx'
import { useTables } from '../tables.tsx'
import type { TableModel } from '../use-table.ts'
import styles from './related.module.css'

export interface RelatedDialogProps {
  readonly table: TableModel
  readonly of: ForeignKey
  readonly onClose: () => void
}

interface ChoicesProps {
  readonly label: string
  readonly choices: readonly RelatedColumn[]
  readonly selectedNames: ReadonlySet<string>
  readonly onChange: (name: string, isOn: boolean) => void
}

function Choices({ label, choices, selectedNames, onChange }: ChoicesProps) {
  return (
    <div role="group" aria-label={label} className={styles.choices}>
      {choices.map(({ name, column, format = '' }) => (
        <Check
          key={name}
          isOn={selectedNames.has(name)}
          onChange={isOn => onChange(name, isOn)}
          hint={shortType(format)}
        >
          {column}
        </Check>
      ))}
    </div>
  )
}

/** Another table that the referenced row refers to; open if a column of it is shown. */
function Further({ label, choices, selectedNames, onChange }: ChoicesProps) {
  const [isInitiallyOpen] = useState(() => choices.some(({ name }) => selectedNames.has(name)))
  return (
    <details className={styles.further} open={isInitiallyOpen}>
      <summary>{label}</summary>
      <Choices label={label} choices={choices} selectedNames={selectedNames} onChange={onChange} />
    </details>
  )
}

interface Group {
  readonly label: string
  readonly choices: readonly RelatedColumn[]
}

/** The columns of the row, and of the rows that it refers to. */
const useGroups = (table: TableModel, of: ForeignKey): readonly Group[] => {
  const { info } = table.pages
  const { info: infoOf } = useTables()
  return useMemo(() => {
    const target = infoOf(of.table)
    const further = target === undefined ? [] : keysFrom(target)
    return [
      { label: `Columns of ${of.table}`, choices: relatedChoices(info, [of], infoOf) },
      ...further
        .filter(key => 'term' in embeddingOf(of.table, key))
        .map(key => ({
          label: `Columns of ${key.table}, by ${key.pairs.map(({ ours }) => ours).join(', ')}`,
          choices: relatedChoices(info, [of, key], infoOf),
        })),
    ].filter(({ choices }) => choices.length > 0)
  }, [info, infoOf, of])
}

export function RelatedDialog({ table, of, onClose }: RelatedDialogProps) {
  const { layout } = table
  const [first, ...further] = useGroups(table, of)
  const [selectedNames, setSelectedNames] = useState<ReadonlySet<string>>(
    () => new Set(layout.related.map(({ name }) => name)),
  )
  const change = (name: string, isOn: boolean) =>
    setSelectedNames(before => new Set(isOn ? [...before, name] : [...before].filter(each => each !== name)))
  const save = () => {
    const choices = [first, ...further].flatMap(group => group?.choices ?? [])
    const otherKeys = layout.related.filter(({ name }) => !choices.some(each => each.name === name))
    const related = [...otherKeys, ...choices.filter(({ name }) => selectedNames.has(name))]
    layout.change({ type: 'related.chosen', related })
    onClose()
  }
  return (
    <Dialog title={`Show columns of ${of.table}`} isOpen onClose={onClose}>
      <Form onSubmit={save} className={styles.form}>
        {first === undefined ? (
          <p>The columns of {of.table} are not known: the source of the schema does not list this table.</p>
        ) : (
          <>
            <p className={styles.note}>
              Columns of the row that {of.pairs.map(({ ours }) => ours).join(', ')} refers to, read-only in
              this table.
            </p>
            <Choices {...first} selectedNames={selectedNames} onChange={change} />
            {further.map(group => (
              <Further key={group.label} {...group} selectedNames={selectedNames} onChange={change} />
            ))}
          </>
        )}
        <DialogActions>
          <Button onPress={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" isDisabled={first === undefined}>
            Show
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  )
}
