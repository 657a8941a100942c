// A new row as JSON, for a table without known columns.
import { useState } from 'react'
import { string } from 'valibot'
import { Button } from '../../widgets/button.tsx'
import { Dialog, DialogActions } from '../../widgets/dialog.tsx'
import { TextArea } from '../../widgets/text-area.tsx'
import { Form } from '../../widgets/form.tsx'
import form from '../shell/form.module.css'
import { useKeptForm } from '../use-kept-form.ts'
import { type Values, valueText } from '../../../services/workbench/table/index.ts'
import { useTables } from './tables.tsx'
import { wordsOfInsert, type RowFormOptions } from './use-row-form.ts'
import { useSaving } from './use-saving.ts'

const readObject = (text: string): Record<string, unknown> | undefined => {
  try {
    const value: unknown = JSON.parse(text)
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
export function JsonRowDialog({ info, writes, onDone, onClose }: RowFormOptions) {
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
      <Form className={form.form} onSubmit={() => void submit()}>
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
