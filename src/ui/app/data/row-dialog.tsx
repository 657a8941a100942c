// The form of a new or existing row, generated from the table's columns.
import { Button } from '../../widgets/button.tsx'
import { Dialog, DialogActions } from '../../widgets/dialog.tsx'
import { Form } from '../../widgets/form.tsx'
import { own } from '../../../services/workbench/storage/index.ts'
import { Notice } from '../shell/page.tsx'
import { ColumnField } from './column-field.tsx'
import layout from '../shell/form.module.css'
import styles from './data.module.css'
import { insertColumns, rowKey, type Values, valueText } from '../../../services/workbench/table/index.ts'
import { useRowForm, type RowFormOptions, wordsOfInsert } from './use-row-form.ts'
import { useState } from 'react'
import { string } from 'valibot'
import { parseExact } from '../../../services/workbench/text/index.ts'
import { TextArea } from '../../widgets/text-area.tsx'
import { useKeptForm } from '../use-draft.ts'
import { useTables } from './tables.tsx'
import { useSaving } from './use-saving.ts'

function FormDialog(props: RowFormOptions) {
  const { info, row } = props
  const form = useRowForm(props)
  const isNew = row === undefined
  const columns = isNew ? insertColumns(info) : info.columns
  return (
    <Dialog
      title={isNew ? `New row in ${info.name}` : `Edit ${info.name} ${rowKey(info, row) ?? ''}`}
      isOpen
      onClose={form.close}
      wide
    >
      <Form className={layout.form} onSubmit={form.submit}>
        <div className={styles.fields}>
          {columns.map(column => (
            <ColumnField
              key={column.name}
              column={column}
              isNew={isNew}
              cell={own(form.draft, column.name)}
              error={own(form.errors, column.name)}
              onChange={(cell, also) => form.change(column.name, cell, also)}
            />
          ))}
        </div>
        {form.errors[''] === undefined ? null : <Notice tone="fail">{form.errors['']}</Notice>}
        <DialogActions>
          {form.isTouched ? (
            <Button variant="quiet" onPress={form.clear}>
              Clear
            </Button>
          ) : null}
          <Button onPress={form.close}>Cancel</Button>
          <Button type="submit" variant="primary" isPending={form.isPending}>
            {isNew ? 'Add row' : 'Save'}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  )
}

/** Without known columns, a new row is written as JSON. */
export function RowDialog(props: RowFormOptions) {
  return insertColumns(props.info).length === 0 ? <JsonRowDialog {...props} /> : <FormDialog {...props} />
}

const readObject = (text: string): Record<string, unknown> | undefined => {
  try {
    const value = parseExact(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined
  } catch {
    return undefined
  }
}

/** The values as cell text; without columns their types are unknown. */
const textsOf = (values: Readonly<Record<string, unknown>>): Values =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, value === null ? null : valueText(value)]),
  )

const EMPTY = '{\n  \n}'
const writtenSchema = string()

/** The object's keys are the columns. */
function JsonRowDialog({ info, writes, onDone, onClose }: RowFormOptions) {
  const { schema } = useTables()
  const {
    written: text = EMPTY,
    save: saveForm,
    forget,
  } = useKeptForm('row-json', [schema, info.name], writtenSchema)
  const [error, setError] = useState<string>()
  const close = () => {
    forget()
    onClose()
  }
  const { isPending, save } = useSaving({ onDone, onClose: close })
  const submit = async () => {
    const values = readObject(text)
    if (values === undefined) return setError('This must be a JSON object, such as {"name": "Fulmar"}.')
    const failure = await save(writes.insert(textsOf(values)), wordsOfInsert(info))
    if (failure === undefined) forget()
    else setError(failure.field === undefined ? failure.message : `${failure.field}: ${failure.message}`)
  }
  return (
    <Dialog title={`New row in ${info.name}`} isOpen onClose={close}>
      <Form className={layout.form} onSubmit={() => void submit()}>
        <TextArea
          label="Row"
          mono
          rows={8}
          value={text}
          onChange={saveForm}
          error={error}
          hint="The backend does not list the columns, and there is no row to infer them from."
        />
        <DialogActions>
          <Button onPress={close}>Cancel</Button>
          <Button type="submit" variant="primary" isPending={isPending}>
            Add row
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  )
}
